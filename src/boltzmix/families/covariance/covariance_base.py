"""The contract of a shape of covariances.

Every shape works on a stack of K components at once. `variances` are in the shape's own form:
(K, d, d) for matrices, (K, d) for diagonals, (K,) for one number per component.
"""

from abc import ABC, abstractmethod

import numpy as np

from ... import kernels
from ...data import BoolArray, FloatArray, IntArray
from .common_parts import CommonParts


class SingularCovarianceError(ValueError):
    """The covariance of a component is not positive definite."""

    def __init__(self) -> None:
        super().__init__(
            "A component's covariance is not positive definite: raise the ridge, or use fewer"
            " components."
        )


class Covariance(ABC):
    """A shape of covariance: how it is measured, fitted, whitened and counted.

    The covariance of component k is lambda_k D_k A_k D_k^T: a volume times a shape, of determinant
    one, in an orientation.

    Parameters
    ----------
    letters : str
        One letter each for volume, shape and orientation: E if it is equal for all components, V
        if every component has its own, I if it is the identity.
    in_common : CommonParts
        What is equal for all components, and how it is fitted.
    """

    is_full = False

    def __init__(self, letters: str, in_common: CommonParts) -> None:
        self.letters = letters
        self.in_common = in_common

    @property
    def shared(self) -> bool:
        """Whether all components have the same covariance."""
        return "V" not in self.letters

    @property
    def has_common_parts(self) -> bool:
        """Whether covariances have a volume, a shape or an orientation in common."""
        return "E" in self.letters

    def n_parameters(self, k: int, d: int) -> int:
        """Free parameters in the covariances of k components."""
        times = {"E": 1, "V": k, "I": 0}
        volume, shape, orientation = (times[letter] for letter in self.letters)
        return volume + shape * (d - 1) + orientation * (d * (d - 1) // 2)

    @abstractmethod
    def between(self, apart: FloatArray, factors: FloatArray) -> FloatArray:
        """Outer products of the rows of `apart` (K, d) times factors (K,), as scatters."""

    @abstractmethod
    def fit(self, counts: FloatArray, scatters: FloatArray, added: FloatArray) -> FloatArray:
        """Fit each variance to its own scatter and count (K,), with `added` variance (d,).

        What components have in common is fitted to these variances, see `in_common`.
        """

    def at_least_resolution(self, variances: FloatArray, means: FloatArray) -> FloatArray:
        """Raise variances of columns to the square of the distance between numbers at the means.

        Double precision cannot show a smaller spread than that. A column whose mean is zero, and
        matrices, stay as they are.
        """
        return variances

    @abstractmethod
    def marginal(self, variances: FloatArray, chosen: BoolArray) -> FloatArray:
        """Variances of some of the columns."""

    def pooled(self, variances: FloatArray, cells: FloatArray) -> FloatArray:
        """Fit variances (K, d) to those of cells, given how many cells each column has (K, d)."""
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
    def half_squared_distances(
        self, x: FloatArray, means: FloatArray, whitening: FloatArray, constants: FloatArray
    ) -> FloatArray:
        """Constants less half the squared lengths of whitened rows, shape (K, n)."""

    def half_squared_distances_at(
        self,
        x: FloatArray,
        ends: IntArray,
        means: FloatArray,
        whitening: FloatArray,
        constants: FloatArray,
    ) -> FloatArray:
        """Return them for rows from ends[k] to ends[k + 1] by component k alone, shape (n,)."""
        factors = whitening if self.is_full else by_columns(whitening, means)
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

    def projected(self, variances: FloatArray, others: FloatArray) -> FloatArray:
        """Return the nearest variances that have in common with others what these have."""
        if not self.has_common_parts:
            return variances
        weights = np.ones((len(variances), *(1,) * (variances.ndim - 1)))
        return self.in_common.given(self.in_common.read(others), weights, variances)

    def harmonic_mean(self, variances: FloatArray) -> FloatArray:
        """Return the inverse of the mean of K inverse variances, in the form of one of them."""
        precisions = self.precisions(self.whitening(variances))
        return self.invert(precisions.mean(axis=0, keepdims=True))[0]

    def symmetric(self, variance: FloatArray) -> FloatArray:
        """Return a variance without the rounding errors by which it is not symmetric."""
        return variance

    def traces(self, whitening: FloatArray, variance: FloatArray, d: int) -> FloatArray:
        """Return the traces (K,) of K inverse variances times one variance, as (d, d) matrices."""
        products = self.precisions(whitening) * variance
        return products.reshape(len(products), -1).sum(axis=1)

    def traces_of_columns(self, whitening: FloatArray, added: FloatArray) -> FloatArray:
        """Return the traces (K,) of inverse variances times the variances (d,) of columns."""
        return self.traces(whitening, self.diagonal(added), len(added))

    def diagonal(self, added: FloatArray) -> FloatArray:
        """Return the variance of columns (d,) that are independent, in the form of this shape."""
        return added

    @abstractmethod
    def stack(self, k: int, d: int) -> tuple[int, ...]:
        """Shape of the variances of k components."""

    @abstractmethod
    def dense(self, variance: FloatArray, d: int) -> FloatArray:
        """Write the variance of one component as a (d, d) matrix."""


def by_columns(whitening: FloatArray, means: FloatArray) -> FloatArray:
    """Return one factor for every column (K, d), from these or from one for all columns (K,)."""
    return np.array(np.broadcast_to(whitening.T, means.T.shape).T, order="C")


def root_of(covariance: FloatArray) -> FloatArray:
    """Return a matrix that times its transpose is a covariance (d, d), which may be singular.

    Examples
    --------
    >>> root = root_of(np.array([[4.0, 2.0], [2.0, 1.0]]))
    >>> np.round(root @ root.T, 9)
    array([[4., 2.],
           [2., 1.]])
    """
    try:
        return np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        scaled, units = _correlations(covariance)
        values, vectors = np.linalg.eigh(scaled)
        return np.asarray(units[:, None] * vectors * np.sqrt(np.maximum(values, 0.0)))


def solved(covariance: FloatArray, right: FloatArray) -> FloatArray:
    """Return the product of the inverse of a covariance (…, d, d) and a matrix (…, d, m).

    Where a covariance is singular, it is the shortest of the solutions of least squares.

    Examples
    --------
    >>> solved(np.array([[2.0, 2.0], [2.0, 2.0]]), np.array([[4.0], [4.0]])).round(9)
    array([[1.],
           [1.]])
    """
    scaled, units = _correlations(covariance)
    try:
        found = np.linalg.solve(scaled, right / units[..., None])
    except np.linalg.LinAlgError:
        if covariance.ndim > 2:
            return np.stack(list(map(solved, covariance, right)))
        found = np.linalg.lstsq(scaled, right / units[:, None], rcond=None)[0]
    return np.asarray(found / units[..., None])


def _correlations(covariance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a covariance scaled to a diagonal of ones, and the standard deviations."""
    units = np.sqrt(np.maximum(np.diagonal(covariance, axis1=-2, axis2=-1), 0.0))
    units = np.where(units > 0, units, 1.0)
    return covariance / units[..., None, :] / units[..., None], units
