"""Tracks follow curves along the input, from several starts that race."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RationalQuadratic

from boltzmix import CEM, EM, Mixture, Tracks
from boltzmix.datasets import make_data_association
from boltzmix.families import GaussianProcess
from boltzmix.metrics import purity_score


def waves(every):
    """Return some of the points of three waves that cross."""
    X, y, labels = make_data_association("waves", random_state=0)
    return X[::every], y[::every], labels[::every]


def test_three_waves_are_told_apart():
    X, y, labels = waves(every=1)
    model = Mixture(GaussianProcess(), 3, random_state=0).fit(X, y)
    assert model.history_.phases == ["Tracks", "EM"]
    assert purity_score(labels, model.labels_) > 0.85


@pytest.mark.slow
def test_results_are_equal_for_any_number_of_threads_and_order_of_rows():
    X, y, _ = waves(every=3)
    order = np.random.default_rng(0).permutation(len(y))
    quick = Tracks(windows=(6,), length=3, kept=1, soft=True)
    options = {"algorithm": quick, "random_state": 0}
    one, two = (
        Mixture(GaussianProcess(), 3, n_jobs=n_jobs, **options).fit(X, y) for n_jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.predict_proba(X, y), two.predict_proba(X, y))
    assert one.lower_bound_ == two.lower_bound_
    shuffled = Mixture(GaussianProcess(), 3, **options).fit(X[order], y[order])
    assert purity_score(one.labels_[order], shuffled.labels_) > 0.95


@pytest.mark.parametrize("soft", [False, True])
def test_families_without_additive_statistics_are_followed_too(soft):
    rng = np.random.default_rng(0)
    X, labels = np.linspace(0, 10, 80)[:, None], rng.integers(2, size=80)
    y = np.where(labels == 0, 1, -1) * (X[:, 0] - 4) + 0.1 * rng.normal(size=80)
    family = GaussianProcess(4.0 * RationalQuadratic(3.0), noise=0.1, n_steps=2)
    data = family.observe(X, y)
    assert family.prepare(data, 2).joint_statistics(data) is None
    algorithm = [Tracks(windows=(6,), length=3, kept=1, soft=soft), EM() if soft else CEM()]
    model = Mixture(family, 2, algorithm=algorithm, random_state=0).fit(X, y)
    assert purity_score(labels, model.labels_) > 0.9


def test_targets_in_the_plane_are_followed():
    X, y, labels = make_data_association("tracking", random_state=0)
    algorithm = [Tracks(windows=(8,), kept=1, soft=True), EM()]
    model = Mixture(GaussianProcess(), 3, algorithm=algorithm, random_state=0).fit(X, y)
    assert purity_score(labels, model.labels_) > 0.9


def test_known_labels_and_sample_weights_hold():
    X, y, labels = waves(every=2)
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 3, len(y))
    known = np.where(rng.random(len(y)) < 0.2, labels, -1)
    algorithm = [Tracks(windows=(6, 8), kept=1, soft=True), EM()]
    model = Mixture(GaussianProcess(), 3, algorithm=algorithm, random_state=0)
    model.fit(X, y, sample_weight=weights, labels=known)
    assert (model.labels_ == known)[known >= 0].all()
    assert (model.labels_ == labels).mean() > 0.7


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("n", [6, 9])
def test_few_points_and_equal_inputs_are_fitted(n):
    X, y = np.repeat([0.0, 1.0, 2.0], n // 3)[:, None], np.arange(n, dtype=float)
    model = Mixture(GaussianProcess(), 2, algorithm=[Tracks(soft=True), EM()], random_state=0)
    assert model.fit(X, y).labels_.shape == (n,)


def test_tracks_raise_for_data_without_an_order_and_for_invalid_settings():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.raises(ValueError, match="need inputs X of one column"):
        Mixture(GaussianProcess(), 2, algorithm=Tracks(soft=True), random_state=0).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="windows must be a tuple of whole numbers of at least 1"):
        Tracks(windows=(0,))
    with pytest.raises(ValueError, match="kept must be a whole number of at least 1"):
        Tracks(kept=0)
