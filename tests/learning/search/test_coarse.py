"""Where there are many columns, a few principal ones are searched."""

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import LazyTable, Table
from boltzmix.families import Gaussian
from boltzmix.learning.search.coarse import principal_columns
from boltzmix.metrics import adjusted_rand_score


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("n", [20, 50, 200])
@pytest.mark.parametrize("d", [65, 150])
def test_two_far_clusters_are_found_however_few_rows_there_are(n, d):
    rng, y = np.random.default_rng(n + d), np.arange(n) % 2
    X = rng.normal(size=(n, d)) + 5.0 * y[:, None]
    model = Mixture(n_components=2, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1
    assert {move.kind for step in model.history_.moves for move in step} == {"coarse"}


def test_clusters_apart_in_some_of_many_correlated_columns_are_found():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        y = rng.integers(5, size=600)
        centres = np.zeros((5, 100))
        centres[:, :10] = 4 * rng.normal(size=(5, 10))
        mixing = rng.normal(size=(100, 100)) / 10 + np.eye(100)
        X = (centres[y] + rng.normal(size=(600, 100))) @ mixing
        model = Mixture(n_components=5, random_state=seed).fit(X)
        assert adjusted_rand_score(y, model.labels_) > 0.95


def test_principal_columns_have_the_largest_variances():
    rows = np.random.default_rng(0).normal(size=(200, 80)) @ np.diag(np.arange(1.0, 81))
    rows[:, 1] = rows[:, 0]
    found = principal_columns(Table.of(rows), 5)
    scaled = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    expected = np.linalg.svd(scaled, compute_uv=False)[:5]
    np.testing.assert_allclose(np.linalg.norm(found, axis=0), expected)
    assert principal_columns(Table.of(rows[:4]), 5).shape == (4, 3)


def test_rows_that_are_not_in_memory_are_searched_alike():
    rng, y = np.random.default_rng(0), np.arange(300) % 2
    X = rng.normal(size=(300, 70)) + 5.0 * y[:, None]
    rows = LazyTable(lambda start, stop: X[start:stop], X.shape)
    model = Mixture(n_components=2, random_state=0).fit(rows)
    assert model.lower_bound_ == Mixture(n_components=2, random_state=0).fit(X).lower_bound_
    assert adjusted_rand_score(y, model.labels_) == 1


def test_independent_columns_are_searched_as_they_are():
    rng, y = np.random.default_rng(0), np.arange(200) % 2
    X = rng.normal(size=(200, 70)) + 5.0 * y[:, None]
    model = Mixture(Gaussian("diag"), 2, random_state=0).fit(X)
    assert "Coarse" not in model.history_.phases
    assert adjusted_rand_score(y, model.labels_) == 1
