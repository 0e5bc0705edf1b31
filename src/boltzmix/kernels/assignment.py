"""From the log-likelihood matrix to labels and responsibilities.

Shapes: log_probs (K, n), log_weights (K,), found (K, n), draws (n,), labels (n,), scores (n,).
A *joint* is a log density plus its log weight. An observation that is impossible under every
component has equal responsibilities, and scores minus infinity. Responsibilities below e^-40 of
the largest are zero: they are lost in rounding, and the M-step can pass over them.

Observations are worked on in lanes, so that exponentials fill the vector unit.
"""

from typing import Any

import numpy as np

from .compile import inlined, kernel
from .exponential import exponential

LANES = 64
NEGLIGIBLE = -40.0


@inlined()
def weigh(
    log_probs: Any, log_weights: Any, temperature: float, start: int, top: Any, weighed: Any
) -> None:
    """Write the largest joint of each lane, and exp((joint - largest) / temperature) (K, LANES)."""
    k_max, n = log_probs.shape
    width = min(LANES, n - start)
    inverse = 1.0 / temperature
    for t in range(LANES):
        top[t] = -np.inf
    for k in range(k_max):
        log_prob, log_weight = log_probs[k][start : start + width], log_weights[k]
        for t in range(width):
            weighed[k, t] = log_prob[t] + log_weight
            top[t] = max(top[t], weighed[k, t])
    for k in range(k_max):
        for t in range(LANES):
            finite = top[t] if top[t] > -np.inf else 0.0
            weighed[k, t] = exponential((weighed[k, t] - finite) * inverse, NEGLIGIBLE)


def responsibilities(
    log_probs: Any, log_weights: Any, temperature: float, found: Any, scores: Any
) -> None:
    """Write r', proportional to exp(joint / temperature), and the log-likelihood."""
    _normalise(log_probs, log_weights, temperature, found, scores, _memory(log_probs))
    if temperature != 1.0:
        log_likelihoods(log_probs, log_weights, scores)


def log_likelihoods(log_probs: Any, log_weights: Any, scores: Any) -> None:
    """Write the log density of every row under the mixture."""
    _normalise(log_probs, log_weights, 1.0, np.empty((0, 0)), scores, _memory(log_probs))


def _memory(log_probs: Any) -> Any:
    """Return memory for `_normalise` and `_draw`."""
    return np.zeros((len(log_probs) + 2, LANES))


@kernel(allocates=False)
def _normalise(
    log_probs: Any, log_weights: Any, temperature: float, found: Any, scores: Any, memory: Any
) -> None:
    """Write r', unless `found` is empty, and the log-likelihood if the temperature is one."""
    k_max, n = log_probs.shape
    weighed, top, total = memory[:k_max], memory[k_max], memory[k_max + 1]
    for start in range(0, n, LANES):
        width = min(LANES, n - start)
        weigh(log_probs, log_weights, temperature, start, top, weighed)
        for t in range(LANES):
            total[t] = 0.0
        for k in range(k_max):
            for t in range(LANES):
                total[t] += weighed[k, t]
        for t in range(width):
            scores[start + t] = top[t] + np.log(total[t])
            if total[t] == 0.0:
                total[t] = k_max
                for k in range(k_max):
                    weighed[k, t] = 1.0
        for t in range(LANES):
            total[t] = 1.0 / total[t]
        for k in range(found.shape[0]):
            own = found[k][start : start + width]
            for t in range(width):
                own[t] = weighed[k, t] * total[t]


def draw_labels(
    log_probs: Any, log_weights: Any, temperature: float, draws: Any, labels: Any
) -> None:
    """Draw z_n ~ Categorical(r'_n), given one uniform number per row."""
    _draw(log_probs, log_weights, temperature, draws, labels, _memory(log_probs))


@kernel(allocates=False)
def _draw(
    log_probs: Any, log_weights: Any, temperature: float, draws: Any, labels: Any, memory: Any
) -> None:
    """Do the same, with memory."""
    k_max, n = log_probs.shape
    sums, top = memory[:k_max], memory[k_max]
    for start in range(0, n, LANES):
        width = min(LANES, n - start)
        weigh(log_probs, log_weights, temperature, start, top, sums)
        for k in range(1, k_max):
            for t in range(LANES):
                sums[k, t] += sums[k - 1, t]
        drawn, own = labels[start : start + width], draws[start : start + width]
        for t in range(width):
            drawn[t] = 0
            if sums[k_max - 1, t] == 0.0:
                for k in range(k_max):
                    sums[k, t] = k + 1.0
        for k in range(k_max - 1):
            for t in range(width):
                if sums[k, t] <= own[t] * sums[k_max - 1, t]:
                    drawn[t] += 1


@kernel(allocates=False)
def best_labels(log_probs: Any, log_weights: Any, labels: Any) -> None:
    """Write the component of the largest joint; the first of equals."""
    k_max, n = log_probs.shape
    for t in range(n):
        best, top = 0, log_probs[0, t] + log_weights[0]
        for k in range(1, k_max):
            joint = log_probs[k, t] + log_weights[k]
            if joint > top:
                best, top = k, joint
        labels[t] = best


@kernel(allocates=False)
def largest(log_probs: Any, log_weights: Any, scores: Any) -> None:
    """Write the largest joint of every row."""
    k_max, n = log_probs.shape
    for t in range(n):
        scores[t] = log_probs[0, t] + log_weights[0]
    for k in range(1, k_max):
        for t in range(n):
            scores[t] = max(scores[t], log_probs[k, t] + log_weights[k])


@kernel(allocates=False)
def mean_entropy(log_probs: Any, temperature: float) -> float:
    """Return the mean entropy of r', in nats, weights being equal; rows must be possible."""
    k_max, n = log_probs.shape
    inverse = 1.0 / temperature
    total = 0.0
    for i in range(n):
        top = -np.inf
        for k in range(k_max):
            top = max(top, log_probs[k, i])
        mass, moment = 0.0, 0.0
        for k in range(k_max):
            exponent = (log_probs[k, i] - top) * inverse
            if exponent > NEGLIGIBLE:
                part = np.exp(exponent)
                mass += part
                moment += part * exponent
        total += np.log(mass) - moment / mass
    return total / n
