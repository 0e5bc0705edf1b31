"""Stacks of small symmetric matrices: their volumes, harmonic mean and traces.

Shapes: covariances (K, d, d), whitening (K, d, d), as `gaussian.whiten` writes it. Calls of LAPACK
for each matrix would take longer than the computation, if there are few columns.
"""

from typing import Any

import numpy as np

from .compile import fast_kernel, inlined
from .gaussian import whiten


@fast_kernel()
def log_volumes(covariances: Any, volumes: Any) -> None:
    """Write log determinants (K,) of covariances, NaN if one is not positive definite."""
    whitening = np.empty((1, covariances.shape[1], covariances.shape[2]))
    found = np.empty(1)
    for k in range(covariances.shape[0]):
        volumes[k] = np.nan
        if whiten(covariances[k : k + 1], whitening):
            log_determinants(whitening, found)
            volumes[k] = -2.0 * found[0]


@fast_kernel()
def log_determinants(whitening: Any, found: Any) -> None:
    """Write log determinants (K,) of whitening factors."""
    for k in range(whitening.shape[0]):
        total = 0.0
        for i in range(whitening.shape[1]):
            total += np.log(whitening[k, i, i])
        found[k] = total


def harmonic_mean(covariances: Any, mean: Any) -> bool:
    """Write the inverse of the mean inverse covariance (d, d), unless one has no inverse."""
    whitening, precision = np.empty(covariances.shape), np.empty((1, *mean.shape))
    if not whiten(covariances, whitening):
        return False
    _mean_precision(whitening, precision[0])
    factor = np.empty(precision.shape)
    if not whiten(precision, factor):
        return False
    _mean_precision(factor, mean)
    return True


@fast_kernel()
def _mean_precision(whitening: Any, mean: Any) -> None:
    """Write the mean inverse covariance (d, d)."""
    k_max, d = whitening.shape[0], whitening.shape[1]
    for i in range(d):
        for j in range(d):
            mean[i, j] = 0.0
    for k in range(k_max):
        add_precision(whitening[k], 1.0 / k_max, mean)
    for i in range(d):
        for j in range(i):
            mean[j, i] = mean[i, j]


@inlined()
def add_precision(factor: Any, weight: float, precision: Any) -> None:
    """Add the lower triangle of an inverse covariance, times a weight, to that of a matrix."""
    d = factor.shape[0]
    for i in range(d):
        for j in range(i + 1):
            total = 0.0
            for t in range(i, d):
                total += factor[i, t] * factor[j, t]
            precision[i, j] += weight * total


@fast_kernel()
def traces(whitening: Any, covariance: Any, found: Any) -> None:
    """Write the traces (K,) of inverse covariances times a covariance (d, d)."""
    d = whitening.shape[1]
    precision = np.empty((d, d))
    for k in range(whitening.shape[0]):
        precision[:] = 0.0
        add_precision(whitening[k], 1.0, precision)
        total = 0.0
        for i in range(d):
            for j in range(i):
                total += 2.0 * precision[i, j] * covariance[i, j]
            total += precision[i, i] * covariance[i, i]
        found[k] = total


@fast_kernel()
def traces_of_columns(whitening: Any, variances: Any, found: Any) -> None:
    """Write the traces (K,) of inverse covariances times a diagonal of variances (d,)."""
    d = whitening.shape[1]
    for k in range(whitening.shape[0]):
        total = 0.0
        for i in range(d):
            square = 0.0
            for j in range(i, d):
                square += whitening[k, i, j] * whitening[k, i, j]
            total += square * variances[i]
        found[k] = total
