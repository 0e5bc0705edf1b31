"""Gaussian processes in linear time equal the exact ones."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Kernel

from boltzmix.data import Regression
from boltzmix.families import GaussianProcess

SUMS_OF_WAVES = [
    ConstantKernel(1.3) * RBF(0.2),
    ConstantKernel(0.8) * RBF(1.5) + ConstantKernel(0.5),
    RBF(6.0) * RBF(2.0) + ConstantKernel(0.1) * RBF(0.5),
]
NOISES = (1e-3, 0.05, 1.0)


class Dense(Kernel):
    """A kernel that only the exact path knows, as it hides what it consists of."""

    def __init__(self, kernel):
        self.kernel = kernel

    @property
    def hyperparameters(self):
        return self.kernel.hyperparameters

    @property
    def theta(self):
        return self.kernel.theta

    @property
    def bounds(self):
        return self.kernel.bounds

    def clone_with_theta(self, theta):
        return Dense(self.kernel.clone_with_theta(theta))

    def __call__(self, X, Y=None, eval_gradient=False):
        return self.kernel(X, Y, eval_gradient)

    def diag(self, X):
        return self.kernel.diag(X)

    def is_stationary(self):
        return True


def observations(n=400, n_targets=2, seed=0):
    """Points at irregular inputs, some of which are equal, with weights."""
    rng = np.random.default_rng(seed)
    X = 3 + 10 * rng.beta(0.7, 1.5, size=(n, 1))
    X[:20] = X[20:40]
    y = np.sin(X + np.arange(n_targets)) + 0.2 * rng.normal(size=(n, n_targets))
    return Regression.of(X, y), rng.uniform(0.01, 2, n)


def both(kernel, noise, **more):
    """Return a process in linear time, and the same by the covariance of its points."""
    options = {"noise": noise, "offset": np.zeros(2), "n_steps": 0, **more}
    return GaussianProcess(kernel, **options), GaussianProcess(Dense(kernel), **options)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("kernel", SUMS_OF_WAVES, ids=str)
def test_densities_and_predictions_are_the_exact_ones(kernel, noise):
    data, weights = observations()
    quick, exact = (process.fit(data, weights=weights) for process in both(kernel, noise))
    assert type(quick.posterior) is not type(exact.posterior)
    np.testing.assert_allclose(
        quick.log_marginal(data, weights), exact.log_marginal(data, weights), rtol=1e-9
    )
    np.testing.assert_allclose(quick.log_prob(data), exact.log_prob(data), atol=1e-6)
    grid = np.linspace(-60, 80, 300)[:, None]
    means, deviations = quick.predict(grid, return_std=True)
    expected, their_deviations = exact.predict(grid, return_std=True)
    np.testing.assert_allclose(means, expected, atol=1e-6)
    np.testing.assert_allclose(deviations, their_deviations, atol=1e-6)


@pytest.mark.parametrize("kernel", SUMS_OF_WAVES, ids=str)
def test_the_same_hyper_parameters_are_learned(kernel):
    data, weights = observations()
    quick, exact = (
        process.prepare(data, 1).fit(data, weights=weights)
        for process in both(kernel, 0.1, n_steps=3)
    )
    np.testing.assert_allclose(quick.kernel.theta, exact.kernel.theta, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(quick.noise, exact.noise, rtol=1e-5)


def test_joint_likelihoods_of_subsets_follow_from_sums_of_statistics():
    data, weights = observations()
    process = both(SUMS_OF_WAVES[1], 0.05)[0].prepare(data, 1)
    statistics = process.joint_statistics(data)
    stretches = statistics.summarise(weights, np.array([0, 150, 210, 400]))
    together = stretches[0] + stretches[2]
    left = stretches.sum(axis=0) - stretches[1]
    some = np.r_[0:150, 210:400]
    expected = process.log_marginal(data.take(some), weights[some])
    np.testing.assert_allclose(
        statistics.log_marginals(np.array([together, left])), expected, rtol=1e-9
    )
    assert both(SUMS_OF_WAVES[1], 0.05)[1].joint_statistics(data) is None
