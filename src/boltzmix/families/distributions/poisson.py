"""The Poisson distribution of counts, with independent columns."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self, cast

import numpy as np

from ...data import FloatArray, Rng, Rows, Table, Weights
from ..columns.additive_fits import Sums, fit_prepared
from ..columns.backgrounds import background_of_whole_numbers
from ..columns.exponential_columns import PRIOR, strengths
from ..contract.bank import Bank, Evaluation, log_prob_by_bank
from ..contract.base import Family
from ..contract.capabilities import AdditiveFamily
from ..contract.description import Description, columns_of, text_of
from ..shared.constants import log_factorials
from ..shared.copies import replaced
from ..shared.validation import (
    MOST,
    MOST_WHOLE,
    check_whole,
    check_width,
    fitted,
    place_in_table,
    read_arrays,
    read_floor,
    read_not_negative,
)


@dataclass(frozen=True, eq=False)
class Events(Sums):
    """Total weight of the observed counts in each column, and their weighted sums.

    Parameters
    ----------
    weight : array, shape (d,)
    sums : array, shape (d,)
    """

    weight: FloatArray
    sums: FloatArray


@dataclass(frozen=True, eq=False)
class Poisson(AdditiveFamily):
    """Counts; columns are independent, and missing values are left out.

    Parameters
    ----------
    floor : float, default=1e-4
        The least rate of a component, as a fraction of the column's mean, so that events stay
        possible in a component that has none. A column of zeros is taken to have one event.
    least_rate : float or array of shape (d,), optional
        The least rate, in place of `floor`.
    prior : float, default=1.0
        Strength of the prior, which pulls the rate of every component towards that of all the
        data: it counts as much as so many observations in each column, or as so many events if
        these are fewer, so its effect vanishes as data grow. Zero means no prior.
    rate : array, shape (d,), optional
        Mean count of each column. Present once fitted.

    Attributes
    ----------
    pooled_rate : array, shape (d,)
        Mean count of each column in all the data. Set by `prepare`.

    Examples
    --------
    >>> Poisson().fit(Table.of([[2, 10], [3, 0], [4, 5]])).rate
    array([3., 5.])
    """

    missing = True
    fit = fit_prepared
    background = background_of_whole_numbers

    floor: float = 1e-4
    least_rate: FloatArray | float | None = None
    prior: float = PRIOR
    rate: FloatArray | None = None
    pooled_rate: FloatArray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        read_floor(self)
        read_not_negative(self, "prior")
        read_arrays(self, "least_rate", "rate", least=1 / MOST, most=MOST_WHOLE)

    def __repr__(self) -> str:
        return text_of("Poisson", [], {"rate": self.rate})

    @property
    def n_parameters(self) -> int:
        return len(self._fitted())

    @property
    def parameter_vector(self) -> FloatArray:
        """Log rates, shape (d,)."""
        return np.log(self._fitted())

    def with_parameter_vector(self, values: FloatArray) -> Self:
        return replaced(self, rate=np.exp(values))

    def describe(self) -> Description:
        """Return the rates, which are the means of the columns."""
        parameters = {"rate": self._fitted()}
        columns = [
            replace(column, centre=column.parameters["rate"], whole_numbers=True)
            for column in columns_of(parameters)
        ]
        return Description(parameters, columns=columns)

    def prepare(self, data: Rows, n_components: int, weights: Weights = None) -> Self:
        """Check that all values are counts, and take mean and least rates from them."""
        if self.least_rate is not None and np.ndim(self.least_rate):
            check_width(self, "least_rate", data)
        totals = self.summarise_blocks(data, weights, check=True)
        pooled = _mean_counts(totals) if self.pooled_rate is None else self.pooled_rate
        return replaced(self, pooled_rate=pooled, least_rate=self._least_rate(totals))

    def check(self, data: Table, first_row: int | None = None) -> None:
        """Raise a ValueError if there are values other than counts."""
        check_whole(
            data.values,
            place_in_table(data, first_row),
            "Poisson takes counts, which are whole and not negative: drop the column, or use"
            " another family",
        )

    log_prob = log_prob_by_bank

    def expected(self, data: Table) -> FloatArray:
        """Return rows (n, d) whose missing values are replaced by the rates of their columns."""
        return np.where(np.isnan(data.values), self._fitted(), data.values)

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        rate = self._fitted()
        return rng.poisson(rate, (n, len(rate))).astype(float)

    def moved_to(self, observation: Table) -> Self:
        """Return the component whose rates are the counts of an observation."""
        rate = self._fitted()
        least = self.floor * rate if self.least_rate is None else self.least_rate
        counts = observation.values[0]
        return replaced(self, rate=np.where(np.isnan(counts), rate, np.maximum(counts, least)))

    def summarise(self, data: Table, weights: Weights = None) -> Events:
        """Return the weighted sums of the counts."""
        weights = np.ones(len(data)) if weights is None else weights
        there = ~np.isnan(data.values)
        return Events(weights @ there, weights @ np.where(there, data.values, 0.0))

    def from_statistics(self, statistics: Events, rng: Rng = None) -> Self:
        """Return the most probable component, given sums, but for the least rates.

        A column without any observed value has the mean of all the data.
        """
        pooled = _mean_counts(statistics) if self.pooled_rate is None else self.pooled_rate
        strength = strengths(self.prior, pooled)
        weight = statistics.weight + strength
        mean = (statistics.sums + strength * pooled) / np.where(weight > 0, weight, 1.0)
        least = self._least_rate(statistics)
        return replaced(self, rate=np.where(weight > 0, np.maximum(mean, least), pooled))

    @property
    def log_prior(self) -> float:
        pooled, rate = self.pooled_rate, self._fitted()
        if self.prior == 0 or pooled is None:
            return 0.0
        strength = strengths(self.prior, pooled)
        return float(strength @ (pooled * np.log(rate / pooled) - (rate - pooled)))

    def bank(self, components: Sequence[Family]) -> "PoissonBank":
        return PoissonBank(components)

    def _least_rate(self, totals: Events) -> FloatArray | float:
        if self.least_rate is not None:
            return self.least_rate
        return self.floor * _mean_counts(totals)

    def _fitted(self) -> FloatArray:
        return np.asarray(fitted(self, "rate")[0])


def _mean_counts(totals: Events) -> FloatArray:
    """Return the mean counts of columns, as if a column of zeros had one event."""
    weight = np.where(totals.weight > 0, totals.weight, 1.0)
    return np.asarray(np.maximum(totals.sums, 1.0) / weight)


class PoissonBank(Bank):
    """K Poisson components, evaluated together."""

    def evaluate(self, data: Table, *, is_rounded: bool = True) -> Evaluation:
        """Return the log probability of each row under each component, shape (n, K)."""
        members = cast(Sequence[Poisson], self.components)
        members[0].check(data)
        rates = np.stack([one._fitted() for one in members])
        there = ~np.isnan(data.values)
        counts = np.where(there, data.values, 0.0).astype(float)
        factorials = log_factorials(counts).sum(axis=1, keepdims=True)
        expected = rates.sum(axis=1) if there.all() else there @ rates.T
        return self.evaluated(counts @ np.log(rates).T - expected - factorials, data)
