"""From the value matrix to who belongs to whom, with a score for every observation.

`values` (n, K) is the value matrix, log p(x_n | ζ_k); with the log weights added, it is the
joint. `draw` returns one uniform number per observation; `weights` (n,) are the observations' own.
"""

from collections.abc import Callable

import numpy as np

from .. import kernels
from ..data import FloatArray, Hard, IntArray, Membership, Soft

Draw = Callable[[], FloatArray]
Assignment = Callable[
    [FloatArray, FloatArray, float, Draw, FloatArray | None], tuple[Membership, FloatArray]
]
Score = Callable[[FloatArray, FloatArray], FloatArray]


def modified_responsibility(
    values: FloatArray, log_weights: FloatArray, temperature: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    """Return r' (n, K), proportional to exp(joint / temperature), and the log-likelihood (n,).

    An observation that is impossible under every component prefers none.
    """
    columns = np.ascontiguousarray(values.T)
    shares, scores = np.empty_like(columns), np.empty(len(values))
    kernels.assignment.share_out(columns, log_weights, float(temperature), shares, scores)
    return shares.T, scores


def best_component(values: FloatArray, log_weights: FloatArray) -> IntArray:
    """Return the component with the largest joint of each observation, shape (n,)."""
    labels = np.empty(len(values), dtype=np.int32)
    kernels.assignment.best_labels(np.ascontiguousarray(values.T), log_weights, labels)
    return labels


def log_likelihood(values: FloatArray, log_weights: FloatArray) -> FloatArray:
    """Score each observation by its log density under the mixture (EM's likelihood)."""
    scores = np.empty(len(values))
    kernels.assignment.log_likelihoods(np.ascontiguousarray(values.T), log_weights, scores)
    return scores


def classification(values: FloatArray, log_weights: FloatArray) -> FloatArray:
    """Score each observation by its best component, weight included (CEM's likelihood)."""
    scores = np.empty(len(values))
    kernels.assignment.largest(np.ascontiguousarray(values.T), log_weights, scores)
    return scores


def best_value(values: FloatArray, log_weights: FloatArray) -> FloatArray:
    """Score each observation by its best value, whatever the weights (the paper's score)."""
    return classification(values, np.zeros_like(log_weights))


def soft(
    values: FloatArray,
    log_weights: FloatArray,
    temperature: float,
    draw: Draw,
    weights: FloatArray | None,
) -> tuple[Soft, FloatArray]:
    """Share every observation out by its modified responsibility."""
    shares, scores = modified_responsibility(values, log_weights, temperature)
    return Soft(shares if weights is None else shares * weights[:, None]), scores


def argmax(
    values: FloatArray,
    log_weights: FloatArray,
    temperature: float,
    draw: Draw,
    weights: FloatArray | None,
) -> tuple[Hard, FloatArray]:
    """Give every observation to its best component."""
    labels = best_component(values, log_weights)
    return Hard(labels, values.shape[1], weights), classification(values, log_weights)


def sampled(score: Score) -> Assignment:
    """Draw one component for every observation: z_n ~ Categorical(r'_n)."""

    def assign(
        values: FloatArray,
        log_weights: FloatArray,
        temperature: float,
        draw: Draw,
        weights: FloatArray | None,
    ) -> tuple[Hard, FloatArray]:
        columns, labels = np.ascontiguousarray(values.T), np.empty(len(values), dtype=np.int32)
        kernels.assignment.draw_labels(columns, log_weights, float(temperature), draw(), labels)
        return Hard(labels, values.shape[1], weights), score(values, log_weights)

    return assign
