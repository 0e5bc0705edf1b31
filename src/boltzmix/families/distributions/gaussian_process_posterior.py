"""The posterior of a function from a Gaussian process, given the points it is learned from."""

from typing import Any, NamedTuple, Self

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.linalg.lapack import dpotri

from ...data import FloatArray, IntArray, Regression, evenly_spaced
from ..shared.constants import LOG_2_PI

JITTERS = (0.0, 1e-10, 1e-8, 1e-6, 1e-4)  # times the diagonal, added until factorisation succeeds
NEGLIGIBLE = 1e-4  # times the largest weight: points with less are left out


class Points(NamedTuple):
    """The points from which a function is learned.

    The density of a point is raised to the power of its weight, which is the same as dividing its
    noise variance by the weight, up to a constant.

    Parameters
    ----------
    inputs : array, shape (n, p)
    targets : array, shape (n, m)
        Targets less their offset.
    weights : array, shape (n,)
    """

    inputs: FloatArray
    targets: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, data: Regression, offset: FloatArray, weights: FloatArray | None) -> Self:
        """Return the points whose weights are not negligible."""
        if weights is None:
            return cls(data.inputs, data.targets - offset, np.ones(len(data)))
        kept = weights > NEGLIGIBLE * weights.max(initial=0.0)
        return cls(data.inputs[kept], data.targets[kept] - offset, weights[kept])

    def thinned(self, most: int) -> Self:
        """Return at most so many points, evenly spaced in their order."""
        n = len(self.inputs)
        if n <= most:
            return self
        chosen = evenly_spaced(n, most)
        return type(self)(*(array[chosen] for array in self))

    def places_of(self, inputs: FloatArray, targets: FloatArray) -> IntArray:
        """Return the index of each of other points among these, shape (n,); -1 if it is none."""
        own, asked = _rows(self.inputs, self.targets), _rows(inputs, targets)
        order = np.argsort(own)
        found = np.searchsorted(own[order], asked)
        found = order[np.minimum(found, len(own) - 1)]
        return np.where(own[found] == asked, found, -1)

    def log_constant(self, noise: float) -> float:
        """Return the term that weights other than one add to the log density of all targets."""
        constants = np.log(2 * np.pi * noise / self.weights)
        powers = self.weights * np.log(2 * np.pi * noise)
        return 0.5 * self.targets.shape[1] * float((constants - powers).sum())


class Posterior(NamedTuple):
    """The posterior of a function, given points.

    Parameters
    ----------
    points : Points
    noise : float
        Variance of the noise of a point with weight one.
    root : array, shape (n, n)
        Lower Cholesky factor of the covariance of the targets.
    loadings : array, shape (n, m)
        Inverse covariance times targets.
    """

    points: Points
    noise: float
    root: FloatArray
    loadings: FloatArray

    @classmethod
    def of(cls, points: Points, noise: float, covariance: FloatArray) -> Self:
        """Return the posterior, given the prior covariance of the function at the inputs (n, n)."""
        root = factorise(covariance + np.diag(noise / points.weights))
        loadings = cho_solve((root, True), points.targets, check_finite=False)
        return cls(points, noise, root, loadings)

    @classmethod
    def given(cls, points: Points, kernel: Any, noise: float) -> Self:
        """Return the posterior, given points and hyper-parameters."""
        return cls.of(points, noise, kernel(points.inputs))

    @property
    def log_marginal(self) -> float:
        """Log density of all targets together."""
        targets = self.points.targets
        fit = float((targets * self.loadings).sum()) + targets.size * LOG_2_PI
        volume = targets.shape[1] * float(np.log(np.diagonal(self.root)).sum())
        return self.points.log_constant(self.noise) - 0.5 * fit - volume

    @property
    def inverse(self) -> FloatArray:
        """Inverse covariance of the targets, shape (n, n)."""
        lower, _ = dpotri(self.root, lower=True)
        return np.tril(lower) + np.tril(lower, -1).T

    def held_out(self) -> tuple[FloatArray, FloatArray]:
        """Return each target less its mean given the *other* points, (n, m), and its variance (n,).

        See Rasmussen & Williams, section 5.4.2.
        """
        precisions = np.diagonal(self.inverse)
        weighted = self.noise * (1 - 1 / self.points.weights)
        variances = np.maximum(1 / precisions + weighted, self.noise)
        return self.loadings / precisions[:, None], variances

    def predict(self, kernel: Any, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return means (n, m), offset excluded, and variances (n,) of the function at inputs."""
        prior = kernel.diag(inputs)
        across = kernel(self.points.inputs, inputs)
        whitened = solve_triangular(self.root, across, lower=True, check_finite=False)
        variances = prior - np.einsum("ij,ij->j", whitened, whitened)
        return across.T @ self.loadings, np.maximum(variances, 1e-12 * prior)


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


def log_normal(apart: FloatArray, variances: FloatArray) -> FloatArray:
    """Return the log density of rows (n, m) that are `apart` from the mean, shape (n,)."""
    m = apart.shape[1]
    return -0.5 * ((apart**2).sum(axis=1) / variances + m * (np.log(variances) + LOG_2_PI))


def _rows(inputs: FloatArray, targets: FloatArray) -> Any:
    """Return each row as one comparable record."""
    rows = np.ascontiguousarray(np.hstack([inputs, targets]))
    return rows.view([(f"{j}", float) for j in range(rows.shape[1])]).ravel()
