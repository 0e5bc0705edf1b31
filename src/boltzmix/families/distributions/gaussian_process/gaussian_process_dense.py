"""The posterior of a function from a Gaussian process: its contract, and the exact one."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.linalg.lapack import dpotri
from sklearn.gaussian_process.kernels import Kernel

from ....data import FloatArray
from ...shared.constants import LOG_2_PI
from .gaussian_process_points import Points


@dataclass(frozen=True, eq=False)
class Posterior(ABC):
    """The posterior of a function, given points and hyper-parameters.

    Parameters
    ----------
    points : Points
        The points from which the function is learned.
    kernel : scikit-learn kernel
    noise : float
        Variance of the noise of a point with weight one.
    """

    points: Points
    kernel: Kernel
    noise: float

    @property
    @abstractmethod
    def log_marginal(self) -> float:
        """Log density of all targets together."""

    @abstractmethod
    def held_out(self) -> tuple[FloatArray, FloatArray]:
        """Return each target less its mean given the *other* points, (n, m), and its variance (n,).

        The variance is that of a target of weight one.
        """

    @abstractmethod
    def predict(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return means (n, m), offset excluded, and variances (n,) of the function at inputs."""


def log_normal(apart: FloatArray, variances: FloatArray) -> FloatArray:
    """Return the log density of rows (n, m) that are `apart` from the mean, shape (n,)."""
    m = apart.shape[1]
    return -0.5 * ((apart**2).sum(axis=1) / variances + m * (np.log(variances) + LOG_2_PI))


def held_out(
    points: Points, noise: float, loadings: FloatArray, precisions: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return each target less its mean given the others, and its variance with weight one.

    Parameters
    ----------
    points : Points
    noise : float
    loadings : array, shape (n, m)
        Inverse covariance times targets.
    precisions : array, shape (n,)
        Diagonal of the inverse covariance.
    """
    variances = 1 / precisions + noise * (1 - 1 / points.weights)
    return loadings / precisions[:, None], np.maximum(variances, noise)


JITTERS = (0.0, 1e-10, 1e-8, 1e-6, 1e-4)  # times the diagonal, added until factorisation succeeds


@dataclass(frozen=True, eq=False)
class DensePosterior(Posterior):
    """The posterior of a function, given points, by the covariance of all of them.

    It takes a time cubic in the number of points, and quadratic memory.

    Parameters
    ----------
    points : Points
    kernel : scikit-learn kernel
    noise : float
        Variance of the noise of a point with weight one.
    """

    def __post_init__(self) -> None:
        _ = self._root  # raises if the covariance has none

    @cached_property
    def _root(self) -> FloatArray:
        """Lower Cholesky factor of the covariance of the targets, shape (n, n)."""
        points = self.points
        return factorise(self.kernel(points.inputs) + np.diag(self.noise / points.weights))

    @cached_property
    def _loadings(self) -> FloatArray:
        """Inverse covariance times targets, shape (n, m)."""
        return cho_solve((self._root, True), self.points.targets, check_finite=False)

    @property
    def log_marginal(self) -> float:
        return log_marginal(self.points, self.noise, self._root, self._loadings)

    def held_out(self) -> tuple[FloatArray, FloatArray]:
        """Return each target less its mean given the *other* points, (n, m), and its variance (n,).

        The variance is that of a target of weight one. See Rasmussen & Williams, section 5.4.2.
        """
        precisions = np.diagonal(inverse(self._root))
        return held_out(self.points, self.noise, self._loadings, precisions)

    def predict(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        prior = self.kernel.diag(inputs)
        across = self.kernel(self.points.inputs, inputs)
        whitened = solve_triangular(self._root, across, lower=True, check_finite=False)
        variances = prior - np.einsum("ij,ij->j", whitened, whitened)
        return across.T @ self._loadings, np.maximum(variances, 1e-12 * prior)


def log_marginal(points: Points, noise: float, root: FloatArray, loadings: FloatArray) -> float:
    """Return the log density of targets, given the factor of their covariance."""
    targets = points.targets
    fit = float((targets * loadings).sum()) + targets.size * LOG_2_PI
    volume = targets.shape[1] * float(np.log(np.diagonal(root)).sum())
    return points.log_constant(noise) - 0.5 * fit - volume


def log_marginal_with_slopes(
    kernel: Kernel, noise: float, points: Points
) -> tuple[float, FloatArray]:
    """Return the log marginal likelihood, and its slopes along log hyper-parameters and noise."""
    covariance, changes = kernel(points.inputs, eval_gradient=True)
    root = factorise(covariance + np.diag(noise / points.weights))
    loadings = cho_solve((root, True), points.targets, check_finite=False)
    m, weights = points.targets.shape[1], points.weights
    inner = loadings @ loadings.T - m * inverse(root)
    slopes = 0.5 * np.einsum("ij,ijk->k", inner, changes)
    by_noise = 0.5 * (noise * (np.diagonal(inner) / weights).sum() - m * (weights - 1).sum())
    return log_marginal(points, noise, root, loadings), np.append(slopes, by_noise)


def inverse(root: FloatArray) -> FloatArray:
    """Return the inverse of a matrix, given its lower Cholesky factor."""
    lower, _ = dpotri(root, lower=True)
    return np.tril(lower) + np.tril(lower, -1).T


def factorise(matrix: FloatArray) -> FloatArray:
    """Return the lower Cholesky factor, with the least jitter on the diagonal that is needed."""
    diagonal = np.diagonal(matrix)
    for jitter in JITTERS:
        try:
            return np.linalg.cholesky(matrix + jitter * np.diag(np.abs(diagonal)))
        except np.linalg.LinAlgError:
            continue
    raise ValueError(
        "The covariance of a Gaussian process is not positive definite, even with a ten-thousandth"
        " of its variance added: raise the noise, or take a smoother kernel."
    )
