"""Weighted sums of squares and products of columns.

Shapes: columns (d, n or more), own (n,), the weights; part (d, d) for products, (d, 1) for squares.
"""

from typing import Any

import numpy as np

from .compile import fast_kernel


@fast_kernel()
def weighted_squares(columns: Any, own: Any, part: Any) -> None:
    """Write sums of weighted squares of columns."""
    for i in range(columns.shape[0]):
        column = columns[i]
        square = 0.0
        for t in range(len(own)):
            square += own[t] * column[t] * column[t]
        part[i, 0] = square


@fast_kernel()
def weighted_products(columns: Any, own: Any, part: Any) -> None:
    """Write sums of weighted products of columns.

    Two rows and two columns of the products are computed at a time, for one load per product. It is
    faster than a matrix product, because it computes only one triangle.
    """
    d = columns.shape[0]
    upper, lower = np.empty(len(own)), np.empty(len(own))
    for i in range(0, d - 1, 2):
        up, low = columns[i], columns[i + 1]
        for t in range(len(own)):
            upper[t] = own[t] * up[t]
            lower[t] = own[t] * low[t]
        for j in range(0, i + 2, 2):
            left, right = columns[j], columns[j + 1]
            a, b, c, e = 0.0, 0.0, 0.0, 0.0
            for t in range(len(own)):
                a += upper[t] * left[t]
                b += upper[t] * right[t]
                c += lower[t] * left[t]
                e += lower[t] * right[t]
            part[i, j], part[i, j + 1] = a, b
            part[i + 1, j], part[i + 1, j + 1] = c, e
    if d % 2 == 1:
        up = columns[d - 1]
        for t in range(len(own)):
            upper[t] = own[t] * up[t]
        for j in range(d):
            left = columns[j]
            a = 0.0
            for t in range(len(own)):
                a += upper[t] * left[t]
            part[d - 1, j] = a
    for i in range(d):
        for j in range(i):
            part[j, i] = part[i, j]
