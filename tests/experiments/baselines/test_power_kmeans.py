import numpy as np
import pytest
from sklearn.cluster import KMeans

from boltzmix.datasets import make_rainbow, make_square
from experiments.baselines import PowerKMeans


def power_mean_objective(points, centres, s):
    squared = ((points[:, None, :] - centres) ** 2).sum(axis=2)
    return ((squared**s).mean(axis=1) ** (1 / s)).sum()


@pytest.mark.parametrize("s", [-0.5, -1.0, -3.0, -9.0])
def test_an_iteration_never_raises_the_power_mean_objective(s):
    for seed in range(5):
        points = np.random.default_rng(seed).normal(size=(50, 2))
        nearly_constant = 1 + 1e-15  # so that all iterations have the same objective
        objectives = [
            power_mean_objective(points, model.fit(points).cluster_centers_, s)
            for model in (
                PowerKMeans(4, s0=s, growth=nearly_constant, max_iter=n, random_state=seed)
                for n in range(1, 6)
            )
        ]
        assert (np.diff(objectives) <= 1e-12 * objectives[0]).all()
        assert objectives[-1] < objectives[0]


def test_the_result_is_a_fixed_point_of_lloyds_algorithm():
    X, _ = make_rainbow(random_state=0)
    model = PowerKMeans(8, random_state=0).fit(X)
    lloyd = KMeans(8, init=model.cluster_centers_, n_init=1).fit(X)
    np.testing.assert_allclose(model.cluster_centers_, lloyd.cluster_centers_, atol=1e-2)


def test_the_inertia_is_hardly_ever_above_that_of_lloyd_from_random_points():
    wins = 0
    for seed in range(20):
        X, _ = make_square((50, 50, 50, 50), random_state=seed)
        plain = KMeans(4, init="random", n_init=1, random_state=seed).fit(X)
        ours = PowerKMeans(4, random_state=seed).fit(X)
        inertia = ((X - ours.cluster_centers_[ours.labels_]) ** 2).sum()
        wins += inertia <= plain.inertia_ * 1.001
    assert wins >= 18


def test_bad_arguments_raise():
    X, _ = make_square(random_state=0)
    with pytest.raises(ValueError, match="s0 must be below 0"):
        PowerKMeans(4, s0=1).fit(X)
    with pytest.raises(ValueError, match="growth must be above 1"):
        PowerKMeans(4, growth=1).fit(X)
    with pytest.raises(ValueError, match="more than the 210 points"):
        PowerKMeans(1000).fit(X)
