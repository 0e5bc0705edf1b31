"""Which part of many observations a picture shows: its range, a sample, principal components."""

import numpy as np

from ..data import BoolArray, Data, FloatArray, IntArray, evenly_spaced

FENCE = 5.0  # a member is near if it is at most so many quartile ranges from the quartiles
ROOM = 2.0  # what is at most so many times the range of near members away from it is shown, too


def shown_range(values: FloatArray, labels: IntArray) -> tuple[float, float]:
    """Return the range of values that a picture shows.

    It has all values, except for those that are far from the members of every component, such as
    noise or members in a heavy tail.

    Parameters
    ----------
    values : array, shape (n,)
        NaN where missing.
    labels : array of int, shape (n,)
        -1 for noise.

    Returns
    -------
    low, high : float
        Both are values, or 0 and 1 if there are none.
    """
    there = np.isfinite(values)
    values, labels = values[there], labels[there]
    if not len(values):
        return 0.0, 1.0
    components = np.unique(labels[labels >= 0]) if (labels >= 0).any() else [-1]
    near = np.concatenate([_near(values[labels == k]) for k in components])
    width = np.ptp(near)
    if width == 0:
        return float(values.min()), float(values.max())
    away = np.maximum(near.min() - values, values - near.max())
    shown = values[away <= ROOM * width]
    return float(shown.min()), float(shown.max())


def rows_in_range(rows: FloatArray, labels: IntArray) -> BoolArray:
    """Return which rows (n, d) have all their values in the range that is shown, shape (n,)."""
    ranges = np.array([shown_range(column, labels) for column in rows.T])
    low, high = ranges.T
    return ((rows >= low) & (rows <= high)).all(axis=1)


def _near(members: FloatArray) -> FloatArray:
    """Return the members near the quartiles; all of them if half have the same value."""
    lower, upper = np.quantile(members, [0.25, 0.75])
    fence = FENCE * (upper - lower) or np.inf
    return members[(members >= lower - fence) & (members <= upper + fence)]


MOST_POINTS = 5000


def sample_of_groups(groups: IntArray, n_groups: int, most: int = MOST_POINTS) -> IntArray:
    """Return the indices of at most `most` observations, with many of every small group.

    Half of the places are shared equally by all groups, and the rest in proportion to what is left
    of each group.

    Parameters
    ----------
    groups : array of int, shape (n,)
        The group of each observation, from 0 to `n_groups` - 1.
    n_groups : int
    most : int
    """
    if len(groups) <= most:
        return np.arange(len(groups))
    sizes = np.bincount(groups, minlength=n_groups)
    fair = most // (2 * n_groups)
    left = np.maximum(sizes - fair, 0)
    spare = most - np.minimum(sizes, fair).sum()
    quota = np.minimum(sizes, fair) + (spare * (left / max(left.sum(), 1))).astype(int)
    order = np.argsort(groups, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
    chosen = [
        order[start + evenly_spaced(size, n)]
        for start, size, n in zip(starts[:-1], sizes.tolist(), quota.tolist(), strict=True)
    ]
    return np.sort(np.concatenate(chosen))


MOST_ROWS = 50_000  # rows from which principal components are computed


def principal_components(data: Data, labels: IntArray, most: int) -> tuple[FloatArray, FloatArray]:
    """Return the first principal components of columns scaled to unit variance.

    The coordinates of rows (m, d) are ``rows @ directions.T - offsets``, which are zero at the mean
    of the rows. The largest weight of each direction is positive. Rows far from all
    components, such as noise, do not count.

    Parameters
    ----------
    data : Rows or Columns
    labels : array of int, shape (n,)
        The component of each row; -1 for noise.
    most : int
        Largest number of principal components.

    Returns
    -------
    directions : array, shape (q, d)
    offsets : array, shape (q,)
    """
    some = evenly_spaced(len(data), MOST_ROWS)
    rows = data.take(some).as_vectors().astype(float)
    rows = rows[rows_in_range(rows, labels[some])]
    if len(rows) < 2:
        return np.eye(rows.shape[1])[:most], np.zeros(min(most, rows.shape[1]))
    spread = rows.std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    centred = (rows - rows.mean(axis=0)) / scale
    if rows.shape[1] > len(rows):  # no matrix of columns by columns
        found = np.linalg.svd(centred, full_matrices=False)[2][:most]
    else:
        found = np.linalg.eigh(np.cov(centred, rowvar=False))[1][:, ::-1][:, :most].T
    largest = found[np.arange(len(found)), np.abs(found).argmax(axis=1)]
    directions = found * np.sign(largest)[:, None] / scale
    return directions, directions @ rows.mean(axis=0)
