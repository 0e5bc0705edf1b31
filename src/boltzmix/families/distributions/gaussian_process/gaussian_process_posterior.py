"""The contract of the posterior of a function from a Gaussian process."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
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
