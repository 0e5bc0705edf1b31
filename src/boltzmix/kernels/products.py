"""Weighted means of a chunk of rows, and sums of products about them.

Shapes: columns (d, n), origin (d,), apart (d,), centred (d + 2, n or more), of which the
last two rows are memory, own (n,), the weights; scatter (d,) for squares, (d, d) for products.
"""

from typing import Any

from .compile import inlined

FAINT = 1e-300  # total weights below this have no finite inverse


@inlined()
def centre(
    columns: Any, weights: Any, start: int, stop: int, origin: Any, apart: Any, centred: Any
) -> float:
    """Write how far the means of some rows are from an origin, and columns less the means.

    Return the total weight. If it is zero, the means are those of the origin, and nothing else is
    written. A weight whose inverse would overflow counts as zero.
    """
    own, count = weights[start:stop], 0.0
    for t in range(len(own)):
        count += own[t]
    count = count if count > FAINT else 0.0
    for i in range(columns.shape[0]):
        column, target, here, sum_apart = columns[i][start:stop], centred[i], origin[i], 0.0
        if count > 0.0:
            for t in range(len(own)):
                sum_apart += own[t] * (column[t] - here)
            sum_apart /= count
            mean = here + sum_apart
            for t in range(len(own)):
                target[t] = column[t] - mean
        apart[i] = sum_apart
    return count


@inlined()
def add_squares(centred: Any, own: Any, apart: Any, factor: float, scatter: Any) -> None:
    """Add sums of weighted squares of columns, and `factor` times the squares of `apart`."""
    for i in range(len(apart)):
        column, square = centred[i], 0.0
        for t in range(len(own)):
            square += own[t] * column[t] * column[t]
        scatter[i] += square + factor * apart[i] * apart[i]


@inlined()
def add_products(centred: Any, own: Any, apart: Any, factor: float, scatter: Any) -> None:
    """Add the lower triangle of the same for products.

    Two rows and two columns of the products are computed at a time, for one load per product. It is
    faster than a matrix product, because it computes only one triangle.
    """
    d = len(apart)
    upper, lower = centred[d], centred[d + 1]
    for i in range(0, d - 1, 2):
        up, low, p, q = centred[i], centred[i + 1], factor * apart[i], factor * apart[i + 1]
        for t in range(len(own)):
            upper[t] = own[t] * up[t]
            lower[t] = own[t] * low[t]
        for j in range(0, i + 2, 2):
            left, right = centred[j], centred[j + 1]
            a, b, c, e = 0.0, 0.0, 0.0, 0.0
            for t in range(len(own)):
                a += upper[t] * left[t]
                b += upper[t] * right[t]
                c += lower[t] * left[t]
                e += lower[t] * right[t]
            scatter[i, j] += a + p * apart[j]
            scatter[i, j + 1] += b + p * apart[j + 1]
            scatter[i + 1, j] += c + q * apart[j]
            scatter[i + 1, j + 1] += e + q * apart[j + 1]
    if d % 2 == 1:
        up, p = centred[d - 1], factor * apart[d - 1]
        for t in range(len(own)):
            upper[t] = own[t] * up[t]
        for j in range(d):
            left, a = centred[j], 0.0
            for t in range(len(own)):
                a += upper[t] * left[t]
            scatter[d - 1, j] += a + p * apart[j]
