"""Distributions of one number that a few sums determine, applied to every column by itself."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, cast

import numpy as np
from scipy.sparse import csr_array

from ..data import FloatArray, Hard, Membership, Table
from .base import Bank, Family
from .columns import AdditiveColumnFamily


@dataclass(frozen=True, eq=False)
class Sums:
    """Total weight of the values some rows have in each column, and weighted sums of features.

    Parameters
    ----------
    weight : array, shape (d,)
    features : array, shape (f, d)
    """

    weight: FloatArray
    features: FloatArray

    def __add__(self, other: Self) -> Self:
        return replace(
            self, weight=self.weight + other.weight, features=self.features + other.features
        )

    def __mul__(self, factor: float) -> Self:
        return replace(self, weight=self.weight * factor, features=self.features * factor)

    def filled(self, other: Self) -> Self:
        """Return these sums, with those of `other` for columns that have no weight."""
        seen = self.weight > 0
        return replace(
            self,
            weight=np.where(seen, self.weight, other.weight),
            features=np.where(seen, self.features, other.features),
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ExponentialFamily(AdditiveColumnFamily):
    """Columns whose log density is linear in a few functions of a value, called features.

    Write, in place of `log_prob_of_cells` and `estimate`:

    - ``features(values)``: f arrays of the shape of `values`;
    - ``natural``: what each feature is multiplied by, shape (1 + f, d), after a constant;
    - ``remainder(values)``, if any: what the log density has besides, whatever the parameters;
    - ``solve(weight, means)``: the parameters whose features have these means, shape (f, d).

    For these you get a fit from sums, and K components evaluated by one matrix product.
    """

    @abstractmethod
    def features(self, values: FloatArray) -> Sequence[FloatArray]:
        """Return the features of each cell; whatever where cells are missing."""

    @property
    @abstractmethod
    def natural(self) -> FloatArray:
        """A constant, and the factors of the features, shape (1 + f, d)."""

    @abstractmethod
    def solve(self, weight: FloatArray, means: FloatArray) -> tuple[FloatArray, ...]:
        """Return the parameters of columns with this weight (d,) and means of features (f, d)."""

    def remainder(self, values: FloatArray) -> FloatArray | None:
        """Return what the log density of each cell has besides."""
        return None

    def design(self, values: FloatArray) -> FloatArray:
        """Return one, and the features, of each cell; zero where missing: shape (n, (1 + f) d)."""
        there = ~np.isnan(values)
        columns = np.concatenate([there, *self.features(values)], axis=1, dtype=float)
        if not there.all():
            columns[~np.tile(there, columns.shape[1] // values.shape[1])] = 0.0
        return columns

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row, shape (n,)."""
        return self.bank([self]).log_prob(data)[:, 0]

    def summarise(self, data: Table, weights: FloatArray | None = None) -> Sums:
        """Sum the features up."""
        weights = np.ones(len(data)) if weights is None else weights
        values = data.values.astype(float)
        return _as_sums(weights @ self.design(values), values.shape[1])

    def from_statistics(self, statistics: Sums, rng: np.random.Generator | None = None) -> Self:
        """Return the component whose features have the means of these sums."""
        sums = statistics if self.everything is None else statistics.filled(self.everything)
        return self.with_parameters(self.solve(sums.weight, sums.features / sums.weight))

    def bank(self, components: Sequence[Family]) -> "ExponentialBank":
        """Put components together."""
        return ExponentialBank(components)


class ExponentialBank(Bank):
    """K components of an exponential family, evaluated by one matrix product."""

    @property
    def family(self) -> ExponentialFamily:
        """The family, through one of its members."""
        return cast(ExponentialFamily, self.components[0])

    @cached_property
    def natural(self) -> FloatArray:
        """Constants and factors of the features of all components, shape ((1 + f) d, K)."""
        members = cast(Sequence[ExponentialFamily], self.components)
        return np.stack([one.natural.ravel() for one in members], axis=1)

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row under each component, shape (n, K)."""
        natural = self.natural
        self.family.check(data)
        values = data.values.astype(float)
        with np.errstate(over="ignore"):  # what is too unlikely for a number is impossible
            found = self.family.design(values) @ natural
        besides = self.family.remainder(values)
        if besides is not None:
            found += besides.sum(axis=1, keepdims=True, where=~np.isnan(values))
        return found

    def summarise(self, data: Table, membership: Membership) -> list[Sums]:
        """Sum the features of each component's share of the rows up."""
        values = data.values.astype(float)
        design = self.family.design(values)
        if isinstance(membership, Hard):
            weights = np.ones(len(data)) if membership.weights is None else membership.weights
            one_each = np.arange(len(data) + 1)
            members = csr_array((weights, membership.labels, one_each), (len(data), len(self)))
            sums = np.asarray(members.T @ design)
        else:
            sums = membership.shares.T @ design
        return [_as_sums(own, values.shape[1]) for own in sums]


def _as_sums(totals: FloatArray, n_columns: int) -> Sums:
    """Return the sums of a design's columns, shape ((1 + f) d,), as such."""
    table = totals.reshape(-1, n_columns)
    return Sums(table[0], table[1:])
