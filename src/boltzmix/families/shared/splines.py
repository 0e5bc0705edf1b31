"""Spline functions of time: cubic, with more of them where there are more times."""

from math import factorial
from typing import NamedTuple, Self

import numpy as np
from scipy.interpolate import BSpline

from ... import kernels
from ...data import FloatArray

DEGREE = 3


class SplineBasis(NamedTuple):
    """B-splines of time, which add up to one. Beyond the first and last time they are lines.

    Parameters
    ----------
    origin, span : float
        The first time, and how much later the last one is.
    breaks : array, shape (J + 1,)
        Ends of the intervals in which functions are polynomials, from 0 to 1.
    pieces : array, shape (J, r + 1, r + 1)
        Coefficients in each interval: of powers (rows) and of the functions that are not zero.
    """

    origin: float
    span: float
    breaks: FloatArray
    pieces: FloatArray

    @classmethod
    def of(cls, times: FloatArray, most: int) -> Self:
        """Return at most `most` functions, and no more than there are distinct times."""
        distinct = np.unique(times)
        origin, span = float(distinct[0]), float(distinct[-1] - distinct[0]) or 1.0
        n = min(most, len(distinct))
        degree = min(DEGREE, n - 1)
        if degree == 0:
            return cls(origin, span, np.array([0.0, 1.0]), np.ones((1, 1, 1)))
        fractions = np.linspace(0, 1, n - degree + 1)
        inner = np.unique(np.quantile((times - origin) / span, fractions[1:-1]))
        breaks = np.concatenate([[0.0], inner[(inner > 0) & (inner < 1)], [1.0]])
        knots = np.concatenate([np.zeros(degree), breaks, np.ones(degree)])
        return cls(origin, span, breaks, _pieces(knots, degree, len(breaks) - 1))

    @property
    def n_functions(self) -> int:
        """Number of functions p."""
        return len(self.breaks) + self.pieces.shape[1] - 2

    @property
    def is_whole(self) -> bool:
        """Whether the intervals are in order, and each has its coefficients."""
        n, width = np.size(self.breaks) - 1, np.shape(self.pieces)[-1:]
        shapes = np.shape(self.breaks) == (n + 1,), np.shape(self.pieces) == (n, *width, *width)
        return n > 0 and width != (0,) and all(shapes) and bool((np.diff(self.breaks) > 0).all())

    @property
    def centres(self) -> FloatArray:
        """About where each function is largest, from 0 to 1, shape (p,)."""
        degree = self.pieces.shape[1] - 1
        if degree == 0:
            return np.zeros(1)
        knots = np.concatenate([np.zeros(degree), self.breaks, np.ones(degree)])
        return np.array([knots[a + 1 : a + degree + 1].mean() for a in range(self.n_functions)])

    def scaled(self, times: FloatArray) -> FloatArray:
        """Return times as fractions of the span."""
        return (times - self.origin) / self.span

    def __call__(self, times: FloatArray) -> FloatArray:
        """Return all functions at times (g,), shape (g, p)."""
        values = np.zeros((len(times), self.n_functions))
        kernels.trajectories.spline_values(self.scaled(times), self.breaks, self.pieces, values)
        return values


def _pieces(knots: FloatArray, degree: int, n_intervals: int) -> FloatArray:
    """Return the coefficients of all B-splines in each interval, (J, r + 1, r + 1)."""
    splines = BSpline(knots, np.eye(n_intervals + degree), degree)
    left = knots[degree : degree + n_intervals]
    pieces = np.empty((n_intervals, degree + 1, degree + 1))
    for power in range(degree + 1):
        derivatives = splines(left, nu=power) / factorial(power)
        for interval in range(n_intervals):
            pieces[interval, power] = derivatives[interval, interval : interval + degree + 1]
    return pieces
