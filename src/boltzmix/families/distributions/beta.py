"""The beta distribution of fractions, with independent columns."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import betaln, digamma, polygamma

from ...data import BoolArray, FloatArray
from ..columns.exponential_columns import ExponentialColumns
from ..columns.roots import decreasing_root

LEAST, MOST = 1e-6, 1e8
STEPS = 100
CLOSE = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Beta(ExponentialColumns):
    """Numbers between 0 and 1, such as fractions; columns are independent.

    The mean is a / (a + b).

    Parameters
    ----------
    a : array, shape (d,), optional
        Present once fitted.
    b : array, shape (d,), optional
        Present once fitted.
    floor : float, default=0.01
        Limits how narrow a component may become: its a + b is at most that of all the data, over
        the square of this. In a mixture of K components, it is divided by K^(1/d).

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> Beta().fit(Table.of([[0.2], [0.4], [0.3], [0.5]]))
    Beta(a=[6.1369], b=[11.4141])
    """

    parameters: ClassVar = {"a": "finite and above zero", "b": "finite and above zero"}
    takes = "numbers between 0 and 1, ends excluded"

    a: FloatArray | None = None
    b: FloatArray | None = None

    def outside(self, values: FloatArray) -> BoolArray:
        """Return which cells are not between 0 and 1."""
        return (values <= 0) | (values >= 1)

    def functions(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return log(x) and log(1 - x)."""
        return np.log(values), np.log1p(-values)

    @property
    def natural(self) -> FloatArray:
        """A constant, and the factors of both logarithms, shape (3, d)."""
        a, b = self.fitted_parameters
        return np.stack([-betaln(a, b), a - 1, b - 1])

    def solve(self, weight: FloatArray, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return a and b, by Newton's method; where a + b exceeds its limit, it is the limit."""
        a, b = _newton(means)
        most = np.broadcast_to(self._most_concentration(), a.shape)
        too_large, limited = a + b > most, _with_concentration(most, means)
        return np.where(too_large, limited, a), np.where(too_large, most - limited, b)

    def at(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the parameters whose means are the values."""
        concentration = np.sum(self.fitted_parameters, axis=0)
        return concentration * values, concentration * (1 - values)

    @property
    def means(self) -> FloatArray:
        a, b = self.fitted_parameters
        return a / (a + b)

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        a, b = self.fitted_parameters
        smallest, largest = np.finfo(float).tiny, 1 - np.finfo(float).epsneg
        return np.clip(rng.beta(a, b, shape), smallest, largest)

    def _most_concentration(self) -> FloatArray:
        if self.whole is None:
            return np.array(MOST)
        return np.minimum(np.sum(self.whole.fitted_parameters, axis=0) / self.floor**2, MOST)


def _newton(means: FloatArray) -> FloatArray:
    """Return a and b, shape (2, d), whose digammas differ from that of a + b by the means.

    Parameters
    ----------
    means : array, shape (2, d)
        Means of both logarithms.
    """
    geometric = np.exp(means)
    both = 0.5 + geometric / np.maximum(2 * (1 - geometric.sum(axis=0)), 1 / MOST)
    for _ in range(STEPS):
        together = both.sum(axis=0)
        gradient = means - digamma(both) + digamma(together)
        curvature, shared = polygamma(1, both), polygamma(1, together)
        inverse = 1 / curvature
        along = shared * (gradient * inverse).sum(axis=0) / (1 - shared * inverse.sum(axis=0))
        step = (gradient + along) * inverse
        following = np.clip(both + step, np.maximum(both / 4, LEAST), np.minimum(4 * both, MOST))
        close = np.abs(following - both) <= CLOSE * both
        both = following
        if close.all():
            break
    return both


def _with_concentration(concentration: FloatArray, means: FloatArray) -> FloatArray:
    """Return the a of greatest likelihood for a given a + b, shape (d,)."""

    def excess(a: FloatArray) -> tuple[FloatArray, FloatArray]:
        b = concentration - a
        slope = -polygamma(1, a) - polygamma(1, b)
        return means[0] - means[1] - digamma(a) + digamma(b), slope

    fraction = np.clip(np.exp(means[0]), 1e-6, 1 - 1e-6)
    low, high = 1e-9 * concentration, (1 - 1e-9) * concentration
    return decreasing_root(excess, fraction * concentration, low, high)
