"""Counts, means and scatters of the rows of each component.

Shapes: x (n, d), responsibilities (K, n), labels (n,), weights (n,) or (0,) for ones, counts (K,),
means (K, d), scatters (K, d, d), or (K, d) for those of each column alone. Scatters are computed
about the means of the same rows, so that no digits cancel however far the data lie from the
origin. Rows whose responsibility is zero are skipped.

The loops over components are Python, so that `_measure`, the largest kernel, is compiled once for
all of them.
"""

from typing import Any

import numpy as np

from .compile import fast_kernel
from .products import add_products, add_squares, centre

MANY = 24  # dimensions from which passes over whole rows are faster than loops over columns
PADDING = 8  # prevents columns from sharing cache lines if n is a power of two
CHUNK = 512  # rows processed at once: a few columns of them fit into the nearest cache


def soft_moments(x: Any, responsibilities: Any, counts: Any, means: Any, scatters: Any) -> None:
    """Write the moments of each component, for soft assignments."""
    work = workspace(x, responsibilities)
    for k, own in enumerate(responsibilities):
        counts[k] = measure_soft(x, work, own, k, means[k], scatters[k])


def workspace(x: Any, responsibilities: Any) -> Any:
    """Return which components have most rows, the columns of x if there are such, and memory."""
    (n, d), sizes = x.shape, np.empty(len(responsibilities), dtype=np.int64)
    _count_positive(responsibilities, sizes)
    has_most = sizes > n // 2
    columns = np.empty((d, n + PADDING if has_most.any() else 0))
    if columns.shape[1]:
        _transpose(x, columns)
    chosen = np.empty(n + 1, dtype=np.int64), np.empty(n + 1), np.empty((d, n + PADDING))
    return has_most, columns, chosen, _memory(d)


def measure_soft(x: Any, work: Any, own: Any, k: int, mean: Any, scatter: Any) -> float:
    """Write the mean and scatter of component k for weights `own` (n,); return the total weight.

    `work` is what `workspace` returns. If most weights are zero, the other rows are copied
    together first.
    """
    has_most, columns, chosen, memory = work
    if has_most[k]:
        return _measure(columns, own, 0, len(own), mean, scatter, *memory)
    size = _choose(x, own, *chosen)
    _, weights, columns = chosen
    return _measure(columns, weights, 0, size, mean, scatter, *memory)


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
    for k in range(k_max):
        rows = ends[k], ends[k + 1]
        counts[k] = _measure(columns, own, *rows, means[k], scatters[k], *memory)


def _memory(d: int) -> tuple[Any, Any]:
    """Return memory for `_measure`."""
    return np.empty((d + 2, CHUNK + PADDING)), np.empty((2, d))


@fast_kernel()
def _count_positive(responsibilities: Any, sizes: Any) -> None:
    """Write how many responsibilities of each component are positive (K,)."""
    for k in range(responsibilities.shape[0]):
        own, size = responsibilities[k], 0
        for row in range(len(own)):
            size += 1 if own[row] > 0.0 else 0
        sizes[k] = size


@fast_kernel()
def _transpose(x: Any, columns: Any) -> None:
    """Write the columns of x."""
    n, d = x.shape
    for row in range(n):
        for i in range(d):
            columns[i, row] = x[row, i]


@fast_kernel()
def _choose(x: Any, own: Any, rows: Any, weights: Any, chosen: Any) -> int:
    """Write the columns of the rows of positive weight, and these weights; return how many.

    `rows` and `weights` are (n + 1,): they are written without a branch, which is faster.
    """
    size = 0
    for row in range(len(own)):
        rows[size] = row
        weights[size] = own[row]
        if own[row] > 0.0:
            size += 1
    for t in range(size):
        source = x[rows[t]]
        for i in range(len(source)):
            chosen[i, t] = source[i]
    return size


@fast_kernel()
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


@fast_kernel()
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
