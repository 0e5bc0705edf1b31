"""Functions of counts."""

import numpy as np
from scipy.special import gammaln

from ...data import FloatArray


def log_factorials(counts: FloatArray) -> FloatArray:
    """Return log(count!) of each count, from a table where that is shorter than the counts."""
    highest = counts.max(initial=0)
    if not highest < counts.size or counts.min(initial=0) < 0:
        return gammaln(counts + 1)
    return gammaln(np.arange(highest + 1) + 1)[counts.astype(np.intp)]
