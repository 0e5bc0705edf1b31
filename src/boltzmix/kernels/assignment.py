"""From values to who belongs to whom.

Shapes: values (K, n), log_weights (K,), shares (K, n), draws (n,), labels (n,), scores (n,).
`joint` is a value plus its log weight. A row that is impossible under every component prefers
none, and scores minus infinity. Shares below e^-40 of the largest are zero: they are lost in
rounding, and the M-step can pass over them.

Rows are worked on in lanes, so that exponentials fill the vector unit.
"""

from typing import Any

import numpy as np

from .compile import kernel
from .exponential import exponential

LANES = 64
NEGLIGIBLE = -40.0


@kernel()
def _weigh(
    values: Any, log_weights: Any, temperature: float, start: int, top: Any, weighed: Any
) -> None:
    """Write the largest joint of each lane, and exp((joint - largest) / temperature) (K, LANES)."""
    k_max, n = values.shape
    width = min(LANES, n - start)
    inverse = 1.0 / temperature
    for t in range(LANES):
        top[t] = -np.inf
    for k in range(k_max):
        value, log_weight = values[k][start : start + width], log_weights[k]
        for t in range(width):
            weighed[k, t] = value[t] + log_weight
            top[t] = max(top[t], weighed[k, t])
    for k in range(k_max):
        for t in range(LANES):
            finite = top[t] if top[t] > -np.inf else 0.0
            weighed[k, t] = exponential((weighed[k, t] - finite) * inverse, NEGLIGIBLE)


@kernel()
def share_out(values: Any, log_weights: Any, temperature: float, shares: Any, scores: Any) -> None:
    """Write r', proportional to exp(joint / temperature), and the log-likelihood."""
    k_max, n = values.shape
    top = np.empty(LANES)
    total = np.empty(LANES)
    weighed = np.zeros((k_max, LANES))
    if temperature != 1.0:
        log_likelihoods(values, log_weights, scores)
    for start in range(0, n, LANES):
        width = min(LANES, n - start)
        _weigh(values, log_weights, temperature, start, top, weighed)
        for t in range(LANES):
            total[t] = 0.0
        for k in range(k_max):
            for t in range(LANES):
                total[t] += weighed[k, t]
        for t in range(width):
            if temperature == 1.0:
                scores[start + t] = top[t] + np.log(total[t])
            if total[t] == 0.0:
                total[t] = k_max
                for k in range(k_max):
                    weighed[k, t] = 1.0
        for t in range(LANES):
            total[t] = 1.0 / total[t]
        for k in range(k_max):
            share = shares[k][start : start + width]
            for t in range(width):
                share[t] = weighed[k, t] * total[t]


@kernel()
def draw_labels(values: Any, log_weights: Any, temperature: float, draws: Any, labels: Any) -> None:
    """Draw z_n ~ Categorical(r'_n), given one uniform number per row."""
    k_max, n = values.shape
    top = np.empty(LANES)
    sums = np.zeros((k_max, LANES))
    drawn = np.empty(LANES, dtype=np.int32)
    for start in range(0, n, LANES):
        width = min(LANES, n - start)
        _weigh(values, log_weights, temperature, start, top, sums)
        for k in range(1, k_max):
            for t in range(LANES):
                sums[k, t] += sums[k - 1, t]
        for t in range(width):
            drawn[t] = 0
            if sums[k_max - 1, t] == 0.0:
                for k in range(k_max):
                    sums[k, t] = k + 1.0
        for k in range(k_max - 1):
            for t in range(width):
                if sums[k, t] <= draws[start + t] * sums[k_max - 1, t]:
                    drawn[t] += 1
        for t in range(width):
            labels[start + t] = drawn[t]


@kernel()
def best_labels(values: Any, log_weights: Any, labels: Any) -> None:
    """Write the component of the largest joint; the first of equals."""
    k_max, n = values.shape
    for t in range(n):
        best, top = 0, values[0, t] + log_weights[0]
        for k in range(1, k_max):
            joint = values[k, t] + log_weights[k]
            if joint > top:
                best, top = k, joint
        labels[t] = best


@kernel()
def log_likelihoods(values: Any, log_weights: Any, scores: Any) -> None:
    """Write the log density of every row under the mixture."""
    k_max, n = values.shape
    top = np.empty(LANES)
    total = np.empty(LANES)
    weighed = np.zeros((k_max, LANES))
    for start in range(0, n, LANES):
        width = min(LANES, n - start)
        _weigh(values, log_weights, 1.0, start, top, weighed)
        for t in range(LANES):
            total[t] = 0.0
        for k in range(k_max):
            for t in range(LANES):
                total[t] += weighed[k, t]
        for t in range(width):
            scores[start + t] = top[t] + np.log(total[t])


@kernel()
def largest(values: Any, log_weights: Any, scores: Any) -> None:
    """Write the largest joint of every row."""
    k_max, n = values.shape
    for t in range(n):
        scores[t] = values[0, t] + log_weights[0]
    for k in range(1, k_max):
        for t in range(n):
            scores[t] = max(scores[t], values[k, t] + log_weights[k])


@kernel()
def mean_entropy(values: Any, temperature: float) -> float:
    """Return the mean entropy of r', in nats, weights being equal; rows must be possible."""
    k_max, n = values.shape
    inverse = 1.0 / temperature
    total = 0.0
    for i in range(n):
        top = -np.inf
        for k in range(k_max):
            top = max(top, values[k, i])
        mass, moment = 0.0, 0.0
        for k in range(k_max):
            exponent = (values[k, i] - top) * inverse
            if exponent > NEGLIGIBLE:
                share = np.exp(exponent)
                mass += share
                moment += share * exponent
        total += np.log(mass) - moment / mass
    return total / n
