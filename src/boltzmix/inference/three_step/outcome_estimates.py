"""Step three for outcomes: means of an outcome in the true classes, by distributions within them.

A law has one parameter vector for each class, on a scale without bounds. Its scores and
information are those of one observation in each class.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np

from ...data import FloatArray
from .classes import SMALLEST_SIZE, AssignedClasses

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


MOST_ITERATIONS = 20_000
TOLERANCE = 1e-12  # rise of the log-likelihood per observation that ends the iterations
BOUNDARY = 1e-8  # a probability or rate that is this close to a bound is there


@dataclass(frozen=True, eq=False)
class OutcomeMeans:
    """Means of the columns of an outcome in each class.

    Parameters
    ----------
    means : array, shape (K, C)
    covariance : array, shape (K C, K C)
        Robust covariance of the means, ordered by class, then by column.
    variances : array, shape (K, C)
        Variance of the outcome within each class.
    """

    means: FloatArray
    covariance: FloatArray
    variances: FloatArray


def weighted_means(values: FloatArray, weights: FloatArray) -> OutcomeMeans:
    """Estimate means by weights of observations in classes, which may be negative.

    Parameters
    ----------
    values : array, shape (n, C)
    weights : array, shape (n, K)
    """
    totals = weights.sum(axis=0)
    totals = np.where(totals > SMALLEST_SIZE * totals.sum(), totals, np.nan)
    means = weights.T @ values / totals[:, None]
    residuals = values[:, None, :] - means
    fractions = weights / totals
    variances = np.einsum("nk,nkc->kc", fractions, residuals**2)
    influences = (fractions[:, :, None] * residuals).reshape(len(values), -1)
    return OutcomeMeans(means, influences.T @ influences, variances)


def likeliest_means(values: FloatArray, classes: AssignedClasses, kind: str) -> OutcomeMeans:
    """Estimate means by maximum likelihood, with the errors of assignments held fixed.

    Parameters
    ----------
    values : array, shape (n, C)
    classes : AssignedClasses
    kind : "number", "count" or "category"
    """
    log_sizes, likelihood = np.log(classes.sizes), classes.likelihood

    def log_probs(law: OutcomeLaw) -> FloatArray:
        return log_sizes + law.log_prob(values)

    law, reached = LAWS[kind].fit(values, classes.weights(None)), -np.inf
    for _ in range(MOST_ITERATIONS):
        before, reached = reached, likelihood.value(log_probs(law)) / len(values)
        if reached - before < TOLERANCE:
            break
        law = LAWS[kind].fit(values, likelihood.members(log_probs(law)))
    expected = likelihood.expect(log_probs(law))
    covariance = _robust_covariance(law, values, expected.members, expected.covariance)
    within = weighted_means(values, expected.members).variances
    means = np.where(np.abs(law.slopes()).max(axis=-1) < BOUNDARY, law.means.round(), law.means)
    means[classes.are_absent] = np.nan
    lost = np.isnan(means).ravel()
    covariance[lost] = covariance[:, lost] = np.nan
    return OutcomeMeans(means, covariance, within)


def _robust_covariance(
    law: OutcomeLaw, values: FloatArray, members: FloatArray, uncertainty: FloatArray
) -> FloatArray:
    """Return the sandwich covariance of the means, shape (K C, K C).

    Parameters
    ----------
    members : array, shape (n, K)
        Expected memberships.
    uncertainty : array, shape (n, K, K)
        Covariance of the memberships.
    """
    scores = law.scores(values)
    n, k, m = scores.shape
    missing = np.einsum("nkl,nki,nlj->kilj", uncertainty, scores, scores, optimize=True)
    known = law.information(values, members)
    bread = _blocks(known) - missing.reshape(k * m, k * m)
    each = (members[:, :, None] * scores).reshape(n, k * m)
    inverse = np.linalg.pinv(bread, rcond=1e-10, hermitian=True)
    slopes = _blocks(law.slopes())
    sides = slopes @ inverse
    covariance = sides @ (each.T @ each) @ sides.T
    at_bound = np.abs(slopes).max(axis=1) < BOUNDARY
    covariance[at_bound] = covariance[:, at_bound] = 0.0
    return covariance


def _blocks(parts: FloatArray) -> FloatArray:
    """Return matrices (K, r, c) as the blocks of one diagonal, shape (K r, K c)."""
    k, rows, columns = parts.shape
    whole = np.zeros((k, rows, k, columns))
    places = np.arange(k)
    whole[places, :, places, :] = parts
    return whole.reshape(k * rows, k * columns)
