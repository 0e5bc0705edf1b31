"""The Bernoulli distribution of yes and no, in every column by itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..data import BoolArray, FloatArray, Table
from .base import Family
from .counts import check_smoothing
from .description import ColumnDescription, Description
from .exponential_columns import ExponentialColumns
from .exponential_family import ExponentialBank

LEAST_PROBABILITY = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Bernoulli(ExponentialColumns):
    """Zeros and ones; columns are independent.

    Parameters
    ----------
    probability : array, shape (d,), optional
        Probability of a one in each column. Present once fitted.
    smoothing : float, default=0.01
        Pseudo-count of zeros and of ones: a hundredth of an observation, which keeps what a
        component has not seen possible. Even without, no probability is below 1e-12.

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> Bernoulli(smoothing=0).fit(Table.of([[0, 1], [0, 1], [1, 0], [0, 0]])).probability
    array([0.25, 0.5 ])
    """

    codes = True
    parameters: ClassVar = {"probability": "between 0 and 1"}
    takes = "zeros and ones"
    spacing = 1.0

    probability: FloatArray | None = None
    smoothing: float = 0.01

    def __post_init__(self) -> None:
        super().__post_init__()
        check_smoothing(self.smoothing)

    def outside(self, values: FloatArray) -> BoolArray:
        """Return which cells are neither zero nor one."""
        return (values != 0) & (values != 1) & ~np.isnan(values)

    def functions(self, values: FloatArray) -> tuple[FloatArray]:
        """Return the values themselves."""
        return (values,)

    @property
    def natural(self) -> FloatArray:
        """A constant, and the factor of the value, shape (2, d)."""
        (probability,) = self.fitted_parameters
        otherwise = np.log1p(-probability)
        return np.stack([otherwise, np.log(probability) - otherwise])

    def solve(self, weight: FloatArray, means: FloatArray) -> tuple[FloatArray]:
        """Return the shares of ones, pseudo-counts included."""
        share = (weight * means[0] + self.smoothing) / (weight + 2 * self.smoothing)
        return (np.clip(share, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY),)

    @property
    def means(self) -> FloatArray:
        """Means of the columns, shape (d,)."""
        (probability,) = self.fitted_parameters
        return probability

    def describe(self) -> Description:
        """Return the probabilities of zero and one in each column."""
        (probability,) = self.fitted_parameters
        columns = [
            ColumnDescription(probabilities=np.array([1 - one, one]), whole_numbers=True)
            for one in probability
        ]
        return Description({"probability": probability}, columns=columns)

    def bank(self, components: Sequence[Family]) -> "BernoulliBank":
        """Put components together."""
        return BernoulliBank(components)

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> BoolArray:
        """Draw cells."""
        (probability,) = self.fitted_parameters
        return rng.random(shape) < probability


class BernoulliBank(ExponentialBank):
    """K Bernoulli components, evaluated together."""

    def fill(self, data: Table, shares: FloatArray) -> FloatArray:
        """Return rows (n, d), filled with what is more probable."""
        return np.round(super().fill(data, shares))
