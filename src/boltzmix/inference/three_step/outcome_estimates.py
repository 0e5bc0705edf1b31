"""Step three for outcomes: means of an outcome in the true classes, with their covariance."""

from dataclasses import dataclass

import numpy as np

from ...data import FloatArray
from .classes import SMALLEST_SIZE, AssignedClasses
from .outcome_laws import LAWS, OutcomeLaw

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
    shares = weights / totals
    variances = np.einsum("nk,nkc->kc", shares, residuals**2)
    influences = (shares[:, :, None] * residuals).reshape(len(values), -1)
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
