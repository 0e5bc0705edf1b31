"""Counts, means and scatters of the rows of each component.

Shapes: x (n, d), responsibilities (K, n), labels (n,), weights (n,) or (0,) for ones, counts (K,),
means (K, d), scatters (K, d, d), or (K, d) for those of each column alone. Scatters are computed
about the means of the same rows, so that no digits cancel however far the data lie from the
origin. Rows whose responsibility is zero are skipped.

Soft and hard assignments share `_measure`, the largest kernel, so that it is compiled once.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from .compile import fast_kernel
from .products import add_products, add_squares, centre

MANY = 24  # dimensions from which passes over whole rows are faster than loops over columns
PADDING = 8  # prevents columns from sharing cache lines if n is a power of two
CHUNK = 512  # rows processed at once: a few columns of them fit into the nearest cache


def soft_moments(x: Any, responsibilities: Any, counts: Any, means: Any, scatters: Any) -> None:
    """Write the moments of each component, for soft assignments.

    If most responsibilities of a component are zero, the other rows are copied together first.
    """
    (n, d), columns = x.shape, None
    rows, weights, chosen = np.empty(n + 1, np.int64), np.empty(n + 1), np.empty((d, n + PADDING))
    memory = _memory(d)
    for k, own in enumerate(responsibilities):
        size = _choose(x, own, rows, weights, chosen)
        if size <= n // 2:
            counts[k] = _measure(chosen, weights, 0, size, means[k], scatters[k], *memory)
            continue
        if columns is None:
            columns = np.empty((d, n + PADDING))
            columns[:, :n] = x.T
        counts[k] = _measure(columns, own, 0, n, means[k], scatters[k], *memory)


def hard_moments(x: Any, labels: Any, weights: Any, counts: Any, means: Any, scatters: Any) -> None:
    """Write the moments of each component, for hard assignments."""
    (n, d), k_max = x.shape, len(counts)
    if scatters.ndim == 2 and d >= MANY:
        _measure_by_rows(x, labels, weights, counts, means, scatters)
        return
    columns, own = np.empty((d, n + PADDING)), np.empty(n)
    ends = np.empty(k_max + 1, dtype=np.int64)
    _group(x, labels, weights, ends, columns, own)
    memory = _memory(d)
    for k, (first, last) in enumerate(pairwise(ends.tolist())):
        counts[k] = _measure(columns, own, first, last, means[k], scatters[k], *memory)


def _memory(d: int) -> tuple[Any, Any]:
    """Return memory for `_measure`."""
    return np.empty((d + 2, CHUNK + PADDING)), np.empty((2, d))


@fast_kernel(allocates=False)
def _choose(x: Any, own: Any, rows: Any, weights: Any, chosen: Any) -> int:
    """Return how many weights are positive, and write the columns of their rows if these are few.

    `rows` and `weights` are (n + 1,): they are written without a branch, which is faster.
    """
    n, size = len(own), 0
    for row in range(n):
        rows[size] = row
        weights[size] = own[row]
        size += 1 if own[row] > 0.0 else 0
    if size <= n // 2:
        for t in range(size):
            for i in range(x.shape[1]):
                chosen[i, t] = x[rows[t], i]
    return size


@fast_kernel(allocates=False)
def _group(x: Any, labels: Any, weights: Any, ends: Any, columns: Any, own: Any) -> None:
    """Write the columns and weights of rows in the order of their labels.

    Rows of component k lie from ends[k] to ends[k + 1].
    """
    n, d = x.shape
    for k in range(len(ends)):
        ends[k] = 0
    for row in range(n):
        ends[labels[row]] += 1
    total = 0
    for k in range(len(ends)):  # where the rows of component k begin
        size = ends[k]
        ends[k] = total
        total += size
    for row in range(n):
        place = ends[labels[row]]
        ends[labels[row]] += 1
        own[place] = weights[row] if weights.shape[0] > 0 else 1.0
        for i in range(d):
            columns[i, place] = x[row, i]
    for k in range(len(ends) - 1, 0, -1):  # now ends[k] is where they end
        ends[k] = ends[k - 1]
    ends[0] = 0


@fast_kernel(allocates=False)
def _measure(
    columns: Any,
    weights: Any,
    first: int,
    last: int,
    mean: Any,
    scatter: Any,
    centred: Any,
    vectors: Any,
) -> float:
    """Write mean (d,) and scatter of the rows from `first` to `last` of columns (d, n).

    Return their total weight. The moments of chunks of rows, which stay in the nearest cache, are
    added up by the distances of their means. Means are measured from that of the first chunk until
    the end, so that these distances have all their digits. The last two arrays are memory.
    """
    d, origin, apart, total = columns.shape[0], vectors[0], vectors[1], 0.0
    for i in range(d):
        mean[i] = 0.0
        origin[i] = columns[i, first] if last > first else 0.0
        if scatter.ndim == 1:  # Numba decides this when it compiles
            scatter[i] = 0.0
        else:
            for j in range(d):
                scatter[i, j] = 0.0
    start, is_centred = first, last - first <= CHUNK
    while start < last:
        stop = min(start + CHUNK, last)
        count = centre(columns, weights, start, stop, origin, apart, centred)
        if count == 0.0:
            start = stop
            continue
        for i in range(d):
            if is_centred:
                apart[i] -= mean[i]
            else:
                origin[i] += apart[i]
        if not is_centred:  # now this chunk is measured from its own mean
            is_centred = True
            continue
        fraction = count / (total + count)
        own = weights[start:stop]
        if scatter.ndim == 1:
            add_squares(centred, own, apart, total * fraction, scatter)
        else:
            add_products(centred, own, apart, total * fraction, scatter)
        for i in range(d):
            mean[i] += apart[i] * fraction
        total += count
        start = stop
    for i in range(d):
        mean[i] += origin[i] if total > 0.0 else 0.0
        if scatter.ndim == 2:
            for j in range(i):
                scatter[j, i] = scatter[i, j]
    return total


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
            scatters[k, i] = sums[k, i]
