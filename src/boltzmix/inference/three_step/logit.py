"""Step three for covariates: a multinomial logit of the true classes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import minimize

from ...data import FloatArray, shown
from ...kernels.multinomial_logit import log_probabilities
from ..estimates import combined_covariance
from .classes import AssignedClasses, ExpectedClasses

LEAST_INFORMATION = 1e-6  # per observation, about a coefficient of a standardised covariate
LARGEST_GRADIENT = 1e-9  # per observation, where the search ends
LARGEST = 15.0  # coefficient of a standardised covariate: probabilities are zero or one before it
UNBOUNDED = 1e-4  # gradient per observation at the end, if negative weights leave no optimum
PULL = 0.01  # penalty of larger ones, so that coefficients without a finite optimum stay finite


@dataclass(frozen=True, eq=False)
class FittedLogit:
    """Coefficients of a multinomial logit, with their covariance.

    Parameters
    ----------
    values : array, shape ((K - 1) q,)
        Ordered by class, without the first, then by covariate; the intercept comes first.
    covariance : array, shape ((K - 1) q, (K - 1) q)
        Robust covariance; NaN for coefficients that the data do not determine.
    """

    values: FloatArray
    covariance: FloatArray

    @property
    def is_determined(self) -> bool:
        """Whether the data determine all coefficients."""
        return bool(np.isfinite(self.covariance).all())


@dataclass(frozen=True, eq=False)
class LogitProblem:
    """A multinomial logit of true classes that are only known by assignments.

    Parameters
    ----------
    matrix : array, shape (n, q)
        Standardised covariates, after a column of ones.
    classes : AssignedClasses
    correction : "ml", "bch" or None
    """

    matrix: FloatArray
    classes: AssignedClasses
    correction: str | None

    def solve(self) -> FittedLogit:
        """Return the coefficients that maximise the likelihood, with their robust covariance."""
        n_free = (self.classes.n_classes - 1) * self.matrix.shape[1]
        found = minimize(
            self._loss,
            np.zeros(n_free),
            jac=self._gradient,
            hess=self._curvature,
            method="trust-exact",
            options={"gtol": LARGEST_GRADIENT, "maxiter": 500},
        )
        return FittedLogit(found.x, self._robust_covariance(found.x))

    @cached_property
    def _targets(self) -> FloatArray:
        return self.classes.weights(self.correction)

    def _log_probs(self, values: FloatArray) -> FloatArray:
        free = values.reshape(self.classes.n_classes - 1, -1)
        return log_probabilities(self.matrix, np.vstack([np.zeros_like(free[:1]), free]).T)

    def _expect(self, log_probs: FloatArray) -> ExpectedClasses:
        """Return the expected true classes; without "ml", the weights are taken for them."""
        if self.correction == "ml":
            return self.classes.likelihood.expect(log_probs)
        k = self.classes.n_classes
        value = float((self._targets * log_probs).sum())
        return ExpectedClasses(value, self._targets, np.zeros((1, k, k)))

    def _loss(self, values: FloatArray) -> float:
        excess = np.maximum(np.abs(values) - LARGEST, 0.0)
        likelihood = self._expect(self._log_probs(values)).log_likelihood / len(self.matrix)
        return float(PULL / 2 * (excess**2).sum()) - likelihood

    def _gradient(self, values: FloatArray) -> FloatArray:
        excess = np.maximum(np.abs(values) - LARGEST, 0.0)
        return PULL * np.sign(values) * excess - self._scores(values).mean(axis=0)

    def _curvature(self, values: FloatArray) -> FloatArray:
        return self._information(values) + PULL * np.diag(np.abs(values) > LARGEST)

    def _scores(self, values: FloatArray) -> FloatArray:
        """Return the score of each observation, shape (n, (K - 1) q)."""
        log_probs = self._log_probs(values)
        totals = self.classes.sample_weight[:, None]
        residuals = self._expect(log_probs).members - totals * np.exp(log_probs)
        return (residuals[:, 1:, None] * self.matrix[:, None, :]).reshape(len(self.matrix), -1)

    def _information(self, values: FloatArray) -> FloatArray:
        """Return the information per observation: of known classes, less what is not known."""
        log_probs = self._log_probs(values)
        probabilities = np.exp(log_probs)
        places = np.arange(self.classes.n_classes)
        curvature = -probabilities[:, :, None] * probabilities[:, None, :]
        curvature[:, places, places] += probabilities
        curvature *= self.classes.sample_weight[:, None, None]
        curvature -= self._expect(log_probs).covariance
        free = curvature[:, 1:, 1:]
        n, q = self.matrix.shape
        blocks = np.empty((free.shape[1], q, free.shape[1], q))
        for one in range(free.shape[1]):
            for other in range(one, free.shape[1]):
                block = self.matrix.T @ (self.matrix * free[:, one, other, None]) / n
                blocks[one, :, other, :] = blocks[other, :, one, :] = block
        return blocks.reshape(free.shape[1] * q, -1)

    def _robust_covariance(self, values: FloatArray) -> FloatArray:
        """Return the sandwich covariance of the coefficients.

        Coefficients that take part in a direction without information have a covariance of NaN;
        so have all of them if negative weights leave the likelihood without a bound.
        """
        scores, information = self._scores(values), self._information(values)
        if np.abs(scores.mean(axis=0)).max() > UNBOUNDED:
            return np.full_like(information, np.nan)
        strengths, directions = np.linalg.eigh(information)
        known = strengths > LEAST_INFORMATION
        bread = (directions[:, known] / strengths[known]) @ directions[:, known].T
        covariance = bread @ (scores.T @ scores) @ bread / len(scores) ** 2
        lost = np.abs(directions[:, ~known]).max(axis=1, initial=0.0) > 1e-2
        lost |= np.abs(values) > LARGEST
        covariance[lost] = covariance[:, lost] = np.nan
        return covariance


def fit_classes(
    matrix: FloatArray, classes: AssignedClasses, correction: str | None
) -> FittedLogit:
    """Fit the logit of the classes on covariates.

    Parameters
    ----------
    matrix : array, shape (n, q)
        Covariates, without an intercept.
    classes : AssignedClasses
    correction : "ml", "bch" or None
    """
    means, scales = matrix.mean(axis=0), matrix.std(axis=0)
    standardised = np.column_stack([np.ones(len(matrix)), (matrix - means) / scales])
    found = LogitProblem(standardised, classes, correction).solve()
    back = np.diag(np.append(1.0, 1 / scales))
    back[0, 1:] = -means / scales
    every = np.kron(np.eye(classes.n_classes - 1), back)
    return FittedLogit(every @ found.values, combined_covariance(every, found.covariance))


def check_rank(matrix: FloatArray, names: Sequence[str], n_classes: int) -> None:
    """Raise if coefficients cannot be determined, whatever the classes are."""
    n, q = matrix.shape
    for name, spread in zip(names, np.ptp(matrix, axis=0), strict=True):
        if spread == 0:
            raise ValueError(
                f"The covariate {shown(name)} has one value only, so it has no effect to"
                " estimate: leave"
                " it out."
            )
    if (n_classes - 1) * (q + 1) >= n:
        raise ValueError(
            f"There are {(n_classes - 1) * (q + 1)} coefficients, but only {n} rows without missing"
            " values: use fewer covariates."
        )
    columns = (matrix - matrix.mean(axis=0)) / matrix.std(axis=0)
    own = np.abs(np.diagonal(np.linalg.qr(columns, mode="r")))
    if own.min(initial=np.inf) < 1e-8 * np.sqrt(n):
        raise ValueError(
            f"The covariate {shown(names[int(own.argmin())])} is a combination of those before"
            " it, so"
            " its effect cannot be separated from theirs: leave one of them out."
        )
