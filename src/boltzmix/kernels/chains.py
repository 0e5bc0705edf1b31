"""Hidden Markov chains over many sequences: log-likelihoods, expectations and best paths.

Shapes, for K chains with S states in all, and N sequences that lie end to end with n steps:
bounds (K + 1,) where the states of each chain begin and end, initial (S,), transitions (S, most
states of a chain) from row to column, ends (N + 1,). Sequences are processed side by side, in lanes
(`chain_lanes`): log_emissions, likelihoods and forward (S, n) and factors (K, n) are in the order
of slots of a `Layout`; the last three lie row by row in arrays of one dimension, with `PADDING`
numbers after them. Probabilities are scaled at every step (`chain_passes`). A sequence whose
probabilities underflow in spite of that is `doubtful` (K, N) under a chain, and is processed with
logarithms (`chain_logs`).
"""

from typing import Any

import numpy as np

from . import left_right
from .chain_lanes import Layout, laid_out, lay_out
from .chain_logs import log_expectations, log_forward
from .chain_passes import (
    PADDING,
    as_matrix,
    backward_pass,
    count_transitions,
    empty,
    forward_pass,
    relative_likelihoods,
)
from .compile import fast_part, kernel, part

__all__ = ["PADDING", "best_paths", "evaluate", "expectations", "lay_out"]

RARE = 1e-100  # with transitions below this, the forward pass may lose a state by underflow
SUSPICIOUS = 1e-6  # relative disagreement of the two passes above which logarithms are needed


@kernel()
def evaluate(
    log_emissions: Any,
    steps: Any,
    begins: Any,
    lane: Any,
    first: Any,
    last: Any,
    which: Any,
    bounds: Any,
    initial: Any,
    transitions: Any,
    likelihoods: Any,
    forward: Any,
    factors: Any,
    doubtful: Any,
    scores: Any,
) -> None:
    """Write log-likelihoods (K, N), and all that `expectations` needs of the forward pass.

    If some transitions are impossible, the forward pass may lose a state by underflow through which
    the best path leads, and only the backward pass shows it. If all are possible, other states
    lead to the lost one again.
    """
    layout = Layout(steps, begins, lane, first, last, which)
    if len(which) == 0:
        return
    n = len(steps)
    tops = np.empty(n)
    for k in range(len(bounds) - 1):
        own = slice(bounds[k], bounds[k + 1])
        begin = initial[own]
        s, moves = len(begin), transitions[own, : len(begin)].copy()
        emitted = likelihoods[bounds[k] * n : bounds[k + 1] * n + PADDING]
        before = forward[bounds[k] * n : bounds[k + 1] * n + PADDING]
        scales = factors[k * n : (k + 1) * n + PADDING]
        if left_right.is_left_right(begin, moves):
            known = as_matrix(before, s)
            left_right.forward_pass(log_emissions[own], layout, moves, known, scores[k])
            doubtful[k] = False
            continue
        relative_likelihoods(log_emissions[own], emitted, tops)
        forward_pass(emitted, tops, layout, begin, moves, before, scales, scores[k])
        for place in range(len(which)):
            doubtful[k, place] = not np.isfinite(scores[k, place])
        if moves.min() < RARE:
            posteriors, ahead, weights = empty(s, n), empty(s, n), np.ones(len(which))
            backward_pass(emitted, layout, weights, moves, before, scales, ahead, posteriors)
            _mark_doubtful(layout, weights, as_matrix(posteriors, s), doubtful[k])
        if doubtful[k].any():
            for m in range(len(which)):
                if doubtful[k, which[m]]:
                    logs = as_matrix(_columns(log_emissions[own], _slots_of(layout, m)), s)
                    scores[k, which[m]] = log_forward(logs, begin, moves, np.empty(logs.shape))


@part()
def _slots_of(layout: Any, m: int) -> Any:
    """Return the slots of the steps of the sequence at place m of a layout."""
    return layout.begins[layout.first[m] : layout.last[m] + 1] + layout.lane[m]


@part()
def _columns(matrix: Any, places: Any) -> Any:
    """Return some columns of a matrix, in memory as of `empty`."""
    s, m = len(matrix), len(places)
    found = empty(s, m)
    for i in range(s):
        source, target = matrix[i], found[i * m : (i + 1) * m]
        for t in range(m):
            target[t] = source[places[t]]
    return found


@part()
def _mark_doubtful(layout: Any, weights: Any, posteriors: Any, doubtful: Any) -> bool:
    """Mark the sequences on which the two passes disagree; return whether there are any."""
    found = False
    for m in range(len(weights)):
        first = layout.begins[layout.first[m]] + layout.lane[m]
        total = posteriors[:, first].sum()
        if not abs(total - weights[m]) <= SUSPICIOUS * weights[m]:
            doubtful[layout.which[m]] = True
            found = True
    return found


@kernel()
def expectations(
    log_emissions: Any,
    likelihoods: Any,
    forward: Any,
    factors: Any,
    doubtful: Any,
    steps: Any,
    begins: Any,
    lane: Any,
    first: Any,
    last: Any,
    which: Any,
    slot_of: Any,
    ends: Any,
    order: Any,
    initial: Any,
    transitions: Any,
    weights: Any,
    slots: Any,
    posteriors: Any,
    totals: Any,
    starts: Any,
    counts: Any,
) -> bool:
    """Write the expectations of one chain, given what `evaluate` wrote of its forward pass.

    Sequences without a weight (N,) are left out; the others have m steps. Order (N,) has the
    numbers of all sequences, from the longest to the shortest, and slot_of (n,) the slot of each
    step. The last five arrays are changed.

    Parameters
    ----------
    slots : array, shape (m,)
        The slots of the steps.
    posteriors : array, shape (S * m + PADDING,)
        The probability of each state at each of these given the whole sequence, times the weight of
        the sequence.
    totals, starts : arrays, shape (S,)
        Sums of these over all steps, and over first steps; zero before.
    counts : array, shape (S, S)
        Expected numbers of transitions, weighted likewise; zero before.

    Returns
    -------
    bool
        Whether the slots are those of all steps in their order.
    """
    s, occupied = len(initial), as_matrix(posteriors, len(initial))
    some = order[weights[order] > 0.0]
    doubt = doubtful.copy()
    done = 0
    chosen = some[~doubt[some]]
    is_in_order = left_right.is_left_right(initial, transitions)
    while len(chosen) > 0:
        if len(chosen) == len(order):
            layout, own_slots = Layout(steps, begins, lane, first, last, which), slots
            for t in range(len(slots)):
                slots[t] = t
            logs, emitted, before, scales = log_emissions, likelihoods, forward, factors
        else:
            layout = laid_out(ends, chosen)
            own_slots = slot_of[layout.steps]
            before = _columns(as_matrix(forward, s), own_slots)
            if is_in_order:
                logs = as_matrix(_columns(log_emissions, own_slots), s)
                emitted, scales = likelihoods, factors
            else:
                emitted = _columns(as_matrix(likelihoods, s), own_slots)
                logs, scales = log_emissions, _columns(as_matrix(factors, 1), own_slots)
        own, n = weights[layout.which], len(own_slots)
        written, ahead = posteriors if n == len(slots) else empty(s, n), empty(s, n)
        found, known = as_matrix(written, s), as_matrix(before, s)
        if is_in_order:
            left_right.backward_pass(logs, layout, own, transitions, known, found, counts)
            agree = True
        else:
            backward_pass(emitted, layout, own, transitions, before, scales, ahead, written)
            agree = not _mark_doubtful(layout, own, found, doubt)
            if agree:
                count_transitions(known, as_matrix(ahead, s), transitions, counts)
        if agree:
            for m in range(len(own)):
                starts += found[:, layout.begins[layout.first[m]] + layout.lane[m]]
            if len(chosen) < len(order):
                slots[:n] = own_slots
            if n < len(slots):
                occupied[:, :n] = found
            done = n
            break
        chosen = some[~doubt[some]]
    for place in some[doubt[some]]:
        own_slots = slot_of[ends[place] : ends[place + 1]]
        until = done + len(own_slots)
        logs = as_matrix(_columns(log_emissions, own_slots), s)
        found = np.empty(logs.shape)
        log_expectations(logs, initial, transitions, weights[place], found, counts)
        starts += found[:, 0]
        slots[done:until], occupied[:, done:until] = own_slots, found
        done = until
    _sum_rows(occupied, totals)
    return len(chosen) == len(order)


@fast_part()
def _sum_rows(matrix: Any, sums: Any) -> None:
    """Write the sum of each row."""
    for i in range(len(matrix)):
        row, total = matrix[i], 0.0
        for t in range(len(row)):
            total += row[t]
        sums[i] = total


@kernel()
def best_paths(
    log_emissions: Any, ends: Any, initial: Any, transitions: Any, paths: Any, scores: Any
) -> None:
    """Write the states (n,) of the most probable path of each sequence, and its score (Viterbi).

    Log emissions (S, n) are in the order of the steps here.
    """
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
