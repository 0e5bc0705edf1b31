"""Counts, means and scatters of the rows of each component.

Shapes: x (n, d), responsibilities (K, n), labels (n,), weights (n,) or (0,) for ones, counts (K,),
means (K, d), scatters (K, d, d), or (K, d, 1) if not full. Scatters are computed about the means
of the same rows, so that no digits cancel however far the data lie from the origin. Rows whose
responsibility is zero are skipped.
"""

from typing import Any

import numpy as np

from .compile import fast_kernel

MANY = 24  # dimensions from which matrix products, or whole rows, are faster than column loops
PADDING = 8  # prevents columns from sharing cache lines if n is a power of two
CHUNK = 512  # rows processed at once: a few columns of them fit into the nearest cache


@fast_kernel()
def soft_moments(
    x: Any, responsibilities: Any, full: bool, counts: Any, means: Any, scatters: Any
) -> None:
    """Write the moments of each component, for soft assignments."""
    n = len(x)
    columns = _transpose(x)
    work = np.empty(columns.shape)
    rows = np.empty(n + 1, dtype=np.int64)
    weights = np.empty(n + 1)
    for k in range(responsibilities.shape[0]):
        own = responsibilities[k]
        size = 0
        for row in range(n):
            size += 1 if own[row] > 0.0 else 0
        if size > n // 2:
            _measure(columns, work, own, 0, n, full, k, counts, means, scatters)
            continue
        size = 0
        for row in range(n):
            rows[size] = row
            weights[size] = own[row]
            if own[row] > 0.0:
                size += 1
        _choose(columns, rows, size, work)
        _measure(work, work, weights, 0, size, full, k, counts, means, scatters)


@fast_kernel()
def hard_moments(
    x: Any, labels: Any, weights: Any, full: bool, counts: Any, means: Any, scatters: Any
) -> None:
    """Write the moments of each component, for hard assignments."""
    n, d = x.shape
    if not full and d >= MANY:
        _measure_by_rows(x, labels, weights, counts, means, scatters)
        return
    k_max = counts.shape[0]
    ends = np.zeros(k_max + 1, dtype=np.int64)
    for row in range(n):
        ends[labels[row] + 1] += 1
    for k in range(k_max):
        ends[k + 1] += ends[k]
    places = np.empty(k_max, dtype=np.int64)
    for k in range(k_max):
        places[k] = ends[k]
    rows = np.empty(n, dtype=np.int64)
    own = np.ones(n)
    for row in range(n):
        place = places[labels[row]]
        places[labels[row]] += 1
        rows[place] = row
        if weights.shape[0] > 0:
            own[place] = weights[row]
    columns = _transpose(x)
    work = np.empty(columns.shape)
    _choose(columns, rows, n, work)
    for k in range(k_max):
        _measure(work, work, own, ends[k], ends[k + 1], full, k, counts, means, scatters)


@fast_kernel()
def _measure_by_rows(
    x: Any, labels: Any, weights: Any, counts: Any, means: Any, scatters: Any
) -> None:
    """Write moments with diagonal scatters, in two passes over the rows in their order."""
    n, d = x.shape
    k_max = counts.shape[0]
    origins = np.zeros((k_max, d))
    sums = np.zeros((k_max, d))
    for k in range(k_max):
        counts[k] = 0.0
    for row in range(n):
        k = labels[row]
        weight = weights[row] if weights.shape[0] > 0 else 1.0
        own, origin, total = x[row], origins[k], sums[k]
        if counts[k] == 0.0:
            for i in range(d):
                origin[i] = own[i]
        counts[k] += weight
        for i in range(d):
            total[i] += weight * (own[i] - origin[i])
    for k in range(k_max):
        for i in range(d):
            means[k, i] = origins[k, i] + sums[k, i] / max(counts[k], 1e-300)
            sums[k, i] = 0.0
    for row in range(n):
        k = labels[row]
        weight = weights[row] if weights.shape[0] > 0 else 1.0
        own, mean, total = x[row], means[k], sums[k]
        for i in range(d):
            total[i] += weight * (own[i] - mean[i]) ** 2
    for k in range(k_max):
        for i in range(d):
            scatters[k, i, 0] = sums[k, i]


@fast_kernel()
def _transpose(x: Any) -> Any:
    """Return the columns of x as rows, shape (d, n + PADDING)."""
    n, d = x.shape
    columns = np.empty((d, n + PADDING))
    for row in range(n):
        for i in range(d):
            columns[i, row] = x[row, i]
    return columns


@fast_kernel()
def _choose(columns: Any, rows: Any, size: int, chosen: Any) -> None:
    """Copy the rows whose numbers are the first `size` of `rows` into `chosen`, in order."""
    for i in range(columns.shape[0]):
        source, target = columns[i], chosen[i]
        for t in range(size):
            target[t] = source[rows[t]]


@fast_kernel()
def _measure(
    columns: Any,
    centred: Any,
    weights: Any,
    first: int,
    last: int,
    full: bool,
    k: int,
    counts: Any,
    means: Any,
    scatters: Any,
) -> None:
    """Write the moments of component k, of the rows from `first` to `last` of columns (d, n).

    `centred` (d, n) is working memory, and may be `columns` itself.
    """
    d, own = columns.shape[0], weights[first:last]
    size = len(own)
    count = 0.0
    for t in range(size):
        count += own[t]
    counts[k] = count
    scatter = scatters[k]
    for i in range(d):
        means[k, i] = 0.0
        for j in range(scatter.shape[1]):
            scatter[i, j] = 0.0
    if count == 0.0:
        return
    for i in range(d):
        column = columns[i][first:last]
        origin = column[0]
        apart = 0.0
        for t in range(size):
            apart += own[t] * (column[t] - origin)
        mean = origin + apart / count
        means[k, i] = mean
        if full:
            target = centred[i][first:last]
            for t in range(size):
                target[t] = column[t] - mean
        else:
            square = 0.0
            for t in range(size):
                square += own[t] * (column[t] - mean) ** 2
            scatter[i, 0] = square
    if full and d < MANY:
        _scatter_by_loops(centred, weights, first, last, scatter)
    elif full:
        _scatter_by_products(centred, weights, first, last, scatter)


@fast_kernel()
def _scatter_by_loops(columns: Any, weights: Any, first: int, last: int, scatter: Any) -> None:
    """Write sums of weighted products of centred columns, by loops."""
    d = columns.shape[0]
    weighted = np.empty(CHUNK)
    for start in range(first, last, CHUNK):
        stop = min(start + CHUNK, last)
        own = weights[start:stop]
        for i in range(d):
            left = columns[i][start:stop]
            for t in range(len(own)):
                weighted[t] = own[t] * left[t]
            for j in range(i + 1):
                right = columns[j][start:stop]
                product = 0.0
                for t in range(len(own)):
                    product += weighted[t] * right[t]
                scatter[i, j] += product
    for i in range(d):
        for j in range(i):
            scatter[j, i] = scatter[i, j]


@fast_kernel()
def _scatter_by_products(columns: Any, weights: Any, first: int, last: int, scatter: Any) -> None:
    """Write sums of weighted products of centred columns, by a matrix product."""
    d, own = columns.shape[0], weights[first:last]
    left = np.empty((d, len(own)))
    right = np.empty((len(own), d))
    for i in range(d):
        column = columns[i][first:last]
        for t in range(len(own)):
            left[i, t] = own[t] * column[t]
            right[t, i] = column[t]
    np.dot(left, right, scatter)
