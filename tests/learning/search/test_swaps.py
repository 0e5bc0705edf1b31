"""Swaps exchange the observations of two curves after a cut if that is likelier."""

import numpy as np
import pytest

from boltzmix import CEM, Mixture, Swaps
from boltzmix.families import GaussianProcess
from boltzmix.metrics import purity_score


def crossing(seed=0, n=160):
    rng = np.random.default_rng(seed)
    X, labels = np.sort(rng.uniform(0, 10, n))[:, None], rng.integers(2, size=n)
    functions = np.column_stack([X[:, 0] - 5, 5 - X[:, 0]])
    return X, functions[np.arange(n), labels] + 0.1 * rng.normal(size=n), labels


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_swaps_correct_curves_that_are_exchanged_after_a_crossing(seed, soft):
    X, y, labels = crossing(seed)
    exchanged = np.where(X[:, 0] > 5, 1 - labels, labels)
    options = {"n_components": 2, "init": exchanged, "random_state": 0}
    without = Mixture(GaussianProcess(), algorithm=CEM(), **options).fit(X, y)
    model = Mixture(GaussianProcess(), algorithm=Swaps(soft=soft), **options).fit(X, y)
    assert purity_score(labels, without.labels_) < 0.7
    assert purity_score(labels, model.labels_) > 0.93
    assert model.lower_bound_ > without.lower_bound_


def test_swaps_correct_curves_that_are_exchanged_between_two_crossings():
    rng = np.random.default_rng(3)
    X, labels = np.sort(rng.uniform(0, 10, 200))[:, None], rng.integers(2, size=200)
    functions = np.column_stack([4 * np.cos(X[:, 0] * 0.6), -4 * np.cos(X[:, 0] * 0.6)])
    y = functions[np.arange(200), labels] + 0.1 * rng.normal(size=200)
    between = (X[:, 0] > 2.6) & (X[:, 0] < 7.85)
    exchanged = np.where(between, 1 - labels, labels)
    model = Mixture(GaussianProcess(), 2, algorithm=Swaps(), init=exchanged, random_state=0)
    assert purity_score(labels, model.fit(X, y).labels_) > 0.93
    swaps = [move for moves in model.history_.moves for move in moves]
    assert all(move.kind == "swap" and move.gain > 0 for move in swaps)
    assert {move.components for move in swaps} == {(0, 1)}


def test_swaps_raise_for_data_without_an_order():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.raises(ValueError, match="Swaps exchange observations along an order"):
        Mixture(n_components=2, algorithm=Swaps(), random_state=0).fit(X)
    with pytest.raises(ValueError, match="Swaps exchange observations along an order"):
        Mixture(GaussianProcess(), 2, algorithm=Swaps(), random_state=0).fit(X, X[:, 0])


@pytest.mark.parametrize("soft", [False, True])
def test_swaps_compared_on_a_subset_find_the_curves(soft):
    X, y, labels = crossing(1)
    exchanged = np.where(X[:, 0] > 5, 1 - labels, labels)
    model = Mixture(
        GaussianProcess(), 2, algorithm=Swaps(soft=soft, judged=60), init=exchanged, random_state=0
    ).fit(X, y)
    assert purity_score(labels, model.labels_) > 0.93


def test_no_swap_leaves_a_component_with_too_few_members():
    X, y, _ = crossing()
    model = Mixture(GaussianProcess(), 2, algorithm=Swaps(n_cuts=3), random_state=0).fit(X, y)
    assert (np.bincount(model.labels_, minlength=2) >= 2).all()


def test_invalid_settings_raise():
    with pytest.raises(ValueError, match="n_cuts must be a whole number of at least 1"):
        Swaps(n_cuts=0)
    with pytest.raises(ValueError, match="judged must be a whole number of at least 1"):
        Swaps(judged=0)
    with pytest.raises(ValueError, match="rounds must be a whole number of at least 1"):
        Swaps(rounds=0)
