"""Counts, means and scatters of the rows of each component.

Shapes: x (n, d), responsibilities (K, n), labels (n,), weights (n,) or (0,) for ones, counts (K,),
means (K, d), scatters (K, d, d), or (K, d, 1) if not full. Scatters are computed about the means
of the same rows, so that no digits cancel however far the data lie from the origin. Rows whose
responsibility is zero are skipped.
"""

from typing import Any

import numpy as np

from .compile import fast_kernel
from .products import weighted_products, weighted_squares

MANY = 24  # dimensions from which passes over whole rows are faster than loops over columns
PADDING = 8  # prevents columns from sharing cache lines if n is a power of two
CHUNK = 512  # rows processed at once: a few columns of them fit into the nearest cache
FAINT = 1e-300  # total weights below this have no finite inverse


@fast_kernel()
def soft_moments(
    x: Any, responsibilities: Any, full: bool, counts: Any, means: Any, scatters: Any
) -> None:
    """Write the moments of each component, for soft assignments."""
    columns, work = workspace(x, responsibilities)
    for k in range(responsibilities.shape[0]):
        measure_soft(x, columns, work, responsibilities[k], full, k, counts, means, scatters)


@fast_kernel()
def workspace(x: Any, responsibilities: Any) -> Any:
    """Return the transposed x, empty if no component has most rows, and memory of its shape."""
    n, d = x.shape
    work = np.empty((d, n + PADDING))
    for k in range(responsibilities.shape[0]):
        if _count_positive(responsibilities[k]) > n // 2:
            return transposed(x), work
    return np.empty((0, 0)), work


@fast_kernel()
def _count_positive(own: Any) -> int:
    size = 0
    for row in range(len(own)):
        size += 1 if own[row] > 0.0 else 0
    return size


@fast_kernel()
def measure_soft(
    x: Any,
    columns: Any,
    work: Any,
    own: Any,
    full: bool,
    k: int,
    counts: Any,
    means: Any,
    scatters: Any,
) -> None:
    """Write the moments of component k for weights `own` (n,) of the rows.

    `columns` and `work` are what `workspace` returns. If most weights are zero, the other rows are
    copied together first.
    """
    n = len(own)
    if len(columns) > 0 and _count_positive(own) > n // 2:
        _measure(columns, own, 0, n, full, k, counts, means, scatters)
        return
    rows = np.empty(n + 1, dtype=np.int64)
    weights, size = np.empty(n + 1), 0
    for row in range(n):
        rows[size] = row
        weights[size] = own[row]
        if own[row] > 0.0:
            size += 1
    for t in range(size):
        source = x[rows[t]]
        for i in range(len(source)):
            work[i, t] = source[i]
    _measure(work, weights, 0, size, full, k, counts, means, scatters)


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
    columns = transposed(x)
    work = np.empty(columns.shape)
    _choose(columns, rows, n, work)
    for k in range(k_max):
        _measure(work, own, ends[k], ends[k + 1], full, k, counts, means, scatters)


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
def transposed(x: Any) -> Any:
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

    The moments of chunks of rows, which stay in the nearest cache, are added up by the distances of
    their means. Means are measured from an origin among the rows until the end, so that these
    distances have all their digits.
    """
    d, scatter, mean = columns.shape[0], scatters[k], means[k]
    centred = np.empty((d, CHUNK + PADDING))
    part, middle = np.empty(scatter.shape), np.empty(d)
    counts[k] = 0.0
    mean[:] = 0.0
    scatter[:] = 0.0
    if last == first:
        return
    origin = columns[:, first].copy()
    if last - first > CHUNK:
        _centre(columns, weights, first, first + CHUNK, origin, middle, centred)
        origin += middle
    for start in range(first, last, CHUNK):
        stop = min(start + CHUNK, last)
        count = _centre(columns, weights, start, stop, origin, middle, centred)
        if count == 0.0:
            continue
        own = weights[start:stop]
        if full:
            weighted_products(centred, own, part)
        else:
            weighted_squares(centred, own, part)
        _add(counts[k], mean, scatter, count, middle, part)
        counts[k] += count
    if counts[k] > 0.0:
        mean += origin


@fast_kernel()
def _centre(
    columns: Any, weights: Any, start: int, stop: int, origin: Any, middle: Any, centred: Any
) -> float:
    """Write the means (d,) of some rows from an origin (d,), and columns less the means.

    Return the total weight. If it is zero, the means are zero, and nothing else is written. A
    weight whose inverse would overflow counts as zero.
    """
    own, count = weights[start:stop], 0.0
    for t in range(len(own)):
        count += own[t]
    count = count if count > FAINT else 0.0
    middle[:] = 0.0
    for i in range(columns.shape[0] if count > 0.0 else 0):
        column, target = columns[i][start:stop], centred[i]
        here, apart = origin[i], 0.0
        for t in range(len(own)):
            apart += own[t] * (column[t] - here)
        middle[i] = apart / count
        mean = here + middle[i]
        for t in range(len(own)):
            target[t] = column[t] - mean
    return count


@fast_kernel()
def _add(count: float, mean: Any, scatter: Any, more: float, middle: Any, part: Any) -> None:
    """Add the mean and scatter of rows of total weight `more` to those of weight `count`."""
    fraction = more / (count + more)
    for i in range(len(mean)):
        apart = (middle[i] - mean[i]) * (count * fraction)
        if scatter.shape[1] == 1:  # variances only
            scatter[i, 0] += part[i, 0] + apart * (middle[i] - mean[i])
        else:
            for j in range(len(mean)):
                scatter[i, j] += part[i, j] + apart * (middle[j] - mean[j])
    for i in range(len(mean)):
        mean[i] += (middle[i] - mean[i]) * fraction
