"""The agreement of halves, and the number of components that it chooses."""

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.datasets import make_mixture, make_square
from boltzmix.learning import AgreementCurve, HalfFits
from boltzmix.learning.search.agreement import LARGEST_TOLERANCE, LEAST_PRICE, PRICE_OF_SHAPE


def curve_of(numbers, agreements, held_out, n_observations=100, **options):
    """Return a curve of four splits that are all alike."""
    splits = np.repeat(np.array(agreements, dtype=float)[:, None], 4, axis=1)
    likelihoods = np.tile(np.array(held_out, dtype=float)[:, None, None], (1, 4, 2))
    return AgreementCurve(
        np.array(numbers),
        splits,
        likelihoods,
        n_observations,
        held_out_of_fewest=held_out[0],
        **options,
    )


def test_without_disagreement_the_held_out_likelihood_chooses():
    curve = curve_of([1, 2, 3, 4], [1, 1, 1, 1], [-5.0, -4.0, -3.99, -4.0])
    np.testing.assert_allclose(curve.scores, curve.mean_held_out + 5.0)
    assert curve.chosen == 3


def test_components_that_halves_disagree_on_must_pay():
    numbers, held_out = [1, 2, 4, 8], [-5.0, -4.0, -3.5, -3.1]
    agree = curve_of(numbers, [1, 0.99, 0.99, 0.3], held_out)
    disagree = curve_of(numbers, [1, 0.99, 0.8, 0.3], held_out)
    assert (agree.chosen, disagree.chosen) == (4, 2)
    # the likelihood rises by 0.4 for the doubling from the last plausible number, 4, to 8
    price = PRICE_OF_SHAPE * 0.4 * 2 * ((1 - 0.8) / LARGEST_TOLERANCE) ** 2
    np.testing.assert_allclose(disagree.scores[2], 1.5 - price)


@pytest.mark.parametrize(("of_four", "chosen"), [(-3.5, 4), (-3.9, 2)])
def test_the_likelihood_must_rise_by_more_than_a_little(of_four, chosen):
    # it rises no more beyond 4, so that the steepest rise, of 1, sets the price
    curve = curve_of([1, 2, 4, 8], [1, 0.99, 0.8, 0.3], [-5.0, -4.0, of_four, -4.1])
    assert curve.chosen == chosen
    price = LEAST_PRICE * 2 * ((1 - 0.8) / LARGEST_TOLERANCE) ** 2
    np.testing.assert_allclose(curve.scores[2], of_four + 5.0 - price)


def test_numbers_at_the_variance_floor_are_not_chosen():
    numbers, held_out = [1, 2, 4], [-5.0, -4.0, -3.0]
    assert curve_of(numbers, [1, 0.99, 0.99], held_out).chosen == 4
    at_floor = np.array([False, False, True])
    assert curve_of(numbers, [1, 0.99, 0.99], held_out, degenerate=at_floor).chosen == 2


@pytest.mark.parametrize(("own", "chosen"), [(0.79, 1), (0.81, 2)])
def test_halves_of_one_population_agree_little(own, chosen):
    assert curve_of([1, 2, 3], [1, own, 0.3], [-5.0, -4.0, -3.0]).chosen == chosen


@pytest.mark.parametrize(("n", "chosen"), [(200, 4), (2000, 2)])
def test_many_observations_must_agree_more(n, chosen):
    curve = curve_of([1, 2, 4], [1, 0.99, 0.85], [-5.0, -4.0, -3.0], n)
    by_chance = 2 * np.sqrt(np.array([1, 2, 4]) / n)
    np.testing.assert_allclose(curve.tolerance, np.minimum(by_chance, LARGEST_TOLERANCE))
    assert curve.chosen == chosen


def test_one_split_in_which_a_half_misses_a_cluster_does_not_count():
    agreements = np.array([[1, 1, 1, 1], [0.5, 0.95, 0.96, 0.97]])
    curve = AgreementCurve(np.array([1, 2]), agreements, np.zeros((2, 4, 2)), 100)
    np.testing.assert_allclose(curve.median, [1, 0.955])


def test_a_curve_without_one_component_compares_with_it():
    X, _ = make_square((50, 50, 50, 50), random_state=0)
    model = Mixture(n_components=range(2, 7), random_state=0).fit(X)
    [curve] = model.comparison_.agreement.values()
    assert curve.fewest == 1
    assert curve.numbers.tolist() == [2, 3, 4, 5, 6]
    assert curve.held_out_of_fewest < curve.mean_held_out.min()
    assert model.n_components_ == 4


def test_fits_of_alike_halves_agree_wholly():
    one = np.eye(3)[np.arange(30) % 3]
    fits = HalfFits(3, np.array([[one, one[:, ::-1]]]), np.zeros((1, 2)), np.ones(30), np.zeros(1))
    np.testing.assert_allclose(fits.agreements, 1.0)
    np.testing.assert_allclose(fits.by_component(one), 1.0)


@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=pytest.mark.slow) for s in (1, 2))])
def test_many_clusters_are_found(seed):
    X, _ = make_mixture(1200, 12, separation=5.0, random_state=seed)
    assert Mixture(n_components="auto", random_state=seed).fit(X).n_components_ == 12
