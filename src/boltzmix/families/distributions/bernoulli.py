"""The Bernoulli distribution of zeros and ones, with independent columns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ...data import BoolArray, FloatArray, Table
from ..columns.exponential_columns import PRIOR, ColumnsBank, ExponentialColumns, pooled_counts
from ..columns.pooled_frequencies import with_search_prior
from ..contract.base import Family
from ..contract.description import ColumnDescription, Description
from ..contract.search_hints import SearchHints
from ..shared.validation import read_not_negative

LEAST_PROBABILITY = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Bernoulli(ExponentialColumns):
    """Zeros and ones; columns are independent.

    Parameters
    ----------
    probability : array, shape (d,), optional
        Probability of a one in each column. Present once fitted.
    prior : float, default=1.0
        Strength of the prior, which pulls the probabilities of every component towards the
        fractions of ones in all the data: it counts as much as so many observations in each
        column, so its effect vanishes as data grow, and a value that a component has not seen
        stays possible. Zero means no prior; even then, no probability is below 1e-12.

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> Bernoulli(prior=0).fit(Table.of([[0, 1], [0, 1], [1, 0], [0, 0]])).probability
    array([0.25, 0.5 ])
    """

    codes = True
    parameters: ClassVar = {"probability": "between 0 and 1"}
    takes = "zeros and ones"
    whole_numbers = True

    probability: FloatArray | None = None
    prior: float = field(default=PRIOR, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        read_not_negative(self, "prior")

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

    @property
    def pooled(self) -> FloatArray | None:
        """Numbers of observations of the prior, and sums of their counts, shape (2, d)."""
        return pooled_counts(self, self.prior)

    def solve(self, weight: FloatArray, means: FloatArray) -> tuple[FloatArray]:
        """Return the fractions of ones; in all the data, one more value is half a one."""
        fraction = means[0]
        if self.whole is None and self.prior > 0:
            fraction = (weight * fraction + 0.5) / (weight + 1)
        return (np.clip(fraction, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY),)

    @property
    def search_hints(self) -> SearchHints:
        """Hints by which a search learns with a prior."""
        return with_search_prior(self, super().search_hints, PRIOR, "whole")

    @property
    def means(self) -> FloatArray:
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
        return BernoulliBank(components)

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> BoolArray:
        (probability,) = self.fitted_parameters
        return rng.random(shape) < probability


class BernoulliBank(ColumnsBank):
    """K Bernoulli components, evaluated together."""

    def fill(self, data: Table, responsibilities: FloatArray) -> FloatArray:
        """Return rows (n, d) whose missing values are replaced by the more probable one."""
        return np.round(super().fill(data, responsibilities))
