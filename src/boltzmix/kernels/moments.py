"""Counts, means and scatters of each component's rows.

Shapes: x (n, d), shares (K, n), labels (n,), weights (n,) or (0,) for ones, counts (K,),
means (K, d), scatters (K, d, d), or (K, d, 1) if not full. Scatters are about the means just
found, so that nothing cancels however far the data lie from the origin. Rows without a share
are passed over.
"""

from typing import Any

import numpy as np

from .compile import fast_kernel

PRODUCTS_FROM = 12  # dimensions from which a matrix product beats loops


@fast_kernel()
def soft_moments(x: Any, shares: Any, full: bool, counts: Any, means: Any, scatters: Any) -> None:
    """Measure the rows shared out to each component."""
    n, d = x.shape
    rows = np.empty((n, d))
    weights = np.empty(n)
    for k in range(shares.shape[0]):
        size = 0
        for row in range(n):
            share = shares[k, row]
            if share > 0.0:
                weights[size] = share
                for i in range(d):
                    rows[size, i] = x[row, i]
                size += 1
        _measure(rows[:size], weights[:size], full, k, counts, means, scatters)


@fast_kernel()
def hard_moments(
    x: Any, labels: Any, weights: Any, full: bool, counts: Any, means: Any, scatters: Any
) -> None:
    """Measure the rows given to each component."""
    n, d = x.shape
    k_max = counts.shape[0]
    ends = np.zeros(k_max + 1, dtype=np.int64)
    for row in range(n):
        ends[labels[row] + 1] += 1
    for k in range(k_max):
        ends[k + 1] += ends[k]
    places = ends[:k_max].copy()
    rows = np.empty((n, d))
    sorted_weights = np.ones(n)
    for row in range(n):
        place = places[labels[row]]
        places[labels[row]] += 1
        for i in range(d):
            rows[place, i] = x[row, i]
        if weights.shape[0] > 0:
            sorted_weights[place] = weights[row]
    for k in range(k_max):
        own = slice(ends[k], ends[k + 1])
        _measure(rows[own], sorted_weights[own], full, k, counts, means, scatters)


@fast_kernel()
def _measure(
    rows: Any, weights: Any, full: bool, k: int, counts: Any, means: Any, scatters: Any
) -> None:
    """Write count, mean and scatter of one component; centres `rows` in place."""
    size, d = rows.shape
    count = 0.0
    for t in range(size):
        count += weights[t]
    counts[k] = count
    scatter = scatters[k]
    if count == 0.0:
        means[k] = 0.0
        scatter[:] = 0.0
        return
    mean = np.zeros(d)
    first = rows[0].copy()
    for t in range(size):
        weight = weights[t]
        for i in range(d):
            rows[t, i] -= first[i]
            mean[i] += weight * rows[t, i]
    for i in range(d):
        mean[i] /= count
        means[k, i] = first[i] + mean[i]
    for t in range(size):
        for i in range(d):
            rows[t, i] -= mean[i]
    if full:
        _full_scatter(rows, weights, scatter)
    else:
        scatter[:] = 0.0
        for t in range(size):
            weight = weights[t]
            for i in range(d):
                scatter[i, 0] += weight * rows[t, i] * rows[t, i]


@fast_kernel()
def _full_scatter(rows: Any, weights: Any, scatter: Any) -> None:
    """Write the sum of weighted outer products of `rows`."""
    size, d = rows.shape
    if d >= PRODUCTS_FROM:
        for t in range(size):
            root = np.sqrt(weights[t])
            for i in range(d):
                rows[t, i] *= root
        scatter[:] = np.dot(rows.T, rows)
        return
    scatter[:] = 0.0
    for t in range(size):
        weight = weights[t]
        for i in range(d):
            scaled = weight * rows[t, i]
            for j in range(i + 1):
                scatter[i, j] += scaled * rows[t, j]
    for i in range(d):
        for j in range(i):
            scatter[j, i] = scatter[i, j]
