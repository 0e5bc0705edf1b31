"""Choosing some of the observations."""

import numpy as np

from .base import IntArray


def evenly_spaced(n: int, most: int) -> IntArray:
    """Return the indices of at most `most` of n observations, evenly spaced.

    The first and the last observation are among them, if `most` is at least two.

    Parameters
    ----------
    n : int
        Number of observations.
    most : int
        Largest number of indices to return.

    Returns
    -------
    array of int, shape (min(n, most),)
        Distinct indices, in ascending order.

    Examples
    --------
    >>> evenly_spaced(10, 4)
    array([0, 3, 6, 9])
    >>> evenly_spaced(3, 4)
    array([0, 1, 2])
    """
    return np.linspace(0, n - 1, min(most, n)).astype(int)
