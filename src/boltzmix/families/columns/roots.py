"""Roots of many functions of one positive number each, found together."""

from collections.abc import Callable

import numpy as np
from scipy.special import digamma, zeta

from ...data import FloatArray

STEPS = 80
CLOSE = 1e-12


def decreasing_root(
    function: Callable[[FloatArray], tuple[FloatArray, FloatArray]],
    start: FloatArray,
    low: FloatArray | float,
    high: FloatArray | float,
) -> FloatArray:
    """Return where functions fall through zero, or the end of the range that comes closest.

    Steps are Newton's in the logarithm; one that would leave the range in which the root is known
    to lie goes to the middle of that range instead.

    Parameters
    ----------
    function : function of numbers (d,) returning values (d,) and slopes (d,)
        Positive before its root and negative beyond.
    start : array, shape (d,)
    low, high : float or array of shape (d,), above zero

    Examples
    --------
    >>> decreasing_root(lambda x: (4 - x**2, -2 * x), np.ones(2), 0.1, np.array([10, 1.5]))
    array([2. , 1.5])
    """
    low, high = np.broadcast_to(low, start.shape), np.broadcast_to(high, start.shape)
    least, most = np.log(low), np.log(high)
    beyond, before = function(high)[0] >= 0, function(low)[0] <= 0
    place = np.log(np.clip(start, low, high))
    for _ in range(STEPS):
        value, slope = function(np.exp(place))
        least, most = np.where(value > 0, place, least), np.where(value < 0, place, most)
        following = _newton(place, value, slope, least, most)
        converged = (np.abs(following - place) < CLOSE) | beyond | before
        place = following
        if converged.all():
            break
    return np.where(before, low, np.where(beyond, high, np.exp(place)))


def _newton(
    place: FloatArray, value: FloatArray, slope: FloatArray, least: FloatArray, most: FloatArray
) -> FloatArray:
    """Return the logarithms (d,) after a step of Newton's, or the middle of the range."""
    falls = slope < 0
    step = np.where(falls, -value / np.where(falls, slope * np.exp(place), -1.0), np.inf)
    following = np.where(value == 0, place, place + step)
    inside = (following >= least) & (following <= most)
    return np.where(inside, following, (least + most) / 2)


LEAST_SHAPE, MOST_SHAPE = 1e-6, 1e8


def likeliest_shape(gap: FloatArray, most: FloatArray | float = MOST_SHAPE) -> FloatArray:
    """Return the shapes (d,) at which log(shape) - digamma(shape) is a gap, at most `most`.

    Parameters
    ----------
    gap : array, shape (d,)
        The logarithm of the mean minus the mean of the logarithms.
    most : float or array, shape (d,)

    Examples
    --------
    >>> likeliest_shape(np.array([0.5772156649])).round(6)
    array([1.])
    """
    gap = np.maximum(gap, 0.25 / MOST_SHAPE)
    start = (3 - gap + np.sqrt((3 - gap) ** 2 + 24 * gap)) / (12 * gap)

    def excess(shape: FloatArray) -> tuple[FloatArray, FloatArray]:
        return np.log(shape) - digamma(shape) - gap, 1 / shape - zeta(2, shape)

    return decreasing_root(excess, start, LEAST_SHAPE, most)
