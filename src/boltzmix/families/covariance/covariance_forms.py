"""The forms of covariances: matrices, diagonals, or one number per component."""

from contextlib import suppress

import numpy as np
from scipy.linalg import lapack

from ... import kernels
from ...data import BoolArray, FloatArray
from ..shared.constants import TINY
from .covariance_base import Covariance, by_columns


class Full(Covariance):
    """Covariances are matrices."""

    is_full = True

    def between(self, apart: FloatArray, factors: FloatArray) -> FloatArray:
        return np.einsum("k,ki,kj->kij", factors, apart, apart)

    def fit(self, counts: FloatArray, scatters: FloatArray, added: FloatArray) -> FloatArray:
        return scatters / np.maximum(counts, TINY)[:, None, None] + np.diag(added)

    def marginal(self, variances: FloatArray, chosen: BoolArray) -> FloatArray:
        return variances[:, chosen][:, :, chosen]

    def whitening(self, variances: FloatArray) -> FloatArray:
        if _by_loops(variances):
            factors = np.empty(variances.shape)
            if not kernels.gaussian.whiten(_writable(variances), factors):
                raise np.linalg.LinAlgError
            return factors
        factors = np.empty(variances.shape)
        for factor, variance in zip(factors, variances, strict=True):
            factor[:] = lapack.dtrtri(_root(variance), overwrite_c=1)[0]
        return factors

    def log_determinants(self, whitening: FloatArray, d: int) -> FloatArray:
        found = np.empty(len(whitening))
        kernels.matrices.log_determinants(np.ascontiguousarray(whitening), found)
        return found

    def half_squared_distances(
        self, x: FloatArray, means: FloatArray, whitening: FloatArray, constants: FloatArray
    ) -> FloatArray:
        values = np.empty((len(means), len(x)))
        is_long = x.shape[1] >= kernels.gaussian.PRODUCTS_FROM
        name = "full_log_densities_by_products" if is_long else "full_log_densities"
        given = _writable(means), _writable(whitening), constants
        getattr(kernels.gaussian, name)(x, *given, values)
        return values

    def precisions(self, whitening: FloatArray) -> FloatArray:
        return whitening @ whitening.transpose(0, 2, 1)

    def invert(self, precisions: FloatArray) -> FloatArray:
        return np.linalg.inv(precisions)

    def harmonic_mean(self, variances: FloatArray) -> FloatArray:
        if _by_loops(variances):
            mean = np.empty(variances.shape[1:])
            if not kernels.matrices.harmonic_mean(np.ascontiguousarray(variances), mean):
                raise np.linalg.LinAlgError
            return mean
        inverse = _inverse(np.mean([_inverse(one) for one in variances], axis=0))
        return inverse + np.tril(inverse, -1).T

    def traces(self, whitening: FloatArray, variance: FloatArray, d: int) -> FloatArray:
        found = np.empty(len(whitening))
        if _by_loops(whitening):
            kernels.matrices.traces(whitening, np.ascontiguousarray(variance), found)
            return found
        doubled = np.tril(variance, -1) * 2 + np.diag(np.diagonal(variance))
        for k, factor in enumerate(whitening):
            found[k] = np.vdot(lapack.dlauum(factor.T, lower=1)[0], doubled)
        return found

    def traces_of_columns(self, whitening: FloatArray, added: FloatArray) -> FloatArray:
        found = np.empty(len(whitening))
        kernels.matrices.traces_of_columns(whitening, np.ascontiguousarray(added), found)
        return found

    def symmetric(self, variance: FloatArray) -> FloatArray:
        return (variance + variance.T) / 2

    def diagonal(self, added: FloatArray) -> FloatArray:
        return np.diag(added)

    def log_volumes(self, variances: FloatArray) -> FloatArray:
        volumes = np.full(len(variances), np.nan)
        if _by_loops(variances):
            kernels.matrices.log_volumes(np.ascontiguousarray(variances), volumes)
            return volumes
        for k, variance in enumerate(variances):
            with suppress(np.linalg.LinAlgError):
                volumes[k] = 2 * np.log(np.diagonal(_root(variance))).sum()
        return volumes

    def stack(self, k: int, d: int) -> tuple[int, ...]:
        return k, d, d

    def dense(self, variance: FloatArray, d: int) -> FloatArray:
        return variance


class Diagonal(Covariance):
    """Columns are independent within a component."""

    def between(self, apart: FloatArray, factors: FloatArray) -> FloatArray:
        return factors[:, None] * apart**2

    def fit(self, counts: FloatArray, scatters: FloatArray, added: FloatArray) -> FloatArray:
        squares = np.maximum(scatters, 0.0)  # rounding can make them negative
        return squares / np.maximum(counts, TINY)[:, None] + added

    def at_least_resolution(self, variances: FloatArray, means: FloatArray) -> FloatArray:
        return np.maximum(variances, np.spacing(means) ** 2)

    def marginal(self, variances: FloatArray, chosen: BoolArray) -> FloatArray:
        return variances[:, chosen]

    def log_volumes(self, variances: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.log(variances).reshape(len(variances), -1).sum(axis=1))

    def whitening(self, variances: FloatArray) -> FloatArray:
        if not (variances > 0).all():
            raise np.linalg.LinAlgError
        return 1 / np.sqrt(variances)

    def log_determinants(self, whitening: FloatArray, d: int) -> FloatArray:
        return np.log(whitening).sum(axis=1)

    def half_squared_distances(
        self, x: FloatArray, means: FloatArray, whitening: FloatArray, constants: FloatArray
    ) -> FloatArray:
        values = np.empty((len(means), len(x)))
        kernels.gaussian.diagonal_log_densities(
            x, means, by_columns(whitening, means), constants, values
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


class Spherical(Diagonal):
    """Columns are independent, and have the same variance within a component."""

    def fit(self, counts: FloatArray, scatters: FloatArray, added: FloatArray) -> FloatArray:
        return super().fit(counts, scatters, added).mean(axis=1)

    def at_least_resolution(self, variances: FloatArray, means: FloatArray) -> FloatArray:
        return np.maximum(variances, (np.spacing(means) ** 2).mean(axis=1))

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

    def traces(self, whitening: FloatArray, variance: FloatArray, d: int) -> FloatArray:
        return d * self.precisions(whitening) * variance

    def diagonal(self, added: FloatArray) -> FloatArray:
        return np.asarray(added.mean())

    def stack(self, k: int, d: int) -> tuple[int, ...]:
        return (k,)

    def dense(self, variance: FloatArray, d: int) -> FloatArray:
        return variance * np.eye(d)


def _writable(array: FloatArray) -> FloatArray:
    """Return a contiguous array that is not read-only: another kernel is compiled for such."""
    found = np.ascontiguousarray(array)
    return found if found.flags.writeable else found.copy()


def _by_loops(matrices: FloatArray) -> bool:
    """Whether kernels are faster than calls of LAPACK for each of some matrices (K, d, d)."""
    return matrices.shape[1] <= kernels.gaussian.WHITENED_BY_LOOPS


def _root(variance: FloatArray) -> FloatArray:
    """Return the upper Cholesky factor of a matrix, of which only the lower triangle is read.

    LAPACK gets the transpose, which is in its order of memory.
    """
    factor, failed = lapack.dpotrf(variance.T)
    if failed:
        raise np.linalg.LinAlgError
    return factor


def _inverse(variance: FloatArray) -> FloatArray:
    """Return the lower triangle of the inverse of such a matrix, with zeros above."""
    return lapack.dpotri(_root(variance), overwrite_c=1)[0].T
