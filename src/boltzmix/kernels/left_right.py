"""Left-right chains: a sequence starts in the first state, and stays or moves on to the next.

The work of a step grows with the number of states, not with its square. All is computed with
logarithms, which cannot underflow, by loops over the lanes of a `Layout`.

Shapes, for S states and n steps of m sequences: log_emissions, posteriors and forward, the log
forward probabilities, (S, n) in the order of slots, transitions (S, S).
"""

from typing import Any

import numpy as np

from .compile import fast_part, part
from .exponential import exponential
from .logarithm import logarithm

NEVER = -1e200  # in place of the logarithm of zero
IMPOSSIBLE = -1e100  # scores below this are those of impossible sequences
FAR = -700.0  # an exponential of less is zero


@part()
def is_left_right(initial: Any, transitions: Any) -> bool:
    """Return whether sequences start in the first state, and only stay or move on to the next."""
    s = len(initial)
    if initial[0] != 1.0:
        return False
    for i in range(s):
        for j in range(s):
            if j != i and j != i + 1 and transitions[i, j] != 0.0:
                return False
    return True


@part()
def _log_moves(transitions: Any) -> Any:
    """Return the log probabilities (S,) of staying in states, and of moving on to the next."""
    s = len(transitions)
    stays, moves = np.full(s, NEVER), np.full(s, NEVER)
    for i in range(s):
        if transitions[i, i] > 0.0:
            stays[i] = np.log(transitions[i, i])
        if i + 1 < s and transitions[i, i + 1] > 0.0:
            moves[i] = np.log(transitions[i, i + 1])
    return stays, moves


@part()
def forward_pass(
    log_emissions: Any, layout: Any, transitions: Any, forward: Any, scores: Any
) -> None:
    """Write log forward probabilities, and the log-likelihoods of sequences."""
    stays, moves = _log_moves(transitions)
    begins, ended = layout.begins, 0
    for t in range(len(begins) - 1):
        here, active = begins[t], begins[t + 1] - begins[t]
        if t == 0:
            for lane in range(active):
                _begin(log_emissions, lane, forward)
        else:
            _advance(log_emissions, stays, moves, begins[t - 1], here, active, forward)
            for k in range(ended - 1, -1, -1):
                if layout.last[k] < t - 1:
                    break
                if layout.lane[k] < active:
                    _begin(log_emissions, here + layout.lane[k], forward)
        while ended < len(layout.last) and layout.last[ended] == t:
            last = forward[:, here + layout.lane[ended]]
            scores[layout.which[ended]] = _log_sum(last)
            ended += 1


@part()
def _begin(log_emissions: Any, slot: int, forward: Any) -> None:
    """Write the log forward probabilities of the first step of a sequence."""
    forward[:, slot] = NEVER
    forward[0, slot] = max(log_emissions[0, slot], NEVER)


@fast_part()
def _advance(
    log_emissions: Any, stays: Any, moves: Any, before: int, here: int, active: int, forward: Any
) -> None:
    """Write the log forward probabilities of the steps in slots from `here`, in all lanes."""
    for i in range(len(stays)):
        emitted, now = log_emissions[i][here:], forward[i][here:]
        stay, staying = stays[i], forward[i][before:]
        move, moving = moves[max(i - 1, 0)] if i > 0 else NEVER, forward[max(i - 1, 0)][before:]
        for lane in range(active):
            one, other = staying[lane] + stay, moving[lane] + move
            top, apart = max(one, other), -abs(one - other)
            more = logarithm(1.0 + exponential(apart, FAR))
            now[lane] = max(emitted[lane], NEVER) + top + more


@part()
def backward_pass(
    log_emissions: Any,
    layout: Any,
    weights: Any,
    transitions: Any,
    forward: Any,
    posteriors: Any,
    counts: Any,
) -> None:
    """Write posteriors times weights (m,), and add expected numbers of transitions to counts.

    A sequence moves on from a state just once if it ends in a later one, and stays at all other
    steps but the last.
    """
    stays, moves = _log_moves(transitions)
    s, begins, begun = len(stays), layout.begins, len(weights)
    lanes = begins[1] - begins[0]
    backward, ahead = np.full((s, lanes), NEVER), np.full((s + 1, lanes), NEVER)
    scores, own = np.zeros(lanes), np.zeros(lanes)
    beyond, ends = np.zeros(s), np.zeros(s)
    for t in range(len(begins) - 2, -1, -1):
        here, active = begins[t], begins[t + 1] - begins[t]
        ended = begun
        while begun > 0 and layout.last[begun - 1] == t:
            begun -= 1
        for k in range(begun, ended):
            lane = layout.lane[k]
            score = _log_sum(forward[:, here + lane])
            is_possible = score > IMPOSSIBLE
            scores[lane], own[lane] = (score, weights[k]) if is_possible else (0.0, 0.0)
            backward[:, lane] = 0.0
        _recall(here, active, scores, own, forward, backward, posteriors)
        for k in range(begun, ended):
            ends += posteriors[:, here + layout.lane[k]]
        _retreat(log_emissions, stays, moves, here, active, ahead, backward)
    beyond[:-1] = np.cumsum(ends[::-1])[::-1][1:]
    for i in range(s):
        counts[i, i] += max(posteriors[i].sum() - ends[i] - beyond[i], 0.0)  # -1e-16 by rounding
        if i + 1 < s:
            counts[i, i + 1] += beyond[i]


@fast_part()
def _recall(
    here: int, active: int, scores: Any, own: Any, forward: Any, backward: Any, posteriors: Any
) -> None:
    """Write the weighted probabilities of states at the steps in slots from `here`."""
    for i in range(len(backward)):
        known, later, found = forward[i][here:], backward[i], posteriors[i][here:]
        for lane in range(active):
            log_chance = min(known[lane] + later[lane] - scores[lane], 0.0)
            found[lane] = own[lane] * exponential(log_chance, FAR)


@fast_part()
def _retreat(
    log_emissions: Any, stays: Any, moves: Any, here: int, active: int, ahead: Any, backward: Any
) -> None:
    """Replace log backward probabilities by those of one step earlier."""
    s = len(stays)
    for i in range(s):
        emitted, later, target = log_emissions[i][here:], backward[i], ahead[i]
        for lane in range(active):
            target[lane] = max(emitted[lane], NEVER) + later[lane]
    for i in range(s):
        stay, staying, move, moving = stays[i], ahead[i], moves[i], ahead[i + 1]
        target = backward[i]
        for lane in range(active):
            one, other = staying[lane] + stay, moving[lane] + move
            top, apart = max(one, other), -abs(one - other)
            target[lane] = top + logarithm(1.0 + exponential(apart, FAR))


@part()
def _log_sum(terms: Any) -> float:
    """Return the logarithm of the sum of exponentials, or minus infinity if that is zero."""
    top = terms.max()
    if not top > IMPOSSIBLE:
        return -np.inf
    return top + np.log(np.exp(terms - top).sum())
