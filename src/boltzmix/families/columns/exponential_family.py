"""Families whose log density is linear in some features of a row."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Protocol, cast

import numpy as np

from ...data import FloatArray, Hard, Membership, Table, Weights
from ..contract.bank import Evaluation, Summaries, log_prob_by_bank
from ..contract.base import Bank, Family
from ..contract.capabilities import AdditiveFamily
from .additive_fits import Sums, fit_prepared, weighted_one_hot


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


class LinearLogDensity(Protocol):
    """A component whose log density is features · slopes + intercept + base."""

    def check(self, data: Table, first_row: int | None = None) -> None:
        """Raise a ValueError if the data have values that do not suit this family."""

    def features(self, values: FloatArray) -> FloatArray:
        """Return the features of rows (n, d), shape (n, p)."""

    @property
    def slopes(self) -> FloatArray:
        """Factors of the features, shape (p,)."""

    @property
    def intercept(self) -> float:
        """The term that is the same for all rows."""

    def log_base(self, values: FloatArray) -> FloatArray | float:
        """Return the term that is the same for all components, shape (n,)."""


class ExponentialFamily(AdditiveFamily):
    """A family whose log density is features · slopes + intercept + base.

    Write ``check``, ``features``, ``slopes``, ``intercept``, ``from_statistics`` and, unless it is
    zero, ``log_base``. Statistics are `Totals` of the features.
    """

    fit = fit_prepared

    @abstractmethod
    def features(self, values: FloatArray) -> FloatArray:
        """Return the features of rows (n, d), shape (n, p)."""

    @property
    @abstractmethod
    def slopes(self) -> FloatArray:
        """Factors of the features, shape (p,)."""

    @property
    @abstractmethod
    def intercept(self) -> float:
        """The term that is the same for all rows."""

    def log_base(self, values: FloatArray) -> FloatArray | float:
        """Return the term that is the same for all components, shape (n,)."""
        return 0.0

    log_prob = log_prob_by_bank

    def summarise(self, data: Table, weights: Weights = None) -> Totals:
        """Return the sums of the features."""
        return sum_features(self, data, weights)

    def bank(self, components: Sequence[Family]) -> "ExponentialBank":
        return ExponentialBank(components)


class ExponentialBank(Bank):
    """K components of an exponential family, evaluated and summarised by products of matrices."""

    @property
    def _linear(self) -> Sequence[LinearLogDensity]:
        return cast(Sequence[LinearLogDensity], self.components)

    @cached_property
    def lines(self) -> tuple[FloatArray, FloatArray]:
        """Slopes (p, K) and intercepts (K,)."""
        slopes = np.stack([one.slopes for one in self._linear], axis=1)
        return slopes, np.array([one.intercept for one in self._linear])

    def evaluate(self, data: Table, *, is_rounded: bool = True) -> Evaluation:
        """Return the log density of each row under each component, shape (n, K)."""
        slopes, intercepts = self.lines
        features = self._features(data)
        with np.errstate(over="ignore"):  # a log density below all numbers is -inf
            log_densities = features @ slopes
        log_densities += intercepts
        log_densities += np.reshape(self._linear[0].log_base(data.values), (-1, 1))
        return Evaluation(log_densities, partial(self._summed, features))

    def log_densities_at(self, data: Table, membership: Hard) -> FloatArray:
        """Return the log density of each row under its own component, shape (n,)."""
        slopes, intercepts = self.lines
        features, owners = self._features(data), membership.labels
        with np.errstate(over="ignore"):
            log_densities = np.einsum("np,np->n", features, slopes.T[owners])
        base = self._linear[0].log_base(data.values)
        return np.asarray(log_densities + intercepts[owners] + base)

    def summarise(self, data: Table, membership: Membership) -> Summaries:
        """Return the sums of the features in each component."""
        return self._summed(self._linear[0].features(data.values), membership)

    def _summed(self, features: FloatArray, membership: Membership) -> Summaries:
        if isinstance(membership, Hard):
            sums = weighted_one_hot(membership).T @ features
        else:
            sums = membership.responsibilities.T @ features
        return Summaries(tuple(map(Totals, membership.counts.tolist(), sums)))

    def _features(self, data: Table) -> FloatArray:
        """Check the rows, and return their features."""
        first = self._linear[0]
        first.check(data)
        return first.features(data.values)


def sum_features(component: LinearLogDensity, data: Table, weights: Weights = None) -> Totals:
    """Return the weighted sums of the features of some rows."""
    weights = np.ones(len(data)) if weights is None else weights
    return Totals(float(weights.sum()), weights @ component.features(data.values))
