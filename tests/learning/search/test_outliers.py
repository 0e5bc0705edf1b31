"""Far outliers, and rotations of the columns, change no clusters of a mixture."""

import numpy as np
import pytest
from scipy.stats import ortho_group
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from boltzmix import Mixture
from boltzmix.datasets import make_mixture
from boltzmix.metrics import adjusted_rand_score


def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def points():
    X, y = make_mixture(1500, 8, 2, separation=4, random_state=3)
    return StandardScaler().fit_transform(X), y


def with_outliers(X, width, rng):
    """Add 2 % of rows, uniform in a box so many times as wide as the data."""
    middle, span = (X.max(axis=0) + X.min(axis=0)) / 2, np.ptp(X, axis=0)
    n = round(0.02 * len(X))
    return np.vstack([X, middle + width * span * rng.uniform(-0.5, 0.5, (n, X.shape[1]))])


@pytest.mark.slow
@pytest.mark.parametrize("width", [5, 20, 1000])
@pytest.mark.parametrize("make", [wine, points])
def test_two_percent_of_far_outliers_change_the_ari_by_little(make, width):
    X, y = make()
    k, differences = len(np.unique(y)), []
    for seed in range(5):
        clean = Mixture(n_components=k, random_state=seed).fit(X)
        more = with_outliers(X, width, np.random.default_rng(seed))
        dirty = Mixture(n_components=k, random_state=seed).fit(more)
        before, after = (
            adjusted_rand_score(y, model.labels_[: len(X)]) for model in (clean, dirty)
        )
        differences.append(after - before)
    assert np.abs(differences).max() <= 0.03


@pytest.mark.parametrize("seed", range(2))
def test_rotating_the_columns_of_wine_changes_no_label(seed):
    X, _ = wine()
    rotation = ortho_group.rvs(X.shape[1], random_state=seed)
    before, after = (
        Mixture(n_components=3, random_state=seed).fit_predict(rows) for rows in (X, X @ rotation)
    )
    assert adjusted_rand_score(before, after) == 1


def test_a_far_outlier_does_not_use_up_a_component():
    X, y = points()
    more = np.vstack([X, [[1e4, -1e4], [-3e4, 2e3]]])
    model = Mixture(n_components=8, random_state=0).fit(more)
    assert adjusted_rand_score(y, model.labels_[:-2]) > 0.9
    assert np.abs([one.mean for one in model.components_]).max() < 10
