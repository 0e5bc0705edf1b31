"""Gaussian processes in linear time equal the exact ones."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    ExpSineSquared,
    Kernel,
    Matern,
    RationalQuadratic,
)

from boltzmix.data import Regression
from boltzmix.families import GaussianProcess
from boltzmix.families.distributions.gaussian_process.gaussian_process_dense import DensePosterior
from boltzmix.families.distributions.gaussian_process.gaussian_process_inducing import (
    InducingPosterior,
)
from boltzmix.families.distributions.gaussian_process.gaussian_process_points import Points

SUMS_OF_WAVES = [
    ConstantKernel(1.3) * RBF(0.2),
    ConstantKernel(0.8) * RBF(1.5) + ConstantKernel(0.5),
    RBF(6.0) * RBF(2.0) + ConstantKernel(0.1) * RBF(0.5),
]
PERIODIC = [
    ConstantKernel(1.3) * ExpSineSquared(1.1, 4.0),
    ExpSineSquared(1.5, 6.0) + ConstantKernel(0.2) * RBF(3.0),
    ConstantKernel(0.7) * RBF(8.0) * ExpSineSquared(1.3, 7.0),
]
STATE_SPACES = [
    Matern(1.0, nu=0.5),
    ConstantKernel(1.5) * Matern(0.6, nu=1.5) + ConstantKernel(0.3),
    ConstantKernel(0.6) * Matern(2.0, nu=2.5) + ConstantKernel(0.2) * Matern(0.4, nu=0.5),
]
KERNELS = SUMS_OF_WAVES + PERIODIC + STATE_SPACES
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
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
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


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
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


def test_statistics_of_no_points_have_no_likelihood():
    data, weights = observations()
    process = both(SUMS_OF_WAVES[0], 0.05)[0].prepare(data, 1)
    statistics = process.joint_statistics(data)
    empty = statistics.summarise(0 * weights, np.array([0, 400]))
    np.testing.assert_allclose(statistics.log_marginals(empty), 0.0, atol=1e-12)


def test_inducing_inputs_that_determine_the_function_are_exact():
    rng = np.random.default_rng(0)
    X, weights = rng.uniform(0, 6, (400, 2)), rng.uniform(0.1, 2, 400)
    points = Points(X, np.sin(X.sum(axis=1, keepdims=True)), weights)
    kernel = ConstantKernel(1.2) * RBF([3.0, 2.0])
    quick = InducingPosterior(points, kernel, 0.1)
    exact = DensePosterior(points, kernel, 0.1)
    np.testing.assert_allclose(quick.log_marginal, exact.log_marginal, rtol=1e-6)
    for one, other in zip(quick.held_out(), exact.held_out(), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)
    elsewhere = rng.uniform(0, 6, (50, 2))
    for one, other in zip(quick.predict(elsewhere), exact.predict(elsewhere), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


@pytest.mark.parametrize(
    ("n_inputs", "kernel"), [(1, None), (1, Matern(nu=1.5)), (2, None), (1, RationalQuadratic())]
)
def test_many_points_are_fitted(n_inputs, kernel):
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 10, (3000, n_inputs))
    data = Regression.of(X, np.sin(X[:, 0]) + 0.1 * rng.normal(size=3000))
    fitted = GaussianProcess(kernel, learns_from=100).fit(data)
    assert not isinstance(fitted.posterior, DensePosterior)
    np.testing.assert_allclose(fitted.noise, 0.01, rtol=0.5)
    np.testing.assert_allclose(fitted.predict(X[:50]), np.sin(X[:50, 0]), atol=0.15)
    assert fitted.log_prob(data).mean() == pytest.approx(0.88, abs=0.1)
