"""Stacks of small symmetric matrices: their volumes, harmonic mean and traces.

Shapes: covariances (K, d, d), whitening (K, d, d), as `gaussian.whiten` writes it. Calls of LAPACK
for each matrix would take longer than the computation, if there are few columns.
"""

from typing import Any

import numpy as np

from .compile import fast_kernel
from .gaussian import whiten


def log_volumes(covariances: Any, volumes: Any) -> None:
    """Write log determinants (K,) of covariances, NaN if one is not positive definite."""
    whitening = np.empty(covariances.shape)
    if whiten(covariances, whitening):
        log_determinants(whitening, volumes)
        volumes *= -2.0
    elif len(covariances) == 1:
        volumes[:] = np.nan
    else:
        for k in range(len(covariances)):
            log_volumes(covariances[k : k + 1], volumes[k : k + 1])


@fast_kernel(allocates=False)
def log_determinants(whitening: Any, found: Any) -> None:
    """Write log determinants (K,) of whitening factors."""
    for k in range(whitening.shape[0]):
        total = 0.0
        for i in range(whitening.shape[1]):
            total += np.log(whitening[k, i, i])
        found[k] = total


def harmonic_mean(covariances: Any, mean: Any) -> bool:
    """Write the inverse of the mean inverse covariance (d, d), unless one has no inverse."""
    whitening = np.empty(covariances.shape)
    if not whiten(covariances, whitening):
        return False
    precision, factor = precisions(whitening).mean(axis=0)[None], np.empty((1, *mean.shape))
    if not whiten(precision, factor):
        return False
    mean[:] = precisions(factor)[0]
    return True


def traces(whitening: Any, covariance: Any, found: Any) -> None:
    """Write the traces (K,) of inverse covariances times a covariance (d, d)."""
    np.einsum("kij,ij->k", precisions(whitening), covariance, out=found)


def precisions(whitening: Any) -> Any:
    """Return inverse covariances (K, d, d)."""
    found = np.empty(whitening.shape)
    _invert(whitening, found)
    return found


@fast_kernel(allocates=False)
def _invert(whitening: Any, found: Any) -> None:
    """Write inverse covariances (K, d, d)."""
    d = whitening.shape[1]
    for k in range(whitening.shape[0]):
        factor = whitening[k]
        for i in range(d):
            for j in range(i + 1):
                total = 0.0
                for t in range(i, d):
                    total += factor[i, t] * factor[j, t]
                found[k, i, j] = total
                found[k, j, i] = total


def traces_of_columns(whitening: Any, variances: Any, found: Any) -> None:
    """Write the traces (K,) of inverse covariances times a diagonal of variances (d,)."""
    np.sum(np.square(whitening).sum(axis=2) * variances, axis=1, out=found)
