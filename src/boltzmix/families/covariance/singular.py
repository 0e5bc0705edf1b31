"""Computations with covariances that may be singular."""

import numpy as np

from ...data import FloatArray


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
