"""Numbers that are too large or too small to compute with."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .base import FloatArray

LEAST_RATIO = 1e-7  # of deviations, whose squares double precision cannot tell apart from zero


class NamedColumns(NamedTuple):
    """Columns of numbers, and how messages call them.

    Parameters
    ----------
    values : array, shape (n, d)
        NaN where a value is missing.
    name : function of the number of a column
    """

    values: FloatArray
    name: Callable[[int], str]


def check_magnitudes(parts: Sequence[NamedColumns], most: float) -> None:
    """Raise if numbers, or the differences between them, are too large or too small.

    Parameters
    ----------
    parts : sequence of NamedColumns
    most : float
        The largest number, and one over the smallest difference, whose powers fit into double
        precision as far as they are needed.

    Examples
    --------
    >>> check_magnitudes([NamedColumns(np.array([[1e200], [0.0]]), "column {} of X".format)], 1e75)
    Traceback (most recent call last):
    ValueError: Column 0 of X holds 1e+200, whose powers do not fit into double precision: rescale
    it, for example to unit variance, or drop such rows.
    """
    for values, name in parts:
        if 0 in values.shape:
            continue
        lowest = np.fmin.reduce(values, axis=0).astype(float)
        highest = np.fmax.reduce(values, axis=0).astype(float)
        largest = np.where(highest > -lowest, highest, lowest)
        for column in np.flatnonzero(np.abs(largest) > most):
            raise ValueError(
                f"{_capital(name(int(column)))} holds {largest[column]:.3g}, whose powers do not"
                " fit into double precision: rescale it, for example to unit variance, or drop"
                " such rows."
            )
        spread = highest - lowest
        for column in np.flatnonzero((spread > 0) & (spread < 1 / most)):
            raise ValueError(
                f"The values of {name(int(column))} differ by at most {spread[column]:.3g}, whose"
                " powers do not fit into double precision: rescale it, for example to unit"
                " variance."
            )


def are_dependent(parts: Sequence[NamedColumns]) -> bool:
    """Return whether some columns depend on each other, or differ too much in scale.

    Then covariances of these columns are singular in double precision. Rows with missing values
    are left out.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(9, 2))
    >>> [are_dependent([NamedColumns(one, str)]) for one in (X, X[:, [0, 0]])]
    [False, True]
    """
    for values, _ in parts:
        if 0 in values.shape:
            continue
        whole = values[np.isfinite(values).all(axis=1)].astype(float)
        if len(whole) <= whole.shape[1]:
            return True
        spreads = whole.std(axis=0)
        if spreads.min() <= LEAST_RATIO * spreads.max():
            return True
        lengths = np.linalg.svd((whole - whole.mean(axis=0)) / spreads, compute_uv=False)
        if lengths[-1] <= LEAST_RATIO * lengths[0]:
            return True
    return False


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
