"""Numbers that several families need, and how they are kept finite."""

import numpy as np
from scipy.special import gammaln

from ...data import FloatArray


def log_factorials(counts: FloatArray) -> FloatArray:
    """Return log(count!) of each count, from a table where that is shorter than the counts."""
    highest = counts.max(initial=0)
    if not highest < counts.size or counts.min(initial=0) < 0:
        return gammaln(counts + 1)
    return gammaln(np.arange(highest + 1) + 1)[counts.astype(np.intp)]


LOG_2_PI = float(np.log(2 * np.pi))
GAUSSIAN_QUARTILES = 1.3489795  # distance between the quartiles of a standard Gaussian
TINY = float(np.finfo(float).tiny)
LARGEST = float(np.finfo(float).max)


def as_finite(values: FloatArray) -> FloatArray:
    """Return numbers in which the largest finite one replaces those that overflowed."""
    return np.clip(values, -LARGEST, LARGEST)
