"""Hidden Markov chains over many sequences.

Shapes, for S states and n steps of N sequences that lie end to end: log_emissions (S, n),
ends (N + 1,), order (N,) the sequences from the longest to the shortest, initial (S,),
transitions (S, S) from row to column, weights (N,), scores (N,) log-likelihoods.

Sequences of like length are worked on in lanes, side by side, so that a step of all of them is
one product of small matrices. A lane whose sequence has ended goes on with emissions of one, which
changes neither its likelihood nor what is known of its steps. Probabilities are scaled at every
step; a sequence for which even that underflows is done again with logarithms.
"""

from typing import Any

import numpy as np

from .compile import fast_kernel, kernel
from .exponential import exponentials

LANES = 16
ROOM = 2**22  # numbers that the steps of all lanes may take: longer sequences get fewer lanes
FAR = -700.0  # emissions further below the best state's count as impossible, unless needed
FAINT = 1e-100  # scales below this need logarithms
LARGEST = 1e150  # what the backward pass may say of a state that was never reached
SUSPICIOUS = 1e-6  # how far forward and backward pass may disagree


@kernel()
def log_likelihoods(
    log_emissions: Any, ends: Any, order: Any, initial: Any, transitions: Any, scores: Any
) -> None:
    """Write the log-likelihood of each sequence."""
    s = len(initial)
    into = transitions.T.copy()
    first = 0
    while first < len(order):
        begins, lengths = _choose(ends, order, first, s)
        lanes = len(begins)
        likelihood, room = np.empty((s, lanes)), np.empty((2, s * lanes))
        now, before = np.empty((s, lanes)), np.empty((s, lanes))
        scale, totals, products = np.empty(lanes), np.zeros(lanes), np.ones(lanes)
        for t in range(lengths[0]):
            _load(log_emissions, begins, lengths, t, likelihood, totals, room)
            _advance(initial, into, before, t, likelihood, now, scale)
            _gather(scale, products, totals)
            before, now = now, before
        for lane in range(lanes):
            score = totals[lane] + np.log(products[lane])
            if not np.isfinite(score):
                steps = log_emissions[:, begins[lane] : begins[lane] + lengths[lane]]
                score = _log_forward(steps, initial, transitions, np.empty(steps.shape))
            scores[order[first + lane]] = score
        first += lanes


@kernel()
def expectations(
    log_emissions: Any,
    ends: Any,
    order: Any,
    initial: Any,
    transitions: Any,
    weights: Any,
    scores: Any,
    shares: Any,
    counts: Any,
) -> None:
    """Write log-likelihoods, the weighted share of each state in each step (S, n), and counts.

    Counts (S, S) are the expected numbers of transitions, each sequence times its weight.
    """
    s = len(initial)
    into = transitions.T.copy()
    for i in range(s):
        for j in range(s):
            counts[i, j] = 0.0
    buffers = np.empty((2, _most_numbers(ends, order, s)))
    moved = np.empty((s, s))
    first = 0
    while first < len(order):
        begins, lengths = _choose(ends, order, first, s)
        lanes, longest = len(begins), lengths[0]
        size = longest * s * lanes
        likelihoods = buffers[0][:size].reshape((longest, s, lanes))
        forward = buffers[1][:size].reshape((longest, s, lanes))
        scales, room = np.empty((longest, lanes)), np.empty((2, s * lanes))
        totals, products, own = np.zeros(lanes), np.ones(lanes), np.empty(lanes)
        for lane in range(lanes):
            own[lane] = weights[order[first + lane]]
        for t in range(longest):
            _load(log_emissions, begins, lengths, t, likelihoods[t], totals, room)
            _advance(
                initial, into, forward[max(t - 1, 0)], t, likelihoods[t], forward[t], scales[t]
            )
            _gather(scales[t], products, totals)
        for lane in range(lanes):
            totals[lane] += np.log(products[lane])
            if not np.isfinite(totals[lane]):
                _leave_out(lane, likelihoods, forward, scales, own)
        disagree = True
        while disagree:
            disagree = False
            backward = _go_back(
                transitions, likelihoods, forward, scales, own, begins, lengths, shares, moved
            )
            for lane in range(lanes):
                agreement = 0.0
                for i in range(s):
                    agreement += forward[0, i, lane] * backward[i, lane]
                if not abs(agreement - 1.0) < SUSPICIOUS:
                    _leave_out(lane, likelihoods, forward, scales, own)
                    totals[lane] = -np.inf
                    disagree = True
        for i in range(s):
            for j in range(s):
                counts[i, j] += transitions[i, j] * moved[i, j]
        for lane in range(lanes):
            place, begin, end = order[first + lane], begins[lane], begins[lane] + lengths[lane]
            scores[place] = totals[lane]
            if not np.isfinite(totals[lane]):
                scores[place] = _log_expectations(
                    log_emissions[:, begin:end], initial, transitions, weights[place],
                    shares[:, begin:end], counts,
                )  # fmt: skip
        first += lanes


@kernel()
def best_paths(
    log_emissions: Any, ends: Any, initial: Any, transitions: Any, paths: Any, scores: Any
) -> None:
    """Write the most probable state of each step (n,), jointly over a sequence (Viterbi)."""
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


@kernel()
def _choose(ends: Any, order: Any, first: int, s: int) -> Any:
    """Return where the sequences of the next lanes begin, and their lengths, longest first."""
    longest = ends[order[first] + 1] - ends[order[first]]
    most = max(1, min(LANES, ROOM // (longest * s), len(order) - first))
    begins, lengths = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    lanes = 0
    for lane in range(most):
        place = order[first + lane]
        length = ends[place + 1] - ends[place]
        if 2 * length < longest:
            break
        begins[lane], lengths[lane] = ends[place], length
        lanes += 1
    return begins[:lanes], lengths[:lanes]


@kernel()
def _most_numbers(ends: Any, order: Any, s: int) -> int:
    """Return how many numbers the steps of any lanes take."""
    most, first = 0, 0
    while first < len(order):
        begins, lengths = _choose(ends, order, first, s)
        most = max(most, lengths[0] * s * len(begins))
        first += len(begins)
    return most


@fast_kernel()
def _load(
    log_emissions: Any, begins: Any, lengths: Any, t: int, likelihood: Any, totals: Any, room: Any
) -> None:
    """Write each lane's emissions at step t, as parts of the best state's, whose log is added."""
    s, lanes = likelihood.shape
    rounded, powers = room[0], room[1]
    top = powers[:lanes]
    for i in range(s):
        source, target = log_emissions[i], likelihood[i]
        for lane in range(lanes):
            target[lane] = source[begins[lane] + min(t, lengths[lane] - 1)]
    if t >= lengths[lanes - 1]:
        for i in range(s):
            for lane in range(lanes):
                if t >= lengths[lane]:
                    likelihood[i, lane] = 0.0
    for lane in range(lanes):
        top[lane] = likelihood[0, lane]
    for i in range(1, s):
        target = likelihood[i]
        for lane in range(lanes):
            top[lane] = max(top[lane], target[lane])
    for lane in range(lanes):
        top[lane] = top[lane] if top[lane] > -np.inf else 0.0
        totals[lane] += top[lane]
    for i in range(s):
        target = likelihood[i]
        for lane in range(lanes):
            target[lane] -= top[lane]
    exponentials(
        likelihood.reshape(s * lanes), FAR, rounded, rounded.view(np.int64), powers,
        powers.view(np.int64),
    )  # fmt: skip


@fast_kernel()
def _advance(
    initial: Any, into: Any, before: Any, t: int, likelihood: Any, forward: Any, scale: Any
) -> None:
    """Write the share of each state in step t, given all steps up to it."""
    s, lanes = likelihood.shape
    if t == 0:
        for i in range(s):
            for lane in range(lanes):
                forward[i, lane] = initial[i]
    else:
        np.dot(into, before, forward)
    for lane in range(lanes):
        scale[lane] = 0.0
    for i in range(s):
        target, emitted = forward[i], likelihood[i]
        for lane in range(lanes):
            target[lane] *= emitted[lane]
            scale[lane] += target[lane]
    for i in range(s):
        target = forward[i]
        for lane in range(lanes):
            target[lane] /= scale[lane]


@kernel()
def _gather(scale: Any, products: Any, totals: Any) -> None:
    """Multiply scales, and add their logs to the totals before they underflow."""
    for lane in range(len(scale)):
        if not scale[lane] > FAINT:
            totals[lane] = -np.inf
        products[lane] *= scale[lane]
        if products[lane] < FAINT:
            totals[lane] += np.log(products[lane])
            products[lane] = 1.0


@kernel()
def _leave_out(lane: int, likelihoods: Any, forward: Any, scales: Any, own: Any) -> None:
    """Fill a lane with harmless numbers and no weight."""
    own[lane] = 0.0
    for t in range(len(forward)):
        scales[t, lane] = 1.0
        for i in range(forward.shape[1]):
            likelihoods[t, i, lane] = 1.0
            forward[t, i, lane] = 1.0 / forward.shape[1]


@fast_kernel()
def _go_back(
    transitions: Any,
    likelihoods: Any,
    forward: Any,
    scales: Any,
    own: Any,
    begins: Any,
    lengths: Any,
    shares: Any,
    moved: Any,
) -> Any:
    """Write shares and weighted sums over pairs of steps; return the backward pass's end."""
    longest, s, lanes = forward.shape
    backward, ahead = np.ones((s, lanes)), np.empty((s, lanes))
    pairs = np.empty((s, s))
    for i in range(s):
        for j in range(s):
            moved[i, j] = 0.0
    for t in range(longest - 1, -1, -1):
        for i in range(s):
            source, known, target = forward[t, i], backward[i], shares[i]
            for lane in range(lanes):
                if t < lengths[lane]:
                    target[begins[lane] + t] = source[lane] * known[lane] * own[lane]
        if t == 0:
            return backward
        scale = scales[t]
        for i in range(s):
            target, emitted, known = ahead[i], likelihoods[t, i], backward[i]
            for lane in range(lanes):
                target[lane] = emitted[lane] * known[lane] / scale[lane]
        np.dot(transitions, ahead, backward)
        for i in range(s):
            known, target = backward[i], ahead[i]
            for lane in range(lanes):
                known[lane] = min(known[lane], LARGEST)
                target[lane] = target[lane] * own[lane] if t < lengths[lane] else 0.0
        np.dot(forward[t - 1], ahead.T, pairs)
        for i in range(s):
            for j in range(s):
                moved[i, j] += pairs[i, j]
    return backward


@kernel()
def _log_forward(log_emissions: Any, initial: Any, transitions: Any, forward: Any) -> float:
    """Write log forward probabilities (S, n) of one sequence; return its log-likelihood."""
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


@kernel()
def _log_expectations(
    log_emissions: Any, initial: Any, transitions: Any, weight: float, shares: Any, counts: Any
) -> float:
    """Do for one sequence, with logarithms, what `expectations` does; add to its counts."""
    s, n = log_emissions.shape
    forward = np.empty((s, n))
    score = _log_forward(log_emissions, initial, transitions, forward)
    if score == -np.inf:
        for i in range(s):
            for t in range(n):
                shares[i, t] = 0.0
        return score
    log_transitions, terms = np.log(transitions), np.empty(s)
    backward, ahead = np.zeros(s), np.empty(s)
    for t in range(n - 1, -1, -1):
        for i in range(s):
            shares[i, t] = np.exp(forward[i, t] + backward[i] - score) * weight
            ahead[i] = log_emissions[i, t] + backward[i]
        if t == 0:
            break
        for i in range(s):
            for j in range(s):
                terms[j] = log_transitions[i, j] + ahead[j]
                counts[i, j] += weight * np.exp(forward[i, t - 1] + terms[j] - score)
            backward[i] = _log_sum(terms)
    return score


@kernel()
def _log_sum(terms: Any) -> float:
    top = -np.inf
    for i in range(len(terms)):
        top = max(top, terms[i])
    if top == -np.inf:
        return top
    total = 0.0
    for i in range(len(terms)):
        total += np.exp(terms[i] - top)
    return top + np.log(total)
