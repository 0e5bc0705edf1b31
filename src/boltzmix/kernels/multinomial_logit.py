"""Multinomial logit: probabilities of components by a linear function of covariates.

The first component is the reference: its coefficients are zero.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]

RIDGE = 1e-6  # so small that four digits stay as they are, and separation has a solution
LONGEST = 100  # Newton steps
DECREMENT = 1e-10  # of the objective per observation, by which a Newton step must raise it
HALVINGS = 30


def log_probabilities(matrix: Array, coefficients: Array) -> Array:
    """Return the log probability of each component, shape (n, K).

    Parameters
    ----------
    matrix : array, shape (n, q)
        Covariates, the intercept included.
    coefficients : array, shape (q, K)
    """
    predictor = (coefficients.T @ matrix.T).T  # sums over components are quickest so
    predictor -= predictor.max(axis=1, keepdims=True)
    predictor -= np.log(np.exp(predictor).sum(axis=1, keepdims=True))
    return predictor


def penalty(coefficients: Array, scales: Array, ridge: float = RIDGE) -> float:
    """Return the penalty of coefficients (q, K), the same whichever component is the reference.

    Parameters
    ----------
    scales : array, shape (q,)
        Deviations of the covariates; zero for the intercept, which has no penalty.
    """
    scaled = coefficients * scales[:, None]
    return float(0.5 * ridge * ((scaled - scaled.mean(axis=1, keepdims=True)) ** 2).sum())


def fit_logit(
    matrix: Array,
    targets: Array,
    start: Array | None = None,
    ridge: float = RIDGE,
    longest: int = LONGEST,
) -> Array:
    """Return the coefficients (q, K) that maximise the log-likelihood minus the penalty.

    It takes Newton's steps, halved until the objective rises.

    Parameters
    ----------
    matrix : array, shape (n, q)
        Covariates, the intercept included.
    targets : array, shape (n, K)
        Weight of each component for each observation, such as responsibilities. Weights may be
        negative; then it is a local maximum that is found.
    start : array, shape (q, K), optional
    ridge : float
    longest : int
        Greatest number of Newton's steps.
    """
    n_columns, k = matrix.shape[1], targets.shape[1]
    scales, totals = column_scales(matrix), targets.sum(axis=1)
    coefficients = np.zeros((n_columns, k)) if start is None else start - start[:, :1]
    curvature = _penalty_curvature(scales, k, ridge)
    log_probs = log_probabilities(matrix, coefficients)
    value = _objective(targets, log_probs, coefficients, scales, ridge)
    enough = DECREMENT * max(float(np.abs(totals).sum()), 1.0)
    for _ in range(longest if k > 1 else 0):
        probabilities = np.exp(log_probs)
        gradient = matrix.T @ (targets - totals[:, None] * probabilities)
        gradient -= ridge * scales[:, None] ** 2 * _centred(coefficients)
        hessian = information(matrix, probabilities, totals) + curvature
        step = _newton_step(hessian, gradient[:, 1:].T.ravel()).reshape(k - 1, n_columns).T
        rise = float((gradient[:, 1:] * step).sum())
        moved = np.zeros_like(coefficients)
        for halving in range(HALVINGS):
            moved[:, 1:] = coefficients[:, 1:] + step * 0.5**halving
            new_log_probs = log_probabilities(matrix, moved)
            reached = _objective(targets, new_log_probs, moved, scales, ridge)
            if reached >= value:
                break
        else:
            return coefficients
        coefficients, log_probs, value = moved, new_log_probs, reached
        if rise < enough:
            return coefficients
    return coefficients


def information(matrix: Array, probabilities: Array, totals: Array) -> Array:
    """Return the information of the coefficients, shape ((K - 1) q, (K - 1) q).

    Coefficients are ordered by component, without the reference, then by covariate.

    Parameters
    ----------
    matrix : array, shape (n, q)
    probabilities : array, shape (n, K)
    totals : array, shape (n,)
        Weights of the observations.
    """
    n_columns, k = matrix.shape[1], probabilities.shape[1]
    blocks = np.empty((k - 1, n_columns, k - 1, n_columns))
    for one in range(1, k):
        for other in range(one, k):
            own = probabilities[:, one] if one == other else 0.0
            weights = totals * (own - probabilities[:, one] * probabilities[:, other])
            block = matrix.T @ (matrix * weights[:, None])
            blocks[one - 1, :, other - 1, :] = block
            blocks[other - 1, :, one - 1, :] = block
    return blocks.reshape((k - 1) * n_columns, (k - 1) * n_columns)


def column_scales(matrix: Array) -> Array:
    """Return the deviations of covariates, shape (q,): zero for constant ones."""
    return np.asarray(matrix.std(axis=0))


def _centred(coefficients: Array) -> Array:
    return coefficients - coefficients.mean(axis=1, keepdims=True)


def _penalty_curvature(scales: Array, k: int, ridge: float) -> Array:
    between = np.eye(k - 1) - 1.0 / k
    return ridge * np.kron(between, np.diag(scales**2))


def _objective(
    targets: Array, log_probs: Array, coefficients: Array, scales: Array, ridge: float
) -> float:
    there = targets != 0
    return float((targets[there] * log_probs[there]).sum()) - penalty(coefficients, scales, ridge)


def _newton_step(hessian: Array, gradient: Array) -> Array:
    """Solve for a step; the diagonal is raised until the matrix is positive definite."""
    scale = np.maximum(np.diagonal(hessian), 1e-12 * max(np.abs(hessian).max(), 1e-300))
    raised = 0.0
    while True:
        try:
            factor = np.linalg.cholesky(hessian + np.diag(raised * scale))
        except np.linalg.LinAlgError:
            raised = max(10 * raised, 1e-10)
            continue
        return np.linalg.solve(factor.T, np.linalg.solve(factor, gradient))
