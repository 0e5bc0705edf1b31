"""Numbers that several families need, and how they are kept finite."""

import numpy as np

from ...data import FloatArray

LOG_2_PI = float(np.log(2 * np.pi))
GAUSSIAN_QUARTILES = 1.3489795  # distance between the quartiles of a standard Gaussian
TINY = float(np.finfo(float).tiny)
LARGEST = float(np.finfo(float).max)


def as_finite(values: FloatArray) -> FloatArray:
    """Return numbers in which the largest finite one replaces those that overflowed."""
    return np.clip(values, -LARGEST, LARGEST)
