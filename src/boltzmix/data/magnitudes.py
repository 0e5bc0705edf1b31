"""Numbers that are too large or too small to compute with."""

from collections.abc import Sequence

import numpy as np

from .base import NamedColumns


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


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
