"""From the log-likelihood matrix to labels or responsibilities, with a score per observation.

`log_probs` (n, K) is the log-likelihood matrix, log p(x_n | ζ_k). `draw` returns one uniform number
per observation; `weights` (n,) are the sample weights.
"""

from collections.abc import Callable

import numpy as np

from ... import kernels
from ...data import FloatArray, Hard, IntArray, Soft
from ..engine.assigned import Assignment


def responsibilities(
    log_probs: FloatArray, log_weights: FloatArray, temperature: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    """Return the modified responsibilities r' (n, K), and the log-likelihoods (n,).

    r' is proportional to exp((log p(x_n | ζ_k) + log w_k) / temperature). An observation that is
    impossible under every component has equal responsibilities.
    """
    columns = np.ascontiguousarray(log_probs.T)
    found, scores = np.empty_like(columns), np.empty(len(log_probs))
    kernels.assignment.responsibilities(columns, log_weights, float(temperature), found, scores)
    return found.T, scores


def best_component(log_probs: FloatArray, log_weights: FloatArray) -> IntArray:
    """Return the most probable component of each observation, shape (n,)."""
    labels = np.empty(len(log_probs), dtype=np.int32)
    kernels.assignment.best_labels(np.ascontiguousarray(log_probs.T), log_weights, labels)
    return labels


def log_likelihood(log_probs: FloatArray, log_weights: FloatArray) -> FloatArray:
    """Score each observation by its log density under the mixture (EM's likelihood)."""
    scores = np.empty(len(log_probs))
    kernels.assignment.log_likelihoods(np.ascontiguousarray(log_probs.T), log_weights, scores)
    return scores


def classification(log_probs: FloatArray, log_weights: FloatArray) -> FloatArray:
    """Score each observation by its best component, weight included (CEM's likelihood)."""
    scores = np.empty(len(log_probs))
    kernels.assignment.largest(np.ascontiguousarray(log_probs.T), log_weights, scores)
    return scores


def best_log_prob(log_probs: FloatArray, log_weights: FloatArray) -> FloatArray:
    """Score each observation by its largest log density, whatever the weights (the paper's)."""
    return classification(log_probs, np.zeros_like(log_weights))


def soft(
    log_probs: FloatArray,
    log_weights: FloatArray,
    temperature: float,
    draw: Callable[[], FloatArray],
    weights: FloatArray | None,
) -> tuple[Soft, FloatArray]:
    """Give every component its modified responsibility for an observation, as EM does."""
    found, scores = responsibilities(log_probs, log_weights, temperature)
    return Soft(found if weights is None else found * weights[:, None]), scores


def argmax(
    log_probs: FloatArray,
    log_weights: FloatArray,
    temperature: float,
    draw: Callable[[], FloatArray],
    weights: FloatArray | None,
) -> tuple[Hard, FloatArray]:
    """Assign every observation to its most probable component, as CEM does."""
    labels = best_component(log_probs, log_weights)
    return Hard(labels, log_probs.shape[1], weights), classification(log_probs, log_weights)


def sampled(
    score: Callable[[FloatArray, FloatArray], FloatArray] = best_log_prob,
) -> Assignment:
    """Draw one component for every observation: z_n ~ Categorical(r'_n), as BEEM and SEM do."""

    def assign(
        log_probs: FloatArray,
        log_weights: FloatArray,
        temperature: float,
        draw: Callable[[], FloatArray],
        weights: FloatArray | None,
    ) -> tuple[Hard, FloatArray]:
        columns = np.ascontiguousarray(log_probs.T)
        labels = np.empty(len(log_probs), dtype=np.int32)
        kernels.assignment.draw_labels(columns, log_weights, float(temperature), draw(), labels)
        return Hard(labels, log_probs.shape[1], weights), score(log_probs, log_weights)

    return assign
