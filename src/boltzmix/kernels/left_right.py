"""Left-right chains: a sequence starts in the first state, and stays or moves on to the next.

The work of a step grows with the number of states, not with its square. All is computed with
logarithms, which cannot underflow, by loops over states that the compiler can vectorise.

Shapes, for S states and n steps of N sequences that lie end to end: log_emissions and posteriors
(S, n), ends (N + 1,), stays and moves (S,) the log probabilities of staying in a state, and of
moving on from it, forward (n, S) log forward probabilities, scores and weights (N,).
"""

from typing import Any

import numpy as np

from .compile import fast_kernel, kernel
from .exponential import exponential
from .logarithm import logarithm

NEVER = -1e200  # in place of the logarithm of zero
IMPOSSIBLE = -1e100  # scores below this are those of impossible sequences
FAR = -700.0  # an exponential of less is zero


@kernel()
def forward_pass(
    log_emissions: Any, ends: Any, stays: Any, moves: Any, forward: Any, scores: Any
) -> None:
    """Write log forward probabilities, and the log-likelihood of each sequence."""
    s = len(stays)
    arrives = np.empty(s)
    arrives[0], arrives[1:] = NEVER, moves[:-1]
    before, emission = np.full(s + 1, NEVER), np.empty(s)
    for place in range(len(scores)):
        first, end = ends[place], ends[place + 1]
        before[:] = NEVER
        before[1] = 0.0
        for t in range(first, end):
            for i in range(s):
                emission[i] = max(log_emissions[i, t], NEVER)
            if t == first:
                for i in range(s):
                    forward[t, i] = before[i + 1] + emission[i]
            else:
                _advance(before, stays, arrives, emission, forward[t])
            before[1:] = forward[t]
        scores[place] = _log_sum(forward[end - 1])


@fast_kernel()
def _advance(before: Any, stays: Any, arrives: Any, emission: Any, now: Any) -> None:
    """Write log forward probabilities (S,), given those `before` (S + 1,), the first of a dummy."""
    for i in range(len(now)):
        one, other = before[i + 1] + stays[i], before[i] + arrives[i]
        top, apart = max(one, other), -abs(one - other)
        now[i] = emission[i] + top + logarithm(1.0 + exponential(apart, FAR))


@kernel()
def backward_pass(
    log_emissions: Any,
    ends: Any,
    stays: Any,
    moves: Any,
    weights: Any,
    forward: Any,
    scores: Any,
    posteriors: Any,
    counts: Any,
) -> None:
    """Write posteriors times weights, and expected numbers of transitions (S, S).

    A sequence moves on from a state just once if it ends in a later one.
    """
    s = len(stays)
    counts[:] = 0.0
    ahead, backward, found = np.empty(s + 1), np.empty(s), np.empty(s)
    for place in range(len(scores)):
        first, end = ends[place], ends[place + 1]
        score, weight = scores[place], weights[place]
        if weight == 0.0 or not score > IMPOSSIBLE:
            posteriors[:, first:end] = 0.0
            continue
        backward[:] = 0.0
        for t in range(end - 1, first - 1, -1):
            _posterior(forward[t], backward, score, weight, found)
            posteriors[:, t] = found
            if t == end - 1:
                _count_moves(found, counts)
            else:
                for i in range(s):
                    counts[i, i] += found[i]
            for i in range(s):
                ahead[i] = max(log_emissions[i, t], NEVER) + backward[i]
            ahead[s] = NEVER
            _retreat(ahead, stays, moves, backward)
    for i in range(s - 1):
        counts[i, i] -= counts[i, i + 1]


@fast_kernel()
def _posterior(forward: Any, backward: Any, score: float, weight: float, found: Any) -> None:
    """Write the weighted probability of each state at a step, given the whole sequence."""
    for i in range(len(found)):
        found[i] = weight * exponential(min(forward[i] + backward[i] - score, 0.0), FAR)


@fast_kernel()
def _retreat(ahead: Any, stays: Any, moves: Any, backward: Any) -> None:
    """Write log backward probabilities (S,), given those one step `ahead` with emissions."""
    for i in range(len(backward)):
        one, other = ahead[i] + stays[i], ahead[i + 1] + moves[i]
        top, apart = max(one, other), -abs(one - other)
        backward[i] = top + logarithm(1.0 + exponential(apart, FAR))


@kernel()
def _count_moves(last: Any, counts: Any) -> None:
    """Add the moves of a sequence with these probabilities of its last state (S,)."""
    beyond = 0.0
    for i in range(len(last) - 2, -1, -1):
        beyond += last[i + 1]
        counts[i, i + 1] += beyond


@kernel()
def _log_sum(terms: Any) -> float:
    """Return the logarithm of the sum of exponentials, or minus infinity if that is zero."""
    top = terms.max()
    if not top > IMPOSSIBLE:
        return -np.inf
    return top + np.log(np.exp(terms - top).sum())
