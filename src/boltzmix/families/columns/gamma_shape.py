"""The likeliest shape of gamma distributions."""

import numpy as np
from scipy.special import digamma, zeta

from ...data import FloatArray
from .roots import decreasing_root

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
