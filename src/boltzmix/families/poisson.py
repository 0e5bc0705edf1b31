"""The Poisson distribution of counts, in every column by itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Self, cast

import numpy as np

from ..data import FloatArray, Rows, Table
from .arguments import check_floor
from .base import Bank, Family
from .box import BoxedFamily
from .checked import CheckedAdditiveFamily
from .counts import check_whole, log_factorials, tell_row
from .description import Description, columns_of
from .sums import Sums


@dataclass(frozen=True, eq=False)
class Events(Sums):
    """Total weight of the counts that some rows have in each column, and their weighted sums.

    Parameters
    ----------
    weight : array, shape (d,)
    sums : array, shape (d,)
    """

    weight: FloatArray
    sums: FloatArray


@dataclass(frozen=True, eq=False)
class Poisson(BoxedFamily, CheckedAdditiveFamily):
    """Counts; columns are independent, and missing values are left out.

    Parameters
    ----------
    floor : float, default=1e-4
        Share of a column's mean below which no rate falls, so that a component without a single
        event in a column still thinks events possible. A column of zeros is taken to have had
        one event. Rates above are the plain means, so no likelihood is lost to it.
    least_rate : float or array of shape (d,), optional
        The rate below which none falls, in place of `floor`.
    rate : array, shape (d,), optional
        Mean count of each column. Present once fitted.

    Examples
    --------
    >>> Poisson().fit(Table.of([[2, 10], [3, 0], [4, 5]])).rate
    array([3., 5.])
    """

    movable = True
    missing = True
    spacing = 1.0

    floor: float = 1e-4
    least_rate: FloatArray | float | None = None
    rate: FloatArray | None = None

    def __post_init__(self) -> None:
        check_floor(self.floor)
        for name in ("least_rate", "rate"):
            given = getattr(self, name)
            if given is not None and not (np.isfinite(given).all() and np.min(given) > 0):
                raise ValueError(f"{name} must be finite and above zero, not {given!r}.")

    def __repr__(self) -> str:
        if self.rate is None:
            return "Poisson()"
        with np.printoptions(precision=4, threshold=12):
            return f"Poisson(rate={self.rate})".replace("\n", "")

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        return len(self._fitted())

    def describe(self) -> Description:
        """Return the rates, which are the means of the columns."""
        parameters = {"rate": self._fitted()}
        columns = [
            replace(column, centre=column.parameters["rate"], whole_numbers=True)
            for column in columns_of(parameters)
        ]
        return Description(parameters, columns=columns)

    def prepare(self, data: Rows, n_components: int, weights: FloatArray | None = None) -> Self:
        """Take the least rates from the data; refuse anything but counts."""
        parts = []
        for place in data.blocks(1):
            block = data.take(place)
            self.check(block, place.start)
            parts.append(self.summarise(block, None if weights is None else weights[place]))
        return replace(self, least_rate=self._least_rate(reduce(add, parts)))

    def check(self, data: Table, first_row: int | None = None) -> None:
        """Refuse anything but counts."""
        check_whole(
            data.values,
            tell_row(data, first_row),
            "Poisson takes counts, which are whole and not negative: drop the column, or use"
            " another family",
        )

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log probability of each row, shape (n,)."""
        return self.bank([self]).log_prob(data)[:, 0]

    def expected(self, data: Table) -> FloatArray:
        """Return rows (n, d) whose missing values are the rates of their columns."""
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
        return replace(self, rate=np.where(np.isnan(counts), rate, np.maximum(counts, least)))

    def summarise(self, data: Table, weights: FloatArray | None = None) -> Events:
        """Sum counts up."""
        weights = np.ones(len(data)) if weights is None else weights
        there = ~np.isnan(data.values)
        return Events(weights @ there, weights @ np.where(there, data.values, 0.0))

    def from_statistics(self, statistics: Events, rng: np.random.Generator | None = None) -> Self:
        """Return the component whose rates are the mean counts, if they are not too small.

        Where nothing was counted, they are those of all the data.
        """
        least, seen = self._least_rate(statistics), statistics.weight > 0
        mean = statistics.sums / np.where(seen, statistics.weight, 1.0)
        return replace(self, rate=np.where(seen, np.maximum(mean, least), least / self.floor))

    def bank(self, components: Sequence[Family]) -> "PoissonBank":
        """Put components together."""
        return PoissonBank(components)

    def _least_rate(self, everything: Events) -> FloatArray | float:
        if self.least_rate is not None:
            return self.least_rate
        weight = np.where(everything.weight > 0, everything.weight, 1.0)
        return self.floor * np.maximum(everything.sums, 1.0) / weight

    def _fitted(self) -> FloatArray:
        if self.rate is None:
            self._refuse_unfitted()
        return self.rate


class PoissonBank(Bank):
    """K Poisson components, evaluated together."""

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log probability of each row under each component, shape (n, K)."""
        members = cast(Sequence[Poisson], self.components)
        members[0].check(data)
        rates = np.stack([one._fitted() for one in members])
        there = ~np.isnan(data.values)
        counts = np.where(there, data.values, 0.0).astype(float)
        factorials = log_factorials(counts).sum(axis=1, keepdims=True)
        expected = rates.sum(axis=1) if there.all() else there @ rates.T
        return counts @ np.log(rates).T - expected - factorials
