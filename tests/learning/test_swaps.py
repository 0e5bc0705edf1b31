"""Swaps: what two curves have beyond a cut is exchanged, if that is likelier."""

import numpy as np
import pytest

from boltzmix import CEM, Mixture, Swaps
from boltzmix.families import GaussianProcess
from boltzmix.learning import swaps
from boltzmix.learning.swaps import Swap
from boltzmix.metrics import purity_score


def crossing(seed=0, n=160):
    rng = np.random.default_rng(seed)
    X, labels = np.sort(rng.uniform(0, 10, n))[:, None], rng.integers(2, size=n)
    functions = np.column_stack([X[:, 0] - 5, 5 - X[:, 0]])
    return X, functions[np.arange(n), labels] + 0.1 * rng.normal(size=n), labels


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_exchanged_partners_are_put_right(seed, soft):
    X, y, labels = crossing(seed)
    exchanged = np.where(X[:, 0] > 5, 1 - labels, labels)
    options = {"n_components": 2, "init": exchanged, "random_state": 0}
    without = Mixture(GaussianProcess(), algorithm=CEM(), **options).fit(X, y)
    model = Mixture(GaussianProcess(), algorithm=Swaps(soft=soft), **options).fit(X, y)
    assert purity_score(labels, without.labels_) < 0.7
    assert purity_score(labels, model.labels_) > 0.93
    assert model.lower_bound_ > without.lower_bound_


def test_stretches_are_all_tails_and_all_pieces_between_cuts():
    positions = np.arange(40.0)
    margins = np.abs(positions[:, None] - [8, 20, 31]).min(axis=1)
    swap = Swap(3, soft=False)
    a, b, c = (int(cut) for cut in sorted(swap._cuts(positions, margins)))
    assert max(abs(a - 8), abs(b - 20), abs(c - 31)) <= 4
    stretches = {tuple(np.flatnonzero(one)) for one in swap._stretches(positions, margins)}
    expected = {tuple(range(low + 1, 40)) for low in (a, b, c)}
    expected |= {tuple(range(low + 1, high + 1)) for low, high in ((a, b), (a, c), (b, c))}
    assert stretches == expected


def test_swaps_need_an_order():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.raises(ValueError, match="Swaps exchange observations along an order"):
        Mixture(n_components=2, algorithm=Swaps(), random_state=0).fit(X)
    with pytest.raises(ValueError, match="Swaps exchange observations along an order"):
        Mixture(GaussianProcess(), 2, algorithm=Swaps(), random_state=0).fit(X, X[:, 0])


@pytest.mark.parametrize("soft", [False, True])
def test_some_observations_are_enough_to_judge_by(soft, monkeypatch):
    monkeypatch.setattr(swaps, "JUDGED", 60)
    X, y, labels = crossing(1)
    exchanged = np.where(X[:, 0] > 5, 1 - labels, labels)
    model = Mixture(
        GaussianProcess(), 2, algorithm=Swaps(soft=soft), init=exchanged, random_state=0
    ).fit(X, y)
    assert purity_score(labels, model.labels_) > 0.93


def test_no_exchange_leaves_a_component_with_too_few():
    X, y, _ = crossing()
    model = Mixture(GaussianProcess(), 2, algorithm=Swaps(n_cuts=3), random_state=0).fit(X, y)
    assert (np.bincount(model.labels_, minlength=2) >= 2).all()


def test_settings_are_checked():
    with pytest.raises(ValueError, match="n_cuts must be a whole number of at least 1"):
        Swaps(n_cuts=0)
    with pytest.raises(ValueError, match="rounds must be a whole number of at least 1"):
        Swaps(rounds=0)
