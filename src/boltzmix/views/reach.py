"""The range of values that a picture shows, which a few far observations do not stretch."""

import numpy as np

from ..data import BoolArray, FloatArray, IntArray

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
