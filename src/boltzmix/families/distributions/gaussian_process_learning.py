"""The hyper-parameters of a Gaussian process, learned by its marginal likelihood."""

from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from ...data import FloatArray
from .gaussian_process_posterior import Points, Posterior

NOISE_RANGE = (1e-6, 10.0)  # of learned noise, as multiples of the variance of the targets


def scaled_rbf(inputs: FloatArray, variance: float) -> Any:
    """Return an RBF kernel with the spread of inputs (n, p), scaled to a variance."""
    widths = np.ptp(inputs, axis=0) / 6
    widths[widths == 0] = 1.0
    lowest, highest = widths.min() / 100, widths.max() * 100
    return ConstantKernel(variance, (1e-4 * variance, 1e4 * variance)) * RBF(
        widths if len(widths) > 1 else widths[0], (lowest, highest)
    )


def maximise_marginal(
    kernel: Any, noise: float, points: Points, n_steps: int, noise_scale: float | None
) -> tuple[Any, float]:
    """Return kernel and noise after some steps of L-BFGS on the marginal likelihood.

    Parameters
    ----------
    kernel : scikit-learn kernel
    noise : float
        Variance of the noise.
    points : Points
    n_steps : int
    noise_scale : float, optional
        The variance of the targets, which sets the range of the noise. Without it, the noise is
        not learned.
    """
    learned = kernel.theta if noise_scale is None else np.append(kernel.theta, np.log(noise))
    if len(learned) == 0:
        return kernel, noise

    def at(point: FloatArray) -> tuple[Any, float]:
        if noise_scale is None:
            return kernel.clone_with_theta(point), noise
        return kernel.clone_with_theta(point[:-1]), float(np.exp(point[-1]))

    def loss(point: FloatArray) -> tuple[float, FloatArray]:
        value, slopes = log_marginal_with_slopes(*at(point), points)
        return -value, -slopes[: len(point)]

    bounds = _bounds(kernel, noise, noise_scale)
    found = minimize(
        loss, learned, jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": int(n_steps)},
    )  # fmt: skip
    return at(found.x)


def _bounds(kernel: Any, noise: float, noise_scale: float | None) -> Any:
    """Return the lower and upper bound of each hyper-parameter that is learned, as logarithms."""
    if noise_scale is None:
        return kernel.bounds
    lowest, highest = np.multiply(NOISE_RANGE, noise_scale)
    around = np.log([min(lowest, noise), max(highest, noise)])
    return np.vstack([kernel.bounds.reshape(-1, 2), around])


def log_marginal_with_slopes(kernel: Any, noise: float, points: Points) -> tuple[float, FloatArray]:
    """Return the log marginal likelihood, and its slopes along log hyper-parameters and noise."""
    covariance, changes = kernel(points.inputs, eval_gradient=True)
    posterior = Posterior.of(points, noise, covariance)
    m, weights = points.targets.shape[1], points.weights
    inner = posterior.loadings @ posterior.loadings.T - m * posterior.inverse
    slopes = 0.5 * np.einsum("ij,ijk->k", inner, changes)
    by_noise = 0.5 * (noise * (np.diagonal(inner) / weights).sum() - m * (weights - 1).sum())
    return posterior.log_marginal, np.append(slopes, by_noise)
