"""Plots of sequences contain the right numbers, and can be drawn for any data."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from own_family import Exponential

from boltzmix import EM, Mixture, Sequences, plots
from boltzmix.datasets import make_square
from boltzmix.families import HMM, Categorical, Family, Gaussian, MarkovChain, Poisson
from boltzmix.plots.chains import Chances, Intervals, Words


class Weighted(Exponential):
    """A family that does not describe itself."""

    weighted = True

    def fit(self, data, *, weights=None, rng=None):
        return Weighted(1 / np.average(np.asarray(data), weights=weights, axis=0).mean())


def waves(n, d=1, longest=30):
    """Return rising and falling lines of different lengths."""
    rng = np.random.default_rng(0)
    lengths = rng.integers(1, longest, size=n)
    lengths[:2] = longest
    return [
        np.linspace(0, 5 * (-1) ** i, length)[:, None] + rng.normal(0, 0.3, (length, d))
        for i, length in enumerate(lengths)
    ]


def noise(n, draw):
    rng = np.random.default_rng(0)
    return [draw(rng, rng.integers(2, 12)) for _ in range(n)]


def fitted(family, k, X):
    return Mixture(family, k, algorithm=EM(1e-2), random_state=0).fit(X)


@pytest.fixture(scope="module")
def model():
    return fitted(HMM(3), 2, waves(80))


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def draw(figure):
    figure.draw_without_rendering()


def test_groups_hold_the_members_of_their_components(model):
    X = waves(80)
    drawing = plots.sequences(model, X)
    assert [group.size for group in drawing.groups] == np.bincount(model.labels_).tolist()
    for group in drawing.groups:
        members = [X[i] for i in np.flatnonzero(model.labels_ == group.component)]
        np.testing.assert_array_equal(group.paths[0].values, members[0])
        np.testing.assert_array_equal(group.paths[-1].values, members[-1])
        np.testing.assert_array_equal(group.paths[0].steps, np.arange(len(members[0])))


def test_the_mean_is_that_of_members_stretched_to_one_length():
    X = [np.arange(5.0)[:, None], np.arange(0.0, 9.0)[:, None] / 2, np.zeros((1, 1))]
    drawing = plots.sequences(fitted(HMM(1), 1, X), X)
    assert drawing.groups[0].mean is None  # the third sequence does not rise like the others
    drawing = plots.sequences(fitted(HMM(1), 1, X[:2]), X[:2])
    mean = drawing.groups[0].mean
    np.testing.assert_allclose(mean.values[:, 0], np.linspace(0, 4, len(mean.values)))
    assert mean.steps[-1] == 6  # seven steps on average


def test_members_are_evenly_spaced_and_fewer_if_there_is_no_mean():
    X = [np.linspace(0, 1, 9)[:, None] + i / 1000 for i in range(100)]
    group = plots.sequences(fitted(HMM(2), 1, X), X).groups[0]
    assert len(group.paths) == 60
    assert group.mean is not None
    assert group.caption == ["component 0", "100 sequences", "60 drawn"]
    X = noise(100, lambda rng, length: rng.normal(size=(length, 1)))
    group = plots.sequences(fitted(HMM(2), 1, X), X).groups[0]
    assert len(group.paths) == 15
    assert group.mean is None


def test_long_sequences_are_thinned(model):
    X = [np.linspace(0, 5, 2500)[:, None], *waves(5)]
    path = max(
        (path for group in plots.sequences(model, X).groups for path in group.paths),
        key=lambda path: len(path.steps),
    )
    assert len(path.steps) <= 1000
    np.testing.assert_array_equal(path.values, X[0][path.steps])


def test_one_feature_has_a_panel_per_component(model):
    axes = plots.sequences(model, waves(80)).plot()
    assert axes.shape == (2, 1)
    size = (model.labels_ == 0).sum()
    assert axes[0, 0].get_title() == f"component 0, {size} sequences"
    draw(axes[0, 0].figure)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_features_are_columns_and_at_most_four():
    X = waves(20, d=5)
    frames = Sequences.from_lengths(np.concatenate(X), [len(one) for one in X])
    frames = Sequences(frames.values, frames.ends, tuple("abcde"))
    model = fitted(HMM(2), 3, frames)
    axes = plots.sequences(model, frames).plot()
    assert axes.shape == (3, 4)
    assert [ax.get_title() for ax in axes[0]] == list("abcd")
    assert "the first 4 of 5 features" in axes[0, 0].figure.get_suptitle()
    drawing = plots.states(model.components_[0], frames.feature_names)
    assert len(drawing.plot()) == 2 + 4
    draw(axes[0, 0].figure)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("k", [1, 13])
def test_any_number_of_components_can_be_drawn(k):
    X = noise(40, lambda rng, length: rng.normal(size=(length, 1)))
    model = fitted(HMM(1), k, X)
    drawing = plots.sequences(model, X)
    assert len(drawing.groups) == min(k, 12)
    axes = drawing.plot()
    assert ("the 12 largest of 13" in axes[0, 0].figure.get_suptitle()) == (k == 13)
    draw(plots.overview(model, X))


def test_sequences_of_one_step_and_empty_components_can_be_drawn(model):
    one = [np.zeros((1, 1))]
    drawing = plots.sequences(model, one)
    assert sorted(group.size for group in drawing.groups) == [0, 1]
    axes = drawing.plot()
    draw(axes[0, 0].figure)
    draw(plots.overview(model, one))


def test_states_hold_the_parameters_of_the_chain(model):
    component = model.components_[0]
    drawing = plots.states(component)
    np.testing.assert_array_equal(drawing.initial, component.initial)
    np.testing.assert_array_equal(drawing.transitions, component.transitions)
    assert isinstance(drawing.emissions, Intervals)
    for state, emission in enumerate(component.emissions):
        np.testing.assert_array_equal(drawing.emissions.means[state], emission.mean)
        variances = drawing.emissions.deviations[state] ** 2
        np.testing.assert_allclose(variances, np.diagonal(emission.covariance_matrix))
    axes = drawing.plot()
    bars = [bar.get_width() for bar in axes[0].patches]
    np.testing.assert_array_equal(bars, component.initial)
    np.testing.assert_array_equal(axes[1].images[0].get_array(), component.transitions)
    draw(axes[0].figure)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize(
    ("emission", "kind"),
    [
        (Gaussian("full"), Intervals),
        (Poisson(), Intervals),
        (Categorical(), Chances),
        (Weighted(), Words),
    ],
)
def test_every_kind_of_emission_is_drawn(emission, kind):
    X = noise(10, lambda rng, length: rng.poisson(2, (length, 1)))
    model = Mixture(HMM(2, emission), 2, algorithm=EM(1e-2), random_state=0).fit(X)
    drawing = plots.states(model.components_[0], ["a name that is far too long"])
    assert isinstance(drawing.emissions, kind)
    draw(drawing.plot()[0].figure)
    assert "transitions" in [ax.get_title() for ax in plots.overview(model, X).axes]


def test_columns_with_fewer_categories_have_zeros():
    X = noise(20, lambda rng, length: rng.integers(0, [2, 4], (length, 2)))
    model = fitted(HMM(2, Categorical()), 1, X)
    probabilities = plots.states(model.components_[0]).emissions.probabilities
    assert probabilities.shape == (2, 2, 4)
    np.testing.assert_allclose(probabilities.sum(axis=2), 1)
    assert (probabilities[:, 0, 2:] == 0).all()


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("n_symbols", [2, 15])
def test_every_symbol_has_a_colour(n_symbols):
    X = noise(30, lambda rng, length: rng.integers(0, n_symbols, (length, 1)))
    X[0][0] = n_symbols - 1
    model = fitted(MarkovChain(), 2, X)
    drawing = plots.sequences(model, X)
    assert drawing.n_symbols == n_symbols
    axes = drawing.plot()
    image = axes[0, 0].images[0].get_array()
    lengths = sorted(len(path.steps) for path in drawing.groups[0].paths)
    assert sorted(np.isfinite(image.filled(np.nan)).sum(axis=1)) == lengths
    explained = axes[0, 0].figure.legends or "from dark to light" in (
        axes[0, 0].figure.get_suptitle()
    )
    assert explained
    drawn = plots.states(model.components_[0])
    assert drawn.emissions is None
    assert len(drawn.plot()) == 2
    draw(axes[0, 0].figure)


def test_symbols_and_categories_are_named():
    names = ["sun", "rain", "snow"]
    X = noise(20, lambda rng, length: rng.integers(0, 3, (length, 1)))
    chain = fitted(MarkovChain(), 1, X)
    axes = plots.states(chain.components_[0], symbols=names).plot()
    for axis in (axes[0].yaxis, axes[1].xaxis):
        assert [text.get_text() for text in axis.get_ticklabels()] == names
    figure = plots.sequences(chain, X, symbols={"column 0": names}).plot()[0, 0].figure
    assert [text.get_text() for text in figure.legends[0].get_texts()] == names
    hidden = fitted(HMM(2, Categorical()), 1, X)
    axes = plots.states(hidden.components_[0], ["weather"], {"weather": names}).plot()
    assert [text.get_text() for text in axes[2].get_xticklabels()] == names
    draw(plots.overview(chain, X, symbols=names))


def test_plots_replace_the_axes_they_are_given(model):
    X = waves(20)
    figure, axes = plt.subplots(1, 3, figsize=(15, 5), layout="constrained")
    plots.sequences(model, X).plot(axes[0])
    plots.states(model.components_[0]).plot(axes[1])
    plots.trace(model).plot(axes[2])
    draw(figure)
    assert len(figure.subfigs) == 2
    part = plt.figure(layout="constrained")
    assert plots.states(model.components_[0]).plot(part)[0].figure is part
    with pytest.raises(ValueError, match="place in a grid"):
        plots.sequences(model, X).plot(plt.figure().add_axes((0, 0, 1, 1)))


def test_the_overview_of_sequences_has_members_training_and_states(model):
    figure = plots.overview(model, waves(80))
    titles = [ax.get_title() for ax in figure.axes]
    for title in ("Training", "Allocations", "transitions"):
        assert title in titles
    assert sum(title == "transitions" for title in titles) == 2
    draw(figure)


def test_the_overview_of_a_family_without_states_has_no_panel_of_states():
    class Mean(Family):
        mean = 0.0

        def observe(self, X, y=None):
            return Sequences.of(X)

        def fit(self, data, *, weights=None, rng=None):
            new = Mean()
            new.mean = data.as_vectors()[:, 0].mean()
            return new

        def log_prob(self, data):
            return -0.5 * (data.as_vectors()[:, 0] - self.mean) ** 2

    X = waves(20)
    figure = plots.overview(Mixture(Mean(), 2, random_state=0).fit(X), X)
    assert "transitions" not in [ax.get_title() for ax in figure.axes]
    draw(figure)


def test_plots_of_the_wrong_data_raise(model):
    rows, _ = make_square(random_state=0)
    table = Mixture(n_components=2, random_state=0).fit(rows)
    with pytest.raises(ValueError, match=r"use plots\.clusters"):
        plots.sequences(table, rows)
    with pytest.raises(ValueError, match=r"use plots\.sequences"):
        plots.clusters(model, waves(5))
    for component in (table.components_[0], HMM(2)):
        with pytest.raises(ValueError, match="states draws a fitted chain"):
            plots.states(component)
