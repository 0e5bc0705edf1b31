"""`HMM()` lets the data choose states, topology and emission."""

import numpy as np
import pytest

from boltzmix import Mixture, Sequences, load
from boltzmix.datasets import make_random_hmms
from boltzmix.families import HMM, Categorical, Gaussian, Poisson
from boltzmix.metrics import adjusted_rand_score


def draw_shapes(n=40, noise=0.1, seed=0):
    """Draw curves of two shapes with different lengths, shapes (T, 1)."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    shapes = (np.sin, lambda x: np.sign(np.sin(x)) * np.abs(np.sin(x)) ** 3)
    curves = []
    for label in labels:
        places = np.linspace(0, 2 * np.pi, rng.integers(30, 50))
        curves.append((shapes[label](places) + rng.normal(0, noise, len(places)))[:, None])
    return curves, labels


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_states_of_simulated_chains_are_found(seed):
    X, _ = make_random_hmms(random_state=seed)  # 3 chains of 4 states
    chosen = HMM().prepare(Sequences.of(X), 3)
    assert (chosen.n_states, chosen.topology) == (4, "ergodic")


def test_curves_with_a_beginning_and_an_end_get_states_in_order_and_are_told_apart():
    X, labels = draw_shapes()
    model = Mixture(HMM(), 2, random_state=0).fit(X)
    assert model.components_[0].topology == "left-right"
    assert adjusted_rand_score(labels, model.labels_) > 0.9


def test_steps_without_any_order_get_one_state():
    rng = np.random.default_rng(0)
    chosen = HMM().prepare(Sequences.of(list(rng.normal(size=(30, 40, 2)))), 1)
    assert chosen.n_states == 1


def test_what_is_given_stays():
    X, _ = draw_shapes()
    data = Sequences.of(X)
    assert HMM(3).prepare(data, 2).topology == "ergodic"
    assert HMM(topology="left-right").prepare(data, 2).topology == "left-right"
    tied = HMM(emission=Gaussian("tied")).prepare(data, 2)
    assert tied.emission.covariance == "tied"
    assert HMM(3).emission.covariance == "diag"


@pytest.mark.parametrize(
    ("emission", "values"),
    [(Categorical(), [[0, 1, 2], [3, 4, 5]]), (Poisson(), [[0, 5, 20], [1, 8, 40]])],
)
def test_other_emissions_have_their_states_chosen(emission, values):
    rng = np.random.default_rng(0)
    X = [np.repeat(rng.choice(values[i % 2], 6), 5)[:, None] for i in range(20)]
    model = Mixture(HMM(emission=emission), 2, random_state=0).fit(X)
    assert model.components_[0].n_states >= 2
    assert np.isfinite(model.score(X))


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("lengths", [[1] * 12, [1, 2, 9, 30], [3] * 5])
def test_short_sequences_are_fitted(lengths):
    rng = np.random.default_rng(0)
    X = [rng.normal(size=(length, 1)) for length in lengths]
    model = Mixture(HMM(), 2, random_state=0).fit(X)
    assert np.isfinite(model.score(X))


def test_a_mask_needs_a_number_of_states():
    with pytest.raises(ValueError, match="give n_states, too"):
        HMM(topology=np.ones((2, 2), dtype=bool))


def test_a_chosen_chain_is_shown_and_saved(tmp_path):
    assert repr(HMM()) == "HMM()"
    X, _ = draw_shapes(n=12)
    model = Mixture(HMM(), 2, random_state=0).fit(X)
    model.save(tmp_path / "model.boltzmix")
    again = load(tmp_path / "model.boltzmix")
    assert again.components_[0].n_states == model.components_[0].n_states
    np.testing.assert_array_equal(again.predict(X), model.labels_)


def test_shapes_depend_neither_on_units_nor_on_how_often_a_curve_is_measured():
    places = [np.linspace(0, 1, size)[:, None] for size in (20, 77)]
    shapes = Sequences.of([places[0], places[1], 1 - places[0]]).as_shapes()
    np.testing.assert_allclose(shapes[0], shapes[1], atol=1e-9)
    scaled = Sequences.of([3 * places[0], 3 * places[1], 3 - 3 * places[0]]).as_shapes()
    np.testing.assert_allclose(scaled, shapes, atol=1e-9)


def chosen(family):
    return family.n_states, family.topology, family.emission.covariance


def test_the_fits_of_the_choice_are_seen_as_trials():
    X, _ = draw_shapes(n=12)
    seen = []
    model = Mixture(HMM(), 2, random_state=0, verbose=seen.append).fit(X)
    fits = [one for one in model.history_.trials if one.moves[0].kind == "choose"]
    assert model.history_.trials[: len(fits)] == tuple(fits)
    assert len(fits) >= 12  # of six candidates, and two clusters
    assert {(one.recipe, len(one), one.after) for one in fits} == {("EM", 6, 0)}
    assert all(one.score[-1] >= one.score[0] for one in fits)
    n_seen = sum(state.step.trial[:1] == fits[0].moves for state in seen)
    assert n_seen == sum(map(len, fits))


@pytest.mark.parametrize("n_components", [1, 3])
def test_the_choice_is_the_same_alone_and_in_a_mixture_with_any_number_of_threads(n_components):
    X, _ = make_random_hmms(random_state=1)
    alone = HMM().prepare(Sequences.of(X), n_components)
    models = [
        Mixture(HMM(), n_components, n_jobs=n_jobs, random_state=0).fit(X) for n_jobs in (1, 2)
    ]
    assert {chosen(one.components_[0]) for one in models} == {chosen(alone)}
    scores = [[trial.score for trial in one.history_.trials] for one in models]
    for one, other in zip(*scores, strict=True):
        np.testing.assert_array_equal(one, other)


def interrupted_after(n_states):
    """Return a function for `verbose` that ends a fit at a state of the choice."""
    left = [n_states]

    def watch(state):
        left[0] -= 1
        if left[0] == 0:
            assert state.step.trial[0].kind == "choose"
            raise InterruptedError

    return watch


@pytest.mark.parametrize("n_states", [1, 8, 30])
def test_a_choice_that_was_interrupted_goes_on_to_the_same_bits(tmp_path, n_states):
    X, _ = draw_shapes(n=12)
    settings = {"random_state": 0, "checkpoint": tmp_path / "fit.bmix"}
    whole = Mixture(HMM(), 2, random_state=0).fit(X)
    with pytest.raises(InterruptedError):
        Mixture(HMM(), 2, verbose=interrupted_after(n_states), **settings).fit(X)
    again = Mixture(HMM(), 2, **settings).fit(X)
    np.testing.assert_array_equal(again.component_labels_, whole.component_labels_)
    assert again.lower_bound_ == whole.lower_bound_
    for one, other in zip(again.history_.trials, whole.history_.trials, strict=True):
        assert one.moves == other.moves
        np.testing.assert_array_equal(one.score, other.score)
