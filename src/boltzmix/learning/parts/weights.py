"""Mixing weights, from the total responsibilities of the components."""

import numpy as np

from ...data import FloatArray
from ..engine.contract import Weighting


def uniform(counts: FloatArray) -> FloatArray:
    """Give every component the same weight (the paper's weights I)."""
    return np.full(len(counts), 1 / len(counts))


def learned(counts: FloatArray) -> FloatArray:
    """Make weights proportional to total responsibilities (the paper's weights II)."""
    counts = counts + 10 * np.finfo(float).eps
    return np.asarray(counts / counts.sum(), dtype=float)


WEIGHTINGS: dict[str, Weighting] = {"uniform": uniform, "learned": learned}
