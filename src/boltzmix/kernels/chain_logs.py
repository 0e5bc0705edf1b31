"""The forward and backward pass over one sequence in logarithms, which cannot underflow.

Shapes, for S states and n steps of the sequence: log_emissions, forward and posteriors (S, n),
initial (S,), transitions and counts (S, S).
"""

from typing import Any

import numpy as np

from .compile import part


@part()
def log_forward(log_emissions: Any, initial: Any, transitions: Any, forward: Any) -> float:
    """Write the log forward probabilities of one sequence, and return its log-likelihood."""
    s, n = log_emissions.shape
    log_transitions, terms = np.log(transitions), np.empty(s)
    for j in range(s):
        forward[j, 0] = np.log(initial[j]) + log_emissions[j, 0]
    for t in range(1, n):
        for j in range(s):
            for i in range(s):
                terms[i] = forward[i, t - 1] + log_transitions[i, j]
            forward[j, t] = _log_sum(terms) + log_emissions[j, t]
    for i in range(s):
        terms[i] = forward[i, n - 1]
    return _log_sum(terms)


@part()
def log_expectations(
    log_emissions: Any, initial: Any, transitions: Any, weight: float, posteriors: Any, counts: Any
) -> float:
    """Write the posteriors of one sequence, add to counts, and return its log-likelihood."""
    s, n = log_emissions.shape
    forward = np.empty((s, n))
    score = log_forward(log_emissions, initial, transitions, forward)
    if score == -np.inf:
        for i in range(s):
            for t in range(n):
                posteriors[i, t] = 0.0
        return score
    log_transitions, terms = np.log(transitions), np.empty(s)
    backward, ahead = np.zeros(s), np.empty(s)
    for t in range(n - 1, -1, -1):
        for i in range(s):
            posteriors[i, t] = np.exp(forward[i, t] + backward[i] - score) * weight
            ahead[i] = log_emissions[i, t] + backward[i]
        if t == 0:
            break
        for i in range(s):
            for j in range(s):
                terms[j] = log_transitions[i, j] + ahead[j]
                counts[i, j] += weight * np.exp(forward[i, t - 1] + terms[j] - score)
            backward[i] = _log_sum(terms)
    return score


@part()
def _log_sum(terms: Any) -> float:
    """Return the logarithm of the sum of exponentials."""
    top = -np.inf
    for i in range(len(terms)):
        top = max(top, terms[i])
    if top == -np.inf:
        return top
    total = 0.0
    for i in range(len(terms)):
        total += np.exp(terms[i] - top)
    return top + np.log(total)
