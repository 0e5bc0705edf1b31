"""Numbers that are too large or too small to compute with."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .base import FloatArray
from .errors import InputError


class Numbers(NamedTuple):
    """Columns of numbers, and how messages call them.

    Parameters
    ----------
    values : array, shape (n, d)
        NaN where a value is missing.
    name : function of the number of a column
    """

    values: FloatArray
    name: Callable[[int], str]


def check_magnitudes(parts: Sequence[Numbers], most: float) -> None:
    """Raise if numbers, or the differences between them, are too large or too small.

    Parameters
    ----------
    parts : sequence of Numbers
    most : float
        The largest number, and one over the smallest difference, whose powers fit into double
        precision as far as they are needed.

    Examples
    --------
    >>> check_magnitudes([Numbers(np.array([[1e200], [0.0]]), "column {} of X".format)], 1e75)
    Traceback (most recent call last):
    boltzmix.data.errors.InputError: Column 0 of X holds 1e+200, whose powers do not fit into
    double precision: rescale it, for example to unit variance, or drop such rows.
    """
    for values, name in parts:
        if 0 in values.shape:
            continue
        lowest = np.fmin.reduce(values, axis=0).astype(float)
        highest = np.fmax.reduce(values, axis=0).astype(float)
        largest = np.where(highest > -lowest, highest, lowest)
        for column in np.flatnonzero(np.abs(largest) > most):
            raise InputError(
                f"{_capital(name(int(column)))} holds {largest[column]:.3g}, whose powers do not"
                " fit into double precision: rescale it, for example to unit variance, or drop"
                " such rows."
            )
        spread = highest - lowest
        for column in np.flatnonzero((spread > 0) & (spread < 1 / most)):
            raise InputError(
                f"The values of {name(int(column))} differ by at most {spread[column]:.3g}, whose"
                " powers do not fit into double precision: rescale it, for example to unit"
                " variance."
            )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
