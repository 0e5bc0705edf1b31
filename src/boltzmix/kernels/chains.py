"""Hidden Markov chains over many sequences: expectations, log-likelihoods and best paths.

Shapes, for S states and n steps of N sequences that lie end to end: log_emissions (S, n),
ends (N + 1,), order (N,) the numbers of the sequences from the longest to the shortest,
initial (S,), transitions (S, S) from row to column, weights (N,), scores (N,) log-likelihoods,
posteriors (S, n) the probability of each state at each step given the whole sequence, times the
weight of the sequence, counts (S, S) expected numbers of transitions, weighted likewise.

Sequences are processed side by side, in lanes (`chain_lanes`), with probabilities that are scaled
at every step (`chain_passes`). A sequence whose probabilities underflow in spite of that is
processed again with logarithms (`chain_logs`).
"""

from typing import Any

import numpy as np

from .chain_lanes import lay_out, next_group
from .chain_logs import log_expectations, log_forward
from .chain_passes import backward_pass, forward_pass, leave_out, relative_likelihoods
from .compile import kernel

RARE = 1e-100  # with transitions below this, the forward pass may lose a state by underflow
SUSPICIOUS = 1e-6  # relative disagreement of the two passes above which logarithms are needed


@kernel()
def expectations(
    log_emissions: Any,
    ends: Any,
    order: Any,
    initial: Any,
    transitions: Any,
    weights: Any,
    scores: Any,
    posteriors: Any,
    counts: Any,
) -> None:
    """Write log-likelihoods, posteriors and counts: the E-step of all sequences."""
    s = len(initial)
    into = transitions.T.copy()
    pair_sums = np.empty((s, s))
    relative_likelihoods(log_emissions, ends, posteriors, scores)  # stored where posteriors will be
    for i in range(s):
        for j in range(s):
            counts[i, j] = 0.0
    begin = 0
    while begin < len(order):
        some = next_group(ends, order, begin, s)
        layout = lay_out(ends, some)
        times, lanes = layout.steps.shape
        emitted, forward = np.empty((times, s, lanes)), np.empty((times, s, lanes))
        factors, own = np.empty((times, lanes)), weights[layout.which]
        forward_pass(posteriors, layout, initial, into, emitted, forward, factors, scores)
        for k in range(len(some)):
            if not np.isfinite(scores[layout.which[k]]):
                leave_out(layout, k, emitted, forward, factors, own)
        agree = False
        while not agree:
            agree = True
            backward_pass(
                transitions, layout, own, emitted, forward, factors, posteriors, pair_sums
            )
            for k in range(len(some)):
                total = posteriors[:, ends[layout.which[k]]].sum()
                if not abs(total - own[k]) <= SUSPICIOUS * own[k]:
                    leave_out(layout, k, emitted, forward, factors, own)
                    scores[layout.which[k]] = -np.inf
                    agree = False
        for i in range(s):
            for j in range(s):
                counts[i, j] += transitions[i, j] * pair_sums[i, j]
        begin += len(some)
    for place in range(len(scores)):
        if not np.isfinite(scores[place]):
            first, end = ends[place], ends[place + 1]
            scores[place] = log_expectations(
                log_emissions[:, first:end], initial, transitions, weights[place],
                posteriors[:, first:end], counts,
            )  # fmt: skip


@kernel()
def log_likelihoods(
    log_emissions: Any, ends: Any, order: Any, initial: Any, transitions: Any, scores: Any
) -> None:
    """Write the log-likelihood of each sequence.

    If some transitions are impossible, the forward pass may lose a state by underflow through which
    the best path leads, and only the backward pass shows it. If all are possible, other states
    lead to the lost one again.
    """
    s = len(initial)
    if transitions.min() < RARE:
        posteriors, counts, weights = (
            np.empty(log_emissions.shape),
            np.empty((s, s)),
            np.ones(len(order)),
        )
        expectations(
            log_emissions, ends, order, initial, transitions, weights, scores, posteriors, counts
        )
        return
    into = transitions.T.copy()
    likelihoods = np.empty(log_emissions.shape)
    relative_likelihoods(log_emissions, ends, likelihoods, scores)
    begin = 0
    while begin < len(order):
        some = next_group(ends, order, begin, s)
        layout = lay_out(ends, some)
        lanes = layout.steps.shape[1]
        emitted, forward = np.empty((2, s, lanes)), np.empty((2, s, lanes))
        factors = np.empty((2, lanes))
        forward_pass(likelihoods, layout, initial, into, emitted, forward, factors, scores)
        begin += len(some)
    for place in range(len(scores)):
        if not np.isfinite(scores[place]):
            own = log_emissions[:, ends[place] : ends[place + 1]]
            scores[place] = log_forward(own, initial, transitions, np.empty(own.shape))


@kernel()
def best_paths(
    log_emissions: Any, ends: Any, initial: Any, transitions: Any, paths: Any, scores: Any
) -> None:
    """Write the states (n,) of the most probable path of each sequence, and its score (Viterbi)."""
    s = len(initial)
    log_transitions = np.log(transitions)
    for place in range(len(ends) - 1):
        begin, end = ends[place], ends[place + 1]
        came_from = np.empty((end - begin, s), dtype=np.int32)
        now, before = np.empty(s), np.log(initial) + log_emissions[:, begin]
        for t in range(begin + 1, end):
            for j in range(s):
                best, place_of_best = -np.inf, 0
                for i in range(s):
                    value = before[i] + log_transitions[i, j]
                    if value > best:
                        best, place_of_best = value, i
                now[j] = best + log_emissions[j, t]
                came_from[t - begin, j] = place_of_best
            before, now = now, before
        state = np.argmax(before)
        scores[place] = before[state]
        for t in range(end - 1, begin - 1, -1):
            paths[t] = state
            state = came_from[t - begin, state]
