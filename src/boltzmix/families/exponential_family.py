"""What families share whose log density is linear in some features of a row."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import cast

import numpy as np
from scipy.sparse import csr_array

from ..data import FloatArray, Hard, Membership, Rows, Table
from .base import Bank, Family
from .checked import CheckedAdditiveFamily
from .sums import Sums


@dataclass(frozen=True, eq=False)
class Totals(Sums):
    """Total weight of some rows, and weighted sums of their features.

    Parameters
    ----------
    weight : float
    sums : array, shape (p,)
    """

    weight: float
    sums: FloatArray

    @property
    def means(self) -> FloatArray:
        """Mean features, shape (p,); zeros, if there is no weight."""
        return self.sums / (self.weight or 1.0)


class ExponentialFamily(CheckedAdditiveFamily):
    """A family whose log density is features · slopes + intercept + base, of rows it checks first.

    Write ``check``, ``features``, ``slopes``, ``intercept``, ``from_statistics`` and, unless it is
    zero, ``log_base``. Statistics are `Totals` of the features.
    """

    @abstractmethod
    def features(self, values: FloatArray) -> FloatArray:
        """Return what is summed up of rows (n, d), shape (n, p)."""

    @property
    @abstractmethod
    def slopes(self) -> FloatArray:
        """What features are multiplied by, shape (p,)."""

    @property
    @abstractmethod
    def intercept(self) -> float:
        """What is the same for all rows."""

    def log_base(self, values: FloatArray) -> FloatArray | float:
        """Return what is the same for all components, shape (n,)."""
        return 0.0

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row, shape (n,)."""
        return self.bank([self]).log_prob(data)[:, 0]

    def summarise(self, data: Table, weights: FloatArray | None = None) -> Totals:
        """Sum features up."""
        weights = np.ones(len(data)) if weights is None else weights
        return Totals(float(weights.sum()), weights @ self.features(data.values))

    def bank(self, components: Sequence[Family]) -> "ExponentialBank":
        """Put components together."""
        return ExponentialBank(components)

    def look_over(self, data: Rows, weights: FloatArray | None) -> Totals:
        """Check all the data, and return their totals."""
        parts = []
        for place in data.blocks(1):
            block = data.take(place)
            self.check(block, place.start)
            parts.append(self.summarise(block, None if weights is None else weights[place]))
        return reduce(add, parts)


class ExponentialBank(Bank):
    """K components of an exponential family, evaluated and summarised by products of matrices."""

    @property
    def family(self) -> ExponentialFamily:
        """The family, through one of its members."""
        return cast(ExponentialFamily, self.components[0])

    @cached_property
    def lines(self) -> tuple[FloatArray, FloatArray]:
        """Slopes (p, K) and intercepts (K,)."""
        members = cast(Sequence[ExponentialFamily], self.components)
        slopes = np.stack([one.slopes for one in members], axis=1)
        return slopes, np.array([one.intercept for one in members])

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row under each component, shape (n, K)."""
        slopes, intercepts = self.lines
        self.family.check(data)
        with np.errstate(over="ignore"):  # what is too unlikely for a number is impossible
            values = self.family.features(data.values) @ slopes
        values += intercepts
        return values + np.reshape(self.family.log_base(data.values), (-1, 1))

    def summarise(self, data: Table, membership: Membership) -> list[Totals]:
        """Sum up the features of each component's share."""
        features = self.family.features(data.values)
        if isinstance(membership, Hard):
            n = len(data)
            weights = np.ones(n) if membership.weights is None else membership.weights
            members = csr_array((weights, membership.labels, np.arange(n + 1)), (n, len(self)))
            sums = members.T @ features
        else:
            sums = membership.responsibilities.T @ features
        return list(map(Totals, membership.counts.tolist(), sums))


def row_name(place: int, first_row: int | None) -> str:
    """Return how a message begins that tells of a row."""
    return "A row" if first_row is None else f"Row {first_row + place}"


def refuse_one_column(data: Rows, name: str, taken: str) -> None:
    """Refuse tables of a single column."""
    if data.n_features < 2:
        raise ValueError(f"X has 1 column, but {name} takes {taken} in at least two columns.")
