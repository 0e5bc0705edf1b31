"""Log densities of rows under K Gaussians.

Shapes: x (n, d), means (K, d), whitening (K, d, d) or (K, d), constants (K,),
log_densities (K, n). A log density is the constant less half the squared length of the whitened
difference between a row and a mean. It is minus infinity if that overflows.
"""

from typing import Any

import numpy as np

from .compile import fast_kernel, inlined

PRODUCTS_FROM = 2000  # dimensions from which a matrix product is faster than loops
WHITENED_BY_LOOPS = 32  # dimensions up to which loops are faster than calls of LAPACK
FEW = 3  # dimensions up to which a row is whitened in one pass
LANES = 64  # rows processed at once: a multiple of any vector unit, small enough for the cache


def whiten(covariances: Any, whitening: Any) -> bool:
    """Write transposed inverse Cholesky factors of covariances (K, d, d), if all have them.

    Return False if a covariance is not positive definite.
    """
    return _whiten(covariances, whitening, np.empty(covariances.shape[1:]))


@fast_kernel(allocates=False)
def _whiten(covariances: Any, whitening: Any, lower: Any) -> bool:
    """Do the same, with memory for a Cholesky factor (d, d)."""
    d = covariances.shape[1]
    for k in range(covariances.shape[0]):
        factor = whitening[k]
        for j in range(d):
            pivot = covariances[k, j, j]
            for t in range(j):
                pivot -= lower[j, t] * lower[j, t]
            if not pivot > 0.0:
                return False
            lower[j, j] = np.sqrt(pivot)
            for i in range(j + 1, d):
                value = covariances[k, i, j]
                for t in range(j):
                    value -= lower[i, t] * lower[j, t]
                lower[i, j] = value / lower[j, j]
        for j in range(d):  # column j of the inverse of `lower` is row j of the factor
            for i in range(j):
                factor[j, i] = 0.0
            factor[j, j] = 1.0 / lower[j, j]
            for i in range(j + 1, d):
                value = 0.0
                for t in range(j, i):
                    value -= lower[i, t] * factor[j, t]
                factor[j, i] = value / lower[i, i]
    return True


def full_log_densities(
    x: Any, means: Any, whitening: Any, constants: Any, log_densities: Any
) -> None:
    """Write log densities under full covariances, by loops over lanes of rows.

    The whitening matrices are upper triangular.
    """
    d = x.shape[1]
    run = _few_columns if d <= FEW else _many_columns
    run(x, means, whitening, constants, log_densities, np.zeros((2 * d + 3, LANES)))


@fast_kernel(allocates=False)
def _few_columns(
    x: Any, means: Any, whitening: Any, constants: Any, log_densities: Any, memory: Any
) -> None:
    """Write log densities in at most three dimensions, in one pass over a lane of rows."""
    n, d = x.shape
    rows, squares = memory[:d], memory[d]
    for start in range(0, n, LANES):
        width = min(LANES, n - start)
        load(x, start, width, rows)
        for k in range(means.shape[0]):
            mean, factor = means[k], whitening[k]
            m0, f00 = mean[0], factor[0, 0]
            if d == 1:
                for t in range(LANES):
                    p = (rows[0, t] - m0) * f00
                    squares[t] = p * p
            elif d == 2:
                m1, f01, f11 = mean[1], factor[0, 1], factor[1, 1]
                for t in range(LANES):
                    p, q = rows[0, t] - m0, rows[1, t] - m1
                    a, b = p * f00, p * f01 + q * f11
                    squares[t] = a * a + b * b
            else:
                m1, f01, f11 = mean[1], factor[0, 1], factor[1, 1]
                m2, f02, f12, f22 = mean[2], factor[0, 2], factor[1, 2], factor[2, 2]
                for t in range(LANES):
                    p, q, r = rows[0, t] - m0, rows[1, t] - m1, rows[2, t] - m2
                    a, b, c = p * f00, p * f01 + q * f11, p * f02 + q * f12 + r * f22
                    squares[t] = a * a + b * b + c * c
            store(constants[k], squares, start, width, log_densities[k])


@fast_kernel(allocates=False)
def _many_columns(
    x: Any, means: Any, whitening: Any, constants: Any, log_densities: Any, memory: Any
) -> None:
    """Write log densities in any number of dimensions."""
    n, d = x.shape
    rows, centred, left, right = memory[:d], memory[d : 2 * d], memory[2 * d], memory[2 * d + 1]
    squares = memory[2 * d + 2]
    for start in range(0, n, LANES):
        width = min(LANES, n - start)
        load(x, start, width, rows)
        for k in range(means.shape[0]):
            for i in range(d):
                mean = means[k, i]
                for t in range(LANES):
                    centred[i, t] = rows[i, t] - mean
            whitened_squares(centred, whitening[k], left, right, squares)
            store(constants[k], squares, start, width, log_densities[k])


@inlined()
def load(x: Any, start: int, width: int, rows: Any) -> None:
    """Copy rows of x into columns (d, lanes)."""
    for t in range(width):
        for i in range(x.shape[1]):
            rows[i, t] = x[start + t, i]


@inlined()
def store(constant: float, squares: Any, start: int, width: int, log_densities: Any) -> None:
    """Write log densities (n,) of a lane of rows."""
    target = log_densities[start:]
    for t in range(width):
        value = constant - 0.5 * squares[t]
        target[t] = value if value == value else -np.inf


@inlined()
def whitened_squares(centred: Any, factor: Any, left: Any, right: Any, squares: Any) -> None:
    """Write the squared lengths of whitened columns (d, lanes), of which the means are zero."""
    d = len(centred)
    for t in range(LANES):
        squares[t] = 0.0
    # two columns and four rows of the triangle at a time: one load for every product
    for j in range(0, d - 1, 2):
        for t in range(LANES):
            left[t] = 0.0
            right[t] = 0.0
        i = 0
        while i + 4 <= j + 2:
            a0, a1 = factor[i, j], factor[i + 1, j]
            a2, a3 = factor[i + 2, j], factor[i + 3, j]
            b0, b1 = factor[i, j + 1], factor[i + 1, j + 1]
            b2, b3 = factor[i + 2, j + 1], factor[i + 3, j + 1]
            for t in range(LANES):
                p, q = centred[i, t], centred[i + 1, t]
                r, s = centred[i + 2, t], centred[i + 3, t]
                left[t] += p * a0 + q * a1 + r * a2 + s * a3
                right[t] += p * b0 + q * b1 + r * b2 + s * b3
            i += 4
        while i < j + 2:
            a0, b0 = factor[i, j], factor[i, j + 1]
            for t in range(LANES):
                left[t] += centred[i, t] * a0
                right[t] += centred[i, t] * b0
            i += 1
        for t in range(LANES):
            squares[t] += left[t] * left[t] + right[t] * right[t]
    if d % 2 == 1:
        for t in range(LANES):
            left[t] = 0.0
        for i in range(d):
            a0 = factor[i, d - 1]
            for t in range(LANES):
                left[t] += centred[i, t] * a0
        for t in range(LANES):
            squares[t] += left[t] * left[t]


@fast_kernel()
def full_log_densities_by_products(
    x: Any, means: Any, whitening: Any, constants: Any, log_densities: Any
) -> None:
    """Write the same by matrix products, which are faster in many dimensions."""
    n, d = x.shape
    centred = np.empty((n, d))
    white = np.empty((n, d))
    for k in range(means.shape[0]):
        for row in range(n):
            for i in range(d):
                centred[row, i] = x[row, i] - means[k, i]
        np.dot(centred, whitening[k], white)
        for row in range(n):
            square = 0.0
            for i in range(d):
                square += white[row, i] * white[row, i]
            value = constants[k] - 0.5 * square
            log_densities[k, row] = value if value == value else -np.inf


@fast_kernel()
def diagonal_log_densities(
    x: Any, means: Any, whitening: Any, constants: Any, log_densities: Any
) -> None:
    """Write log densities under diagonal covariances, for a whitening factor (K, d) per column."""
    n, d = x.shape
    rows = np.zeros((d, LANES))
    squares = np.empty(LANES)
    for start in range(0, n, LANES):
        width = min(LANES, n - start)
        load(x, start, width, rows)
        for k in range(means.shape[0]):
            mean, factor = means[k], whitening[k]
            i = begin_squares(rows, mean, factor, squares)
            while i < d:  # four columns at a time: fewer passes over the sums
                m0, m1, m2, m3 = mean[i], mean[i + 1], mean[i + 2], mean[i + 3]
                f0, f1, f2, f3 = factor[i], factor[i + 1], factor[i + 2], factor[i + 3]
                for t in range(LANES):
                    p, q = (rows[i, t] - m0) * f0, (rows[i + 1, t] - m1) * f1
                    r, s = (rows[i + 2, t] - m2) * f2, (rows[i + 3, t] - m3) * f3
                    squares[t] += (p * p + q * q) + (r * r + s * s)
                i += 4
            store(constants[k], squares, start, width, log_densities[k])


@inlined()
def begin_squares(rows: Any, mean: Any, factor: Any, squares: Any) -> int:
    """Write the squared lengths in the first columns; return how many, so that 4 divides the rest.

    `rows` (d, lanes) are columns, and `squares` (lanes,).
    """
    first = rows.shape[0] % 4
    if first == 0:
        for t in range(LANES):
            squares[t] = 0.0
        return first
    m0, f0 = mean[0], factor[0]
    if first == 1:
        for t in range(LANES):
            p = (rows[0, t] - m0) * f0
            squares[t] = p * p
        return first
    m1, f1 = mean[1], factor[1]
    if first == 2:
        for t in range(LANES):
            p, q = (rows[0, t] - m0) * f0, (rows[1, t] - m1) * f1
            squares[t] = p * p + q * q
        return first
    m2, f2 = mean[2], factor[2]
    for t in range(LANES):
        p, q, r = (rows[0, t] - m0) * f0, (rows[1, t] - m1) * f1, (rows[2, t] - m2) * f2
        squares[t] = p * p + q * q + r * r
    return first


def own_log_densities(
    x: Any, ends: Any, means: Any, whitening: Any, constants: Any, log_densities: Any
) -> None:
    """Write the log density (n,) of each row under one component.

    Rows from ends[k] to ends[k + 1] are evaluated under component k.
    """
    run = full_log_densities if whitening.ndim == 3 else diagonal_log_densities
    for k in range(len(means)):
        rows, one = slice(ends[k], ends[k + 1]), slice(k, k + 1)
        run(x[rows], means[one], whitening[one], constants[one], log_densities[None, rows])
