"""From values to who belongs to whom, row by row.

Shapes: values (K, n), log_weights (K,), shares (K, n), draws (n,), labels (n,), scores (n,).
`joint` is a value plus its log weight. A row that is impossible under every component prefers
none, and scores minus infinity. Shares below e^-40 of the largest are zero: they are lost in
rounding, and the M-step can pass over them.
"""

from typing import Any

import numpy as np

from .compile import kernel

NEGLIGIBLE = -40.0


@kernel()
def share_out(values: Any, log_weights: Any, temperature: float, shares: Any, scores: Any) -> None:
    """Write r', proportional to exp(joint / temperature), and the log-likelihood."""
    k_max, n = values.shape
    for t in range(n):
        top = -np.inf
        for k in range(k_max):
            top = max(top, values[k, t] + log_weights[k])
        if top == -np.inf:
            scores[t] = -np.inf
            for k in range(k_max):
                shares[k, t] = 1.0 / k_max
            continue
        total = 0.0
        likelihood = 0.0
        for k in range(k_max):
            below = values[k, t] + log_weights[k] - top
            share = np.exp(below / temperature) if below > NEGLIGIBLE * temperature else 0.0
            shares[k, t] = share
            total += share
            if temperature != 1.0 and below > NEGLIGIBLE:
                likelihood += np.exp(below)
        for k in range(k_max):
            shares[k, t] /= total
        scores[t] = top + np.log(total if temperature == 1.0 else likelihood)


@kernel()
def draw_labels(values: Any, log_weights: Any, temperature: float, draws: Any, labels: Any) -> None:
    """Draw z_n ~ Categorical(r'_n), given one uniform number per row."""
    k_max, n = values.shape
    steps = np.empty(k_max)
    for t in range(n):
        top = -np.inf
        for k in range(k_max):
            steps[k] = values[k, t] + log_weights[k]
            top = max(top, steps[k])
        total = 0.0
        for k in range(k_max):
            below = steps[k] - top if top > -np.inf else 0.0
            if below > NEGLIGIBLE * temperature:
                total += np.exp(below / temperature)
            steps[k] = total
        wanted = draws[t] * total
        label = 0
        while label < k_max - 1 and steps[label] <= wanted:
            label += 1
        labels[t] = label


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
    for t in range(n):
        top = -np.inf
        for k in range(k_max):
            top = max(top, values[k, t] + log_weights[k])
        total = 0.0
        for k in range(k_max):
            below = values[k, t] + log_weights[k] - top
            if below > NEGLIGIBLE:
                total += np.exp(below)
        scores[t] = top + np.log(total) if top > -np.inf else top


@kernel()
def largest(values: Any, log_weights: Any, scores: Any) -> None:
    """Write the largest joint of every row."""
    k_max, n = values.shape
    for t in range(n):
        top = values[0, t] + log_weights[0]
        for k in range(1, k_max):
            top = max(top, values[k, t] + log_weights[k])
        scores[t] = top
