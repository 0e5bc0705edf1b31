"""Distributions of an outcome within classes, for estimates by maximum likelihood.

A law has one parameter vector for each class, on a scale without bounds. Its scores and
information are those of one observation in each class.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np

from ...data import FloatArray

SMALLEST_VARIANCE = 1e-6  # of a class, relative to that of the whole outcome
TINY = 1e-300  # a probability, rate or membership above zero


class OutcomeLaw(ABC):
    """The distribution of an outcome in each of K classes."""

    @classmethod
    @abstractmethod
    def fit(cls, values: FloatArray, members: FloatArray) -> Self:
        """Estimate the law.

        Parameters
        ----------
        values : array, shape (n, C)
            The outcome: one column for a number, or an indicator column for each category.
        members : array, shape (n, K)
            Membership of each observation in each class.
        """

    @property
    @abstractmethod
    def means(self) -> FloatArray:
        """Mean of each column in each class, shape (K, C)."""

    @abstractmethod
    def log_prob(self, values: FloatArray) -> FloatArray:
        """Return the log density of each observation in each class, shape (n, K)."""

    @abstractmethod
    def scores(self, values: FloatArray) -> FloatArray:
        """Return derivatives of the log density by the parameters, shape (n, K, m)."""

    @abstractmethod
    def information(self, values: FloatArray, members: FloatArray) -> FloatArray:
        """Return minus the second derivatives, summed over members, shape (K, m, m)."""

    @abstractmethod
    def slopes(self) -> FloatArray:
        """Return derivatives of the means by the parameters, shape (K, C, m)."""


@dataclass(frozen=True, eq=False)
class GaussianOutcome(OutcomeLaw):
    """Normal outcome with a mean and a variance in each class; parameters: mean, log variance."""

    centres: FloatArray
    variances: FloatArray

    @classmethod
    def fit(cls, values: FloatArray, members: FloatArray) -> Self:
        totals = _totals(members)
        centres = members.T @ values[:, 0] / totals
        squares = (members * (values - centres) ** 2).sum(axis=0) / totals
        return cls(centres, np.maximum(squares, SMALLEST_VARIANCE * values.var()))

    @property
    def means(self) -> FloatArray:
        return self.centres[:, None]

    def log_prob(self, values: FloatArray) -> FloatArray:
        return -0.5 * ((values - self.centres) ** 2 / self.variances + np.log(self.variances))

    def scores(self, values: FloatArray) -> FloatArray:
        distances = (values - self.centres) / self.variances
        squares = distances**2 * self.variances
        return np.stack([distances, (squares - 1) / 2], axis=-1)

    def information(self, values: FloatArray, members: FloatArray) -> FloatArray:
        distances = (values - self.centres) / self.variances
        mixed = (members * distances).sum(axis=0)
        squares = (members * distances**2).sum(axis=0) * self.variances / 2
        rows = [members.sum(axis=0) / self.variances, mixed, mixed, squares]
        return np.stack(rows, axis=-1).reshape(-1, 2, 2)

    def slopes(self) -> FloatArray:
        return np.tile([[[1.0, 0.0]]], (len(self.centres), 1, 1))


@dataclass(frozen=True, eq=False)
class PoissonOutcome(OutcomeLaw):
    """Poisson counts with a mean in each class; parameter: its logarithm."""

    rates: FloatArray

    @classmethod
    def fit(cls, values: FloatArray, members: FloatArray) -> Self:
        rates = members.T @ values[:, 0] / _totals(members)
        return cls(np.maximum(rates, TINY))

    @property
    def means(self) -> FloatArray:
        return self.rates[:, None]

    def log_prob(self, values: FloatArray) -> FloatArray:
        return values * np.log(self.rates) - self.rates

    def scores(self, values: FloatArray) -> FloatArray:
        return (values - self.rates)[..., None]

    def information(self, values: FloatArray, members: FloatArray) -> FloatArray:
        return (members.sum(axis=0) * self.rates)[:, None, None]

    def slopes(self) -> FloatArray:
        return self.rates[:, None, None]


@dataclass(frozen=True, eq=False)
class CategoricalOutcome(OutcomeLaw):
    """Categories with probabilities in each class; parameters: C logits, one of them redundant."""

    probabilities: FloatArray

    @classmethod
    def fit(cls, values: FloatArray, members: FloatArray) -> Self:
        found = members.T @ values / _totals(members)[:, None]
        return cls(np.maximum(found, TINY))

    @property
    def means(self) -> FloatArray:
        return self.probabilities

    def log_prob(self, values: FloatArray) -> FloatArray:
        return values @ np.log(self.probabilities).T

    def scores(self, values: FloatArray) -> FloatArray:
        return values[:, None, :] - self.probabilities

    def information(self, values: FloatArray, members: FloatArray) -> FloatArray:
        return members.sum(axis=0)[:, None, None] * self.slopes()

    def slopes(self) -> FloatArray:
        one = self.probabilities
        return one[:, :, None] * np.eye(one.shape[1]) - one[:, :, None] * one[:, None, :]


def _totals(members: FloatArray) -> FloatArray:
    """Return the total membership of each class, above zero."""
    return np.maximum(members.sum(axis=0), TINY)


LAWS: dict[str, type[OutcomeLaw]] = {
    "number": GaussianOutcome,
    "count": PoissonOutcome,
    "category": CategoricalOutcome,
}
