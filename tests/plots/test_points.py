import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from own_family import Exponential
from scipy import stats

from boltzmix import Mixture, compare, plots
from boltzmix.data import Regression
from boltzmix.datasets import make_data_association, make_mixture, make_square
from boltzmix.families import (
    HMM,
    Family,
    Gaussian,
    GaussianProcess,
    LinearRegression,
    LogNormal,
    Poisson,
    Product,
)
from boltzmix.learning import History, Step
from boltzmix.report import find

X, _ = make_square(random_state=0)


@pytest.fixture(scope="module")
def model():
    return Mixture(n_components=4, random_state=0).fit(X)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_ellipses_lie_two_deviations_from_their_means(model):
    drawing = plots.clusters(model, X)
    for component, outline in zip(model.components_, drawing.outlines, strict=True):
        away = outline - component.mean
        distances = np.einsum("nd,de,ne->n", away, np.linalg.inv(component.covariance_matrix), away)
        np.testing.assert_allclose(distances, 4)


def test_clusters_show_every_observation_and_component(model):
    axes = plots.clusters(model, X).plot()
    assert len(axes.collections[0].get_offsets()) == len(X)
    assert len(axes.lines) == 2 * 4


def test_many_columns_are_projected_on_two():
    points, _ = make_mixture(300, 12, 5, random_state=0)
    model = Mixture(n_components=12, algorithm="em", random_state=0).fit(points)
    drawing = plots.clusters(model, points)
    assert drawing.points.shape == (300, 2)
    assert drawing.axis_names[0] == "principal component 1"
    drawing.plot()


def test_principal_components_are_centred_and_scaled_as_in_the_report():
    points, _ = make_mixture(300, 3, 5, random_state=0)
    points = points * [1, 10, 100, 1000, 10000] + 500
    model = Mixture(n_components=3, random_state=0).fit(points)
    drawing = plots.clusters(model, points)
    np.testing.assert_allclose(drawing.points.mean(axis=0), 0, atol=1e-9)
    scaled = (points - points.mean(axis=0)) / points.std(axis=0)
    values = np.linalg.svd(scaled, compute_uv=False)[:2]
    np.testing.assert_allclose(np.linalg.norm(drawing.points, axis=0), values)
    shown = np.transpose(find(model, points)["picture"]["values"][:2])
    np.testing.assert_allclose(drawing.points, shown, atol=1e-3)


def test_a_legend_names_the_components_up_to_twelve_and_more_are_numbered(model):
    names = [text.get_text() for text in plots.clusters(model, X).plot().get_legend().get_texts()]
    assert names == [f"component {k}" for k in range(4)]
    points, _ = make_mixture(400, 13, 2, separation=4, random_state=0)
    labels = np.arange(len(points)) % 13
    many = plots.Clusters(points, labels, [], ("a", "b"), 13)
    axes = many.plot()
    assert axes.get_legend() is None
    assert sorted(int(text.get_text()) for text in axes.texts) == list(range(13))
    assert plots.clusters(model, X).plot(legend=False).get_legend() is None


@pytest.fixture(scope="module")
def far_noise():
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(0, 1, (100, 3)), rng.normal(8, 1, (100, 3))])
    return np.vstack([points, 1e6 * rng.normal(size=(8, 3))])


@pytest.mark.parametrize("n_columns", [2, 3])
def test_far_noise_is_drawn_at_the_edge_and_does_not_stretch_the_axes(far_noise, n_columns):
    rows = far_noise[:, :n_columns]
    model = Mixture(Gaussian(), 2, noise=True, random_state=0).fit(rows)
    for drawing in (plots.clusters(model, rows), plots.uncertainty(model, rows)):
        axes = drawing.plot()
        places = np.asarray(axes.collections[0].get_offsets())
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        assert len(places) == len(rows)
        assert ((places > (left, bottom)) & (places < (right, top))).all()
        members = drawing.points[drawing.labels >= 0]
        assert right - left < 2 * np.ptp(members[:, 0])
        assert top - bottom < 2 * np.ptp(members[:, 1])
        assert [text.get_text() for text in axes.texts] == ["8 far away, at the edge"]


def test_far_noise_is_left_out_of_histograms(far_noise):
    rows = far_noise[:, :1]
    model = Mixture(Gaussian(), 2, noise=True, random_state=0).fit(rows)
    axes = plots.clusters(model, rows).plot()
    assert np.diff(axes.get_xlim()) < 30
    assert [text.get_text() for text in axes.texts] == ["8 far away, left out"]
    areas = [bar.get_width() * bar.get_height() for bar in axes.patches]
    np.testing.assert_allclose(sum(areas), 200 / 208)


def test_far_noise_does_not_stretch_pairs_curves_or_films(far_noise):
    states = []
    model = Mixture(Gaussian(), 2, noise=True, random_state=0, verbose=states.append)
    model.fit(far_noise)
    drawing = plots.pairs(model, far_noise)
    cells = drawing.plot()
    for row, column in np.argwhere(np.tri(3, dtype=bool)):
        assert np.diff(cells[row, column].get_xlim()) < 30
    assert "8 far away" in cells[0, 0].figure.get_suptitle()
    frames = plots.film(model, far_noise, states).plot(n_frames=3)[:-1]
    assert len({(*frame.get_xlim(), *frame.get_ylim()) for frame in frames}) == 1
    assert np.diff(frames[0].get_xlim()) < 30


def test_far_targets_do_not_stretch_curves():
    rng = np.random.default_rng(0)
    inputs = rng.uniform(0, 10, (200, 1))
    targets = inputs[:, 0] + rng.normal(0, 0.3, 200)
    targets[:5] = 1e7
    model = Mixture(LinearRegression(), 1, noise=True, random_state=0).fit(inputs, targets)
    axes = plots.curves(model, inputs, targets).plot()
    assert np.diff(axes.get_ylim()) < 30


def test_uncertainty_of_one_column_is_in_its_place_however_rare(model):
    one = Mixture(n_components=2, random_state=0).fit(X[:, :1])
    drawing = plots.uncertainty(one, X[:, :1])
    places = np.asarray(drawing.plot().collections[0].get_offsets())
    np.testing.assert_allclose(np.sort(places[:, 1]), np.sort(drawing.uncertainty))


def test_no_component_is_grey():
    for colour in plots.PALETTE:
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        assert max(red, green, blue) - min(red, green, blue) > 60


def test_a_sample_of_many_points_is_drawn_with_all_of_a_small_component():
    points = np.random.default_rng(0).normal(size=(300_000, 2))
    labels = np.zeros(len(points), dtype=int)
    labels[:40] = 1
    labels[40:60] = -1
    axes = plots.Clusters(points, labels, [], ("a", "b"), 2).plot()
    drawn = {tuple(place) for place in np.asarray(axes.collections[0].get_offsets())}
    assert 4900 <= len(drawn) <= 5000
    assert drawn >= {tuple(place) for place in points[:60]}
    assert f"({len(drawn):,} of 300,000 points drawn)" in axes.get_title()


def test_predictions_show_targets_against_the_means_of_their_components():
    rng = np.random.default_rng(0)
    inputs, side = rng.normal(size=(200, 3)), rng.integers(2, size=200)
    targets = np.where(side, 5, -5) + inputs @ [1.0, -2.0, 0.5] + rng.normal(0, 0.1, 200)
    model = Mixture(LinearRegression(), 2, random_state=0).fit(inputs, targets)
    drawing = plots.predictions(model, inputs, targets)
    predicted = np.stack([one.predict(inputs) for one in model.components_])
    np.testing.assert_allclose(drawing.means, predicted[model.labels_, np.arange(200)])
    drawing.plot()
    titles = [axes.get_title() for axes in plots.overview(model, inputs, targets).axes]
    assert titles[0] == "Targets and predictions"
    with pytest.raises(ValueError, match=r"use plots\.predictions for several"):
        plots.curves(model, inputs, targets)


def test_bands_of_processes_have_the_noise_that_bands_of_lines_have():
    rng = np.random.default_rng(0)
    inputs = np.sort(rng.uniform(0, 10, 400))
    targets = 2 * inputs + rng.normal(0, 1.5, 400)
    for family in (LinearRegression(), GaussianProcess()):
        model = Mixture(family, 1, random_state=0).fit(inputs[:, None], targets)
        drawing = plots.curves(model, inputs[:, None], targets)
        assert 1.35 < np.median(drawing.deviations) < 1.65


def test_one_column_is_a_histogram_with_density_curves():
    model = Mixture(n_components=2, random_state=0).fit(X[:, :1])
    drawing = plots.clusters(model, X[:, :1])
    area = sum(np.trapezoid(curve[:, 1], curve[:, 0]) for curve in drawing.outlines)
    np.testing.assert_allclose(area, 1, atol=0.05)
    drawing.plot()


def test_columns_of_a_mixed_table_are_drawn_in_their_own_units():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"income": np.append(rng.normal(1000, 50, 99), np.nan)})
    table["constant"] = 1
    table["debt"] = rng.normal(400, 10, 100)
    with pytest.warns(UserWarning, match="constant"):
        model = Mixture("auto", 2, random_state=0).fit(table)
    drawing = plots.clusters(model, table)
    assert drawing.axis_names == ("income", "debt")
    np.testing.assert_allclose(drawing.points[:99], table[["income", "debt"]][:99])
    drawing.plot()


def test_axes_of_categories_have_their_names():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"city": rng.choice(["Bath", "Ely", "York"], 90)})
    table["rating"] = rng.integers(1, 6, 90)
    model = Mixture("auto", 1, random_state=0).fit(table)
    axes = plots.clusters(model, table).plot()
    assert [text.get_text() for text in axes.get_xticklabels()] == ["Bath", "Ely", "York"]
    assert [text.get_text() for text in axes.get_yticklabels()] == list("12345")
    one = Mixture("auto", 1, random_state=0).fit(table[["rating"]])
    axes = plots.clusters(one, table[["rating"]]).plot()
    assert [text.get_text() for text in axes.get_xticklabels()] == list("12345")


@pytest.mark.parametrize("draw", [stats.norm(1000, 50), stats.gamma(2, scale=30), stats.poisson(9)])
def test_the_density_of_one_column_of_a_mixed_table_is_in_its_units(draw):
    table = pd.DataFrame({"amount": draw.rvs(500, random_state=0)})
    model = Mixture("auto", 1, random_state=0).fit(table)
    drawing = plots.clusters(model, table)
    (curve,) = drawing.outlines
    np.testing.assert_allclose(np.trapezoid(curve[:, 1], curve[:, 0]), 1, atol=0.05)
    drawing.plot()


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_a_family_without_an_ellipse_is_drawn_without_ellipses():
    rng = np.random.default_rng(0)
    points = rng.exponential(size=(100, 2))
    model = Mixture(Exponential(), 2, random_state=0).fit(points)
    assert plots.clusters(model, points).outlines == []


def test_trace_shows_score_temperature_and_phases():
    model = Mixture(n_components=4, init="random", random_state=0).fit(X)
    axes = plots.trace(model).plot()
    drawn = axes.lines[0].get_ydata()
    np.testing.assert_array_equal(drawn[~np.isnan(drawn)], model.history_.score)
    assert {text.get_text() for text in axes.texts if text.get_text()} == {"BEEM", "Moves", "EM"}


def test_lines_break_where_a_phase_begins():
    model = Mixture(n_components=4, init="random", random_state=0).fit(X)
    begins = np.flatnonzero(model.history_.iteration == 0)
    for axes in (plots.trace(model).plot(), plots.allocations(model).plot()):
        steps = axes.lines[0].get_xdata()
        before = steps[np.flatnonzero(np.isnan(steps)) - 1]
        np.testing.assert_array_equal(before, begins[1:] - 1)


@pytest.mark.parametrize("lengths", [(40, 3, 2), (2, 2, 2, 2, 2, 30), (1, 1, 1), (200, 1, 1, 1)])
def test_names_of_phases_do_not_collide(lengths):
    steps = [
        Step(f"Phase {place}", iteration, temperature=1.0, score=0.0, counts=np.array([5]))
        for place, length in enumerate(lengths)
        for iteration in range(length)
    ]
    axes = plots.Trace(History.of(steps)).plot()
    axes.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in axes.texts if text.get_text()]
    assert len(boxes) == len(lengths)
    for place, one in enumerate(boxes):
        assert not any(one.overlaps(other) for other in boxes[:place])
        assert not one.overlaps(axes.title.get_window_extent())


def test_allocations_show_a_line_per_component(model):
    axes = plots.allocations(model).plot()
    drawn = axes.lines[2].get_ydata()
    np.testing.assert_array_equal(drawn[~np.isnan(drawn)], model.history_.counts[:, 2])


def test_plots_draw_on_the_axes_they_are_given(model):
    _, axes = plt.subplots(1, 3)
    assert plots.clusters(model, X).plot(axes[0]) is axes[0]
    assert plots.trace(model).plot(axes[1]) is axes[1]
    assert plots.allocations(model).plot(axes[2]) is axes[2]


def test_the_overview_has_three_parts(model):
    titles = [axes.get_title() for axes in plots.overview(model, X).axes]
    assert titles[:3] == ["Clusters", "Training", "Allocations"]


def test_one_row_of_many_columns_can_be_drawn():
    points, _ = make_mixture(100, 2, 5, random_state=0)
    model = Mixture(n_components=2, random_state=0).fit(points)
    assert plots.clusters(model, points[:1]).points.shape == (1, 2)


def test_pairs_have_the_marginal_densities_and_ellipses_of_their_columns(model):
    drawing = plots.pairs(model, X)
    for column, curves in enumerate(drawing.densities):
        for k, component in enumerate(model.components_):
            scale = np.sqrt(component.scatter[column, column])
            expected = stats.t.pdf(curves[0], component.degrees, component.mean[column], scale)
            np.testing.assert_allclose(curves[k + 1], model.weights_[k] * expected, rtol=1e-9)
    cells = drawing.plot()
    outline = cells[1, 0].lines[1].get_xydata() - model.components_[0].mean
    precision = np.linalg.inv(model.components_[0].covariance_matrix)
    np.testing.assert_allclose(np.einsum("nd,de,ne->n", outline, precision, outline), 4)
    assert cells[0, 1] is None


def test_pairs_of_a_mixed_table_show_counts_categories_and_missing_values():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "size": np.append(rng.lognormal(size=99), np.nan),
            "visits": rng.poisson(3, 100),
            "city": np.where(rng.random(100) < 0.5, "York", "Bath"),
        }
    )
    model = Mixture("auto", 2, random_state=0).fit(table)
    drawing = plots.pairs(model, table)
    assert drawing.categories[2] == ("Bath", "York")
    np.testing.assert_allclose(drawing.densities[2][1:].sum(), 1)  # probabilities, not densities
    cells = drawing.plot()
    assert [text.get_text() for text in cells[2, 2].get_xticklabels()] == ["Bath", "York"]


def test_pairs_show_the_requested_columns_or_the_first_six():
    points, _ = make_mixture(200, 3, 8, random_state=0)
    frame = pd.DataFrame(points, columns=list("abcdefgh"))
    model = Mixture(n_components=3, random_state=0).fit(frame)
    assert plots.pairs(model, frame).names == tuple("abcdef")
    chosen = plots.pairs(model, frame, columns=["h", "b"])
    np.testing.assert_array_equal(chosen.values, points[:, [7, 1]])
    np.testing.assert_array_equal(chosen.means[0], model.components_[0].mean[[7, 1]])
    with pytest.raises(ValueError, match="columns names 'z', which X does not have"):
        plots.pairs(model, frame, columns=["z"])
    with pytest.raises(ValueError, match="columns is empty"):
        plots.pairs(model, frame, columns=[])


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_pairs_of_a_family_without_ellipses_show_only_points():
    points = np.random.default_rng(0).exponential(size=(60, 2))
    model = Mixture(Exponential(), 2, random_state=0).fit(points)
    drawing = plots.pairs(model, points)
    assert drawing.densities == (None, None)
    assert drawing.means is None
    drawing.plot()


def test_a_product_has_the_densities_of_its_parts():
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.lognormal(size=80), rng.poisson(4, 80)])
    model = Mixture(Product({0: LogNormal(), 1: Poisson()}), 1, random_state=0).fit(rows)
    counts = plots.pairs(model, rows).densities[1]
    rate = model.components_[0].parts[1].rate[0]
    np.testing.assert_allclose(counts[1], stats.poisson.pmf(counts[0], rate))


def test_uncertainty_is_one_minus_the_probability_of_the_best_component(model):
    drawing = plots.uncertainty(model, X)
    best = model.predict_proba(X).max(axis=1)
    np.testing.assert_array_equal(drawing.uncertainty, 1 - best)
    assert drawing.share_uncertain == np.mean(best < 0.9)
    areas = drawing.plot().collections[0].get_sizes()
    assert (np.diff(areas) >= 0).all()  # the least certain are drawn last, and largest


def test_the_uncertainty_of_one_column_is_drawn_against_it():
    model = Mixture(n_components=2, random_state=0).fit(X[:, :1])
    drawing = plots.uncertainty(model, X[:, :1])
    np.testing.assert_array_equal(drawing.points[:, 1], drawing.uncertainty)
    drawing.plot()


def test_the_uncertainty_of_curves_is_drawn_at_their_points():
    inputs, y, _ = make_data_association("crossing", random_state=0)
    inputs, y = inputs[::4], y[::4]
    model = Mixture(GaussianProcess(), 2, algorithm="beem", random_state=0).fit(inputs, y)
    drawing = plots.uncertainty(model, inputs, y)
    np.testing.assert_array_equal(drawing.points, np.column_stack([inputs, y]))
    assert len(drawing.plot().lines) == 2


def test_the_uncertainty_of_sequences_is_sorted():
    rng = np.random.default_rng(0)
    chains = [rng.normal(size=(8, 1)) for _ in range(20)]
    model = Mixture(HMM(2), 2, algorithm="em", random_state=0).fit(chains)
    axes = plots.uncertainty(model, chains).plot()
    for line in axes.lines[:-1]:
        assert (np.diff(line.get_ydata()) <= 0).all()


def names_of_lines(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_the_agreement_of_halves_is_drawn_with_its_spread_and_the_choice():
    model = Mixture(n_components=range(1, 6), random_state=0).fit(X)
    axes, (curve,) = plots.criteria(model).plot(), model.comparison_.agreement.values()
    names = names_of_lines(axes)
    assert "agreement of halves, 4 chosen" in names
    assert "needed, or one cluster" in names
    needed, drawn, ring = axes.lines
    np.testing.assert_array_equal(drawn.get_xdata(), [2, 3, 4, 5])
    np.testing.assert_array_equal(drawn.get_ydata(), curve.median[1:])
    np.testing.assert_array_equal(needed.get_ydata(), curve.least[1:])
    assert ring.get_xdata() == [4]
    bars = np.array(axes.collections[0].get_segments())[:, :, 1]
    np.testing.assert_allclose(bars[:, 0], curve.agreements[1:].min(axis=1))
    low, high = axes.get_ylim()
    assert low <= curve.agreements[1:].min()
    assert high < 1.1


def test_one_component_does_not_stretch_the_axis_of_a_criterion():
    model = Mixture(Gaussian(), range(1, 6), criterion="bic", random_state=0).fit(X)
    (_, high), values = model.comparison_.plot().get_ylim(), model.comparison_.to_frame().bic
    assert values[1] < high < values[0]


def test_criteria_of_one_family_are_three_lines():
    model = Mixture(Gaussian(), range(2, 6), criterion="effective_icl", random_state=0).fit(X)
    choice = plots.criteria(model)
    assert choice is plots.criteria(choice) is model.comparison_
    axes = choice.plot()
    assert names_of_lines(axes) == [
        "effective ICL, lowest at 4", "BIC, lowest at 4", "ICL, lowest at 4"
    ]  # fmt: skip
    drawn = axes.lines[2]
    np.testing.assert_array_equal(drawn.get_xdata(), [2, 3, 4, 5])
    np.testing.assert_array_equal(drawn.get_ydata(), [one.criterion("bic") for one in choice])


def test_criteria_of_many_families_have_names_beside_the_axes():
    families = [Gaussian(name) for name in ("EII", "VII", "EEI", "VEI", "EVI", "EEE")]
    choice = compare(X, families=families, n_components=range(3, 6), random_state=0)
    axes = choice.plot(criterion="bic")
    axes.figure.draw_without_rendering()
    assert axes.get_legend().get_window_extent().x0 > axes.get_window_extent().x1
    best = choice.best_candidate("bic")
    assert names_of_lines(axes)[0] == f"{best.family}, lowest at {best.n_components}"
    assert len(names_of_lines(axes)) == 6
    lines = [line for line in axes.lines if len(line.get_xdata()) > 1]
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 6
    low, high = axes.get_ylim()
    assert low < best.criterion("bic") < high


@pytest.mark.parametrize(
    ("draw", "sentence"),
    [
        (lambda: plots.pairs(Mixture(), X), "not fitted yet"),
        (lambda: plots.uncertainty(Mixture(), X), "not fitted yet"),
        (lambda: plots.criteria(Poisson()), "must be a comparison, or a fitted mixture"),
        (lambda: plots.criteria(Mixture(n_components="auto")), "must be a comparison"),
    ],
)
def test_plots_raise_for_data_they_cannot_draw(draw, sentence):
    with pytest.raises(ValueError, match=sentence):
        draw()


def test_curves_of_other_families_raise():
    class Residual(Family):
        observes = Regression

        def observe(self, X, y=None):
            return Regression.of(X, y)

        def fit(self, data, *, weights=None, rng=None):
            return Residual()

        def log_prob(self, data):
            return -0.5 * data.targets[:, 0] ** 2

    model = Mixture(Residual(), 1, random_state=0).fit(X[:, :1], X[:, 1])
    with pytest.raises(ValueError, match="Residual is not: let its describe return"):
        plots.curves(model, X[:, :1], X[:, 1])


def test_pairs_of_sequences_raise():
    model = Mixture(HMM(1), 1, algorithm="em", random_state=0).fit([X[:5], X[5:10]])
    with pytest.raises(ValueError, match=r"use plots\.sequences"):
        plots.pairs(model, [X[:5]])
