"""Named algorithms, and the recipes of the default for each kind of data."""

import numpy as np
import pytest

from boltzmix import BEEM, CEM, DAEM, EM, SEM, Baseline, Mixture, Moves, Swaps, Tracks
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian, GaussianProcess, MarkovChain
from boltzmix.learning import AutoSettings, OnSample, WithPrior, as_recipes
from tests.unweighted import Unweighted

AUTO = AutoSettings()

POINTS, _ = make_mixture(60, 2, 2, random_state=0)
SEQUENCES = [np.random.default_rng(k).integers(3, size=(9, 1)) for k in range(20)]


def recipes(algorithm, family, X, y=None, noise=False):
    return as_recipes(algorithm, family, family.observe(X, y), noise)


@pytest.mark.parametrize(
    ("name", "recipe"),
    [("beem", BEEM()), ("em", EM()), ("daem", DAEM()), ("sem", SEM()), ("cem", CEM())],
)
def test_a_name_gives_the_same_fit_as_its_recipe(name, recipe):
    assert recipes(name, Gaussian(), POINTS) == (recipe,)
    one, two = (
        Mixture(n_components=2, algorithm=algorithm, random_state=0).fit(POINTS)
        for algorithm in (name, recipe)
    )
    np.testing.assert_array_equal(one.predict_proba(POINTS), two.predict_proba(POINTS))


def test_the_default_for_points_is_beem_moves_and_em():
    explore, moves, polish = recipes("auto", Gaussian(), POINTS)
    assert explore == OnSample(WithPrior(BEEM("auto", small="reseed")))
    assert moves == OnSample(WithPrior(Moves()))
    assert polish == EM(AUTO.polish_tolerance, extra_step=False)


def test_sequences_are_always_compared_with_the_baseline():
    _, moves, _ = recipes("auto", MarkovChain(), SEQUENCES)
    assert moves == OnSample(WithPrior(Moves(always_compare=True)))


def test_the_default_tries_fewer_moves_without_statistics_and_ends_with_cem_without_weights():
    _, search, polish = recipes("auto", Unweighted(), POINTS)
    moves = search.recipe.recipe
    assert moves.tries == AUTO.costly_tries < AUTO.tries
    assert moves.always_compare
    assert not moves.soft
    assert polish == CEM()


def test_the_default_for_curves_of_one_input_is_tracks_on_a_sample_and_em():
    x, y = POINTS[:, :1], POINTS[:, 1]
    tracks, end = recipes("auto", GaussianProcess(), x, y)
    assert tracks == OnSample(Tracks(soft=True), AUTO.curve_points)
    assert end == EM(AUTO.polish_tolerance, extra_step=False)
    explore, swaps, _ = recipes("auto", GaussianProcess(), x, y, noise=True)
    assert explore.recipe.frozen
    assert swaps.recipe == Swaps(soft=True)


def test_the_default_for_curves_of_two_inputs_is_beem_and_the_baseline_unless_noise_is_fitted():
    y = POINTS[:, 1]
    explore, end, polish = recipes("auto", GaussianProcess(), POINTS, y)
    assert explore.recipe.frozen
    assert end.recipe == Baseline()
    assert polish == EM(AUTO.polish_tolerance, extra_step=False)
    assert len(recipes("auto", GaussianProcess(), POINTS, y, noise=True)) == 2


def test_a_list_may_mix_names_and_recipes():
    assert recipes(["beem", EM(1e-6)], Gaussian(), POINTS) == (BEEM(), EM(1e-6))


@pytest.mark.parametrize("algorithm", ["best", 3, [], [EM(), "best"]])
def test_unknown_algorithms_raise(algorithm):
    with pytest.raises(ValueError, match="algorithm must be one of 'auto', 'beem', 'em'"):
        recipes(algorithm, Gaussian(), POINTS)
