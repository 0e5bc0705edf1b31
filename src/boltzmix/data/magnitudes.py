"""Numbers that are too large or too small to compute with."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .base import FloatArray

LARGEST = 1e75  # up to which fourth powers do not overflow
SMALLEST = 1e-75  # down to which fourth powers do not underflow


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


def check_magnitudes(parts: Sequence[Numbers]) -> None:
    """Raise if numbers, or the differences between them, are too large or too small.

    Squares and products of numbers beyond these limits do not fit into double precision.

    Examples
    --------
    >>> check_magnitudes([Numbers(np.array([[1e200], [0.0]]), "column {} of X".format)])
    Traceback (most recent call last):
    ValueError: Column 0 of X holds 1e+200, whose square does not fit into double precision: rescale
    it, for example to unit variance, or drop such rows.
    """
    for values, name in parts:
        if 0 in values.shape:
            continue
        lowest = np.fmin.reduce(values, axis=0).astype(float)
        highest = np.fmax.reduce(values, axis=0).astype(float)
        largest = np.where(highest > -lowest, highest, lowest)
        for column in np.flatnonzero(np.abs(largest) > LARGEST):
            raise ValueError(
                f"{_capital(name(int(column)))} holds {largest[column]:.3g}, whose square does not"
                " fit into double precision: rescale it, for example to unit variance, or drop"
                " such rows."
            )
        spread = highest - lowest
        for column in np.flatnonzero((spread > 0) & (spread < SMALLEST)):
            raise ValueError(
                f"The values of {name(int(column))} differ by at most {spread[column]:.3g}, whose"
                " square does not fit into double precision: rescale it, for example to unit"
                " variance."
            )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
