"""Clear clusters end the search at once; a component that holds two clusters does not."""

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.datasets import make_mixture
from boltzmix.families import Bernoulli, Gaussian
from boltzmix.learning import EM, AutoSettings
from boltzmix.learning.engine.state import MixtureState
from boltzmix.learning.engine.training_data import TrainingData
from boltzmix.learning.search.moves.clear_cut import is_clear_cut
from boltzmix.learning.search.moves.pricing import EvaluatedMixture
from boltzmix.metrics import adjusted_rand_score


def state_of(X, labels):
    model = Mixture(Gaussian(), len(np.unique(labels)), algorithm=EM(), init=labels).fit(X)
    bank = model.components_[0].bank(model.components_)
    return MixtureState(bank, model.weights_), TrainingData(Table.of(X)), AutoSettings()


@pytest.mark.parametrize("d", [5, 20])
@pytest.mark.parametrize("seed", range(5))
def test_far_clusters_are_clear_and_merged_ones_are_not(d, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(5, size=1000)
    X = 9.0 * np.eye(5, d)[y] * (1 + y[:, None]) + rng.normal(size=(1000, d))
    assert is_clear_cut(EvaluatedMixture.of(*state_of(X, y)))
    merged = np.where(y == 4, 3, y)
    assert not is_clear_cut(EvaluatedMixture.of(*state_of(X, merged)))


@pytest.mark.parametrize("fraction", [0.05, 0.2, 0.5])
def test_small_clusters_within_a_component_are_seen(fraction):
    rng = np.random.default_rng(0)
    inside = rng.random(600) < fraction
    X = rng.normal(size=(1200, 4))
    X[:600, 0] += 12 * inside
    X[600:, 1] += 40
    assert not is_clear_cut(EvaluatedMixture.of(*state_of(X, np.repeat([0, 1], 600))))


def test_overlapping_clusters_are_not_clear():
    X, y = make_mixture(600, 4, 2, separation=2, random_state=0)
    assert not is_clear_cut(EvaluatedMixture.of(*state_of(X, np.asarray(y))))


@pytest.mark.parametrize("d", [20, 80])
def test_far_clusters_in_many_columns_are_found_in_few_iterations(d):
    rng = np.random.default_rng(d)
    centres = 6.0 * np.stack([rng.permutation(5) for _ in range(d)], axis=1)
    y = rng.integers(5, size=600)
    X = centres[y] + rng.normal(size=(600, d))
    model = Mixture(n_components=5, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1
    assert model.n_iter_ < 60


def test_clusters_without_any_spread_are_clear():
    X = np.repeat([[0, 0, 0], [1, 1, 1]], 40, axis=0)
    labels = Mixture(Bernoulli(), 2, random_state=0).fit_predict(X)
    assert len(set(labels[:40])) == len(set(labels[40:])) == 1
