"""The four shapes of a Gaussian's covariance, each with its fit and its whitening.

Every shape works on a stack of K components at once. `variances` are in the shape's own form:
(K, d, d) for full and tied, (K, d) for diagonal, (K,) for spherical.
"""

from abc import ABC, abstractmethod

import numpy as np
from scipy.linalg import lapack

from ... import kernels
from ...data import BoolArray, FloatArray, IntArray


class Covariance(ABC):
    """A shape of covariance: how it is measured, fitted, whitened and counted."""

    shared = False
    is_full = False

    @abstractmethod
    def between(self, apart: FloatArray, factors: FloatArray) -> FloatArray:
        """Outer products of the rows of `apart` (K, d) times factors (K,), as scatters."""

    @abstractmethod
    def fit(self, counts: FloatArray, scatters: FloatArray, added: FloatArray) -> FloatArray:
        """Fit variances to K scatters over counts (K,), with `added` variance per column (d,)."""

    @abstractmethod
    def marginal(self, variances: FloatArray, chosen: BoolArray) -> FloatArray:
        """Variances of some of the columns."""

    def pooled(self, variances: FloatArray, cells: FloatArray) -> FloatArray:
        """Fit variances (K, d) to those of cells, of which each column has so many (K, d)."""
        return variances

    def numbers(self, cells: FloatArray) -> FloatArray:
        """How many rows each variance stands for, (K, 1) or (K, d), if columns have `cells`."""
        return cells

    @abstractmethod
    def whitening(self, variances: FloatArray) -> FloatArray:
        """Factors that turn centred rows into ones with unit covariance."""

    @abstractmethod
    def log_determinants(self, whitening: FloatArray, d: int) -> FloatArray:
        """Log determinants of the whitening, shape (K,)."""

    @abstractmethod
    def values(
        self, x: FloatArray, means: FloatArray, whitening: FloatArray, constants: FloatArray
    ) -> FloatArray:
        """Constants less half the squared lengths of whitened rows, shape (K, n)."""

    def values_at(
        self,
        x: FloatArray,
        ends: IntArray,
        means: FloatArray,
        whitening: FloatArray,
        constants: FloatArray,
    ) -> FloatArray:
        """Return the same for rows from ends[k] to ends[k + 1] by component k alone, shape (n,)."""
        factors = whitening if self.is_full else _by_columns(whitening, means)
        log_densities = np.empty(len(x))
        kernels.gaussian.own_log_densities(x, ends, means, factors, constants, log_densities)
        return log_densities

    @abstractmethod
    def precisions(self, whitening: FloatArray) -> FloatArray:
        """Inverse variances, from the whitening."""

    @abstractmethod
    def invert(self, precisions: FloatArray) -> FloatArray:
        """Variances, from their inverses."""

    @abstractmethod
    def log_volumes(self, variances: FloatArray) -> FloatArray:
        """Log determinants of variances, shape (K,), NaN if not positive.

        Those of a spherical shape count one column.
        """

    def harmonic_mean(self, variances: FloatArray) -> FloatArray:
        """Return the inverse of the mean of K inverse variances, in the form of one of them."""
        precisions = self.precisions(self.whitening(variances))
        return self.invert(precisions.mean(axis=0, keepdims=True))[0]

    def symmetric(self, variance: FloatArray) -> FloatArray:
        """Return a variance without the rounding errors by which it is not symmetric."""
        return variance

    def traces(self, precisions: FloatArray, variance: FloatArray, d: int) -> FloatArray:
        """Return the traces (K,) of K inverse variances times one variance, as (d, d) matrices."""
        products = precisions * variance
        return products.reshape(len(products), -1).sum(axis=1)

    def diagonal(self, added: FloatArray) -> FloatArray:
        """Return the variance of columns (d,) that are independent, in the form of this shape."""
        return added

    @abstractmethod
    def stack(self, k: int, d: int) -> tuple[int, ...]:
        """Shape of the variances of k components."""

    @abstractmethod
    def dense(self, variance: FloatArray, d: int) -> FloatArray:
        """Write the variance of one component as a (d, d) matrix."""

    @abstractmethod
    def n_parameters(self, k: int, d: int) -> int:
        """Free parameters in the covariances of k components."""


class Full(Covariance):
    """Every component has a covariance matrix of its own."""

    is_full = True

    def between(self, apart: FloatArray, factors: FloatArray) -> FloatArray:
        return np.einsum("k,ki,kj->kij", factors, apart, apart)

    def fit(self, counts: FloatArray, scatters: FloatArray, added: FloatArray) -> FloatArray:
        return scatters / counts[:, None, None] + np.diag(added)

    def marginal(self, variances: FloatArray, chosen: BoolArray) -> FloatArray:
        return variances[:, chosen][:, :, chosen]

    def whitening(self, variances: FloatArray) -> FloatArray:
        if variances.shape[1] <= kernels.gaussian.WHITENED_BY_LOOPS:
            factors = np.empty(variances.shape)
            if not kernels.gaussian.whiten(np.ascontiguousarray(variances), factors):
                raise np.linalg.LinAlgError
            return factors
        lower = np.linalg.cholesky(variances)
        return np.stack([lapack.dtrtri(one, lower=1)[0].T for one in lower])

    def log_determinants(self, whitening: FloatArray, d: int) -> FloatArray:
        return np.log(np.diagonal(whitening, axis1=1, axis2=2)).sum(axis=1)

    def values(
        self, x: FloatArray, means: FloatArray, whitening: FloatArray, constants: FloatArray
    ) -> FloatArray:
        values = np.empty((len(means), len(x)))
        if x.shape[1] < kernels.gaussian.PRODUCTS_FROM:
            kernels.gaussian.full_log_densities(x, means, whitening, constants, values)
        else:
            kernels.gaussian.full_log_densities_by_products(x, means, whitening, constants, values)
        return values

    def precisions(self, whitening: FloatArray) -> FloatArray:
        return whitening @ whitening.transpose(0, 2, 1)

    def invert(self, precisions: FloatArray) -> FloatArray:
        return np.linalg.inv(precisions)

    def symmetric(self, variance: FloatArray) -> FloatArray:
        return (variance + variance.T) / 2

    def diagonal(self, added: FloatArray) -> FloatArray:
        return np.diag(added)

    def log_volumes(self, variances: FloatArray) -> FloatArray:
        signs, volumes = np.linalg.slogdet(variances)
        return np.where(signs > 0, volumes, np.nan)

    def stack(self, k: int, d: int) -> tuple[int, ...]:
        return k, d, d

    def dense(self, variance: FloatArray, d: int) -> FloatArray:
        return variance

    def n_parameters(self, k: int, d: int) -> int:
        return k * d * (d + 1) // 2


class Tied(Full):
    """All components share one covariance matrix."""

    shared = True

    def fit(self, counts: FloatArray, scatters: FloatArray, added: FloatArray) -> FloatArray:
        shared = scatters.sum(axis=0) / counts.sum() + np.diag(added)
        return np.broadcast_to(shared, scatters.shape)

    def n_parameters(self, k: int, d: int) -> int:
        return d * (d + 1) // 2


class Diagonal(Covariance):
    """Columns are independent within a component."""

    def between(self, apart: FloatArray, factors: FloatArray) -> FloatArray:
        return factors[:, None] * apart**2

    def fit(self, counts: FloatArray, scatters: FloatArray, added: FloatArray) -> FloatArray:
        return scatters / counts[:, None] + added

    def marginal(self, variances: FloatArray, chosen: BoolArray) -> FloatArray:
        return variances[:, chosen]

    def log_volumes(self, variances: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.log(variances).reshape(len(variances), -1).sum(axis=1))

    def whitening(self, variances: FloatArray) -> FloatArray:
        return 1 / np.sqrt(variances)

    def log_determinants(self, whitening: FloatArray, d: int) -> FloatArray:
        return np.log(whitening).sum(axis=1)

    def values(
        self, x: FloatArray, means: FloatArray, whitening: FloatArray, constants: FloatArray
    ) -> FloatArray:
        values = np.empty((len(means), len(x)))
        kernels.gaussian.diagonal_log_densities(
            x, means, _by_columns(whitening, means), constants, values
        )
        return values

    def precisions(self, whitening: FloatArray) -> FloatArray:
        return whitening**2

    def invert(self, precisions: FloatArray) -> FloatArray:
        return 1 / precisions

    def stack(self, k: int, d: int) -> tuple[int, ...]:
        return k, d

    def dense(self, variance: FloatArray, d: int) -> FloatArray:
        return np.diag(variance)

    def n_parameters(self, k: int, d: int) -> int:
        return k * d


class Spherical(Diagonal):
    """Columns are independent, and have one variance within a component."""

    def fit(self, counts: FloatArray, scatters: FloatArray, added: FloatArray) -> FloatArray:
        return super().fit(counts, scatters, added).mean(axis=1)

    def marginal(self, variances: FloatArray, chosen: BoolArray) -> FloatArray:
        return variances

    def pooled(self, variances: FloatArray, cells: FloatArray) -> FloatArray:
        total = cells.sum(axis=1, keepdims=True)
        together = (variances * cells).sum(axis=1, keepdims=True) / np.where(total > 0, total, 1.0)
        return np.where(total > 0, together, variances)

    def numbers(self, cells: FloatArray) -> FloatArray:
        return cells.mean(axis=1, keepdims=True)

    def log_determinants(self, whitening: FloatArray, d: int) -> FloatArray:
        return d * np.log(whitening)

    def traces(self, precisions: FloatArray, variance: FloatArray, d: int) -> FloatArray:
        return d * precisions * variance

    def diagonal(self, added: FloatArray) -> FloatArray:
        return np.asarray(added.mean())

    def stack(self, k: int, d: int) -> tuple[int, ...]:
        return (k,)

    def dense(self, variance: FloatArray, d: int) -> FloatArray:
        return variance * np.eye(d)

    def n_parameters(self, k: int, d: int) -> int:
        return k


def _by_columns(whitening: FloatArray, means: FloatArray) -> FloatArray:
    """Return one factor for every column (K, d), from these or from one for all columns (K,)."""
    return np.ascontiguousarray(np.broadcast_to(whitening.T, means.T.shape).T)


COVARIANCES: dict[str, Covariance] = {
    "full": Full(),
    "tied": Tied(),
    "diag": Diagonal(),
    "spherical": Spherical(),
}
