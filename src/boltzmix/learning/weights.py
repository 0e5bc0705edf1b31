"""Mixing weights, from how much each component was given."""

from collections.abc import Callable

import numpy as np

from ..data import FloatArray

Weighting = Callable[[FloatArray], FloatArray]


def uniform(counts: FloatArray) -> FloatArray:
    """Give every component the same weight (the paper's weights I)."""
    return np.full(len(counts), 1 / len(counts))


def learned(counts: FloatArray) -> FloatArray:
    """Give every component its share of the observations (the paper's weights II)."""
    counts = counts + 10 * np.finfo(float).eps
    return np.asarray(counts / counts.sum(), dtype=float)
