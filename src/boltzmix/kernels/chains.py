"""Hidden Markov chains over many sequences.

Shapes, for S states and n steps of N sequences that lie end to end: log_emissions (S, n),
ends (N + 1,), order (N,) the sequences from the longest to the shortest, initial (S,),
transitions (S, S) from row to column, weights (N,), scores (N,) log-likelihoods.

Sequences are worked on in lanes, side by side, so that a step of all lanes is one product of small
matrices. Where a sequence ends, the next one of its lane begins. A lane that has no more goes on
with emissions of one and no weight. Probabilities are scaled at every step; a sequence for which
even that underflows is done again with logarithms.
"""

from typing import Any, NamedTuple

import numpy as np

from .compile import fast_kernel, kernel
from .exponential import exponential

LANES = (1, 2, 4, 8, 16, 24, 32)  # how many there may be
OVERHEAD = 10  # what a step costs besides its lanes, in lanes
GROUP = 2**13  # steps that are enough for all lanes, and stay in the cache
ROOM = 2**21  # numbers that the steps of all lanes may take: long sequences get fewer lanes
CHUNK = 512  # steps whose emissions are made into probabilities at once
FAR = -700.0  # emissions further below the best state's count as impossible, unless needed
FAINT = 1e-100  # scales below this need logarithms
RARE = 1e-100  # with transitions below this, a state that was lost by underflow may be missed
LARGEST = 1e150  # backward probabilities above this speak for a state that may have been lost
SUSPICIOUS = 1e-6  # how far forward and backward pass may disagree


class Layout(NamedTuple):
    """Who is where: lanes from the fullest to the emptiest, sequences by where they end.

    Shapes, for T times of L lanes and m sequences: steps (T, L) the step in each place, active
    (T,) how many lanes there are steps in; lane, first, last and which (m,) the lane of each
    sequence, the times of its first and last step, and which of all it is.
    """

    steps: Any
    active: Any
    lane: Any
    first: Any
    last: Any
    which: Any


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
    moved = np.empty((s, s))
    _compare(log_emissions, ends, shares, scores)  # there is room until shares are known
    for i in range(s):
        for j in range(s):
            counts[i, j] = 0.0
    begin = 0
    while begin < len(order):
        some = _next_group(ends, order, begin, s)
        layout = _lay_out(ends, some)
        times, lanes = layout.steps.shape
        emitted, forward = np.empty((times, s, lanes)), np.empty((times, s, lanes))
        factors, own = np.empty((times, lanes)), weights[layout.which]
        _go_forward(shares, layout, initial, into, emitted, forward, factors, scores)
        for k in range(len(some)):
            if not np.isfinite(scores[layout.which[k]]):
                _leave_out(layout, k, emitted, forward, factors, own)
        agree = False
        while not agree:
            agree = True
            _go_back(transitions, layout, own, emitted, forward, factors, shares, moved)
            for k in range(len(some)):
                total = shares[:, ends[layout.which[k]]].sum()
                if not abs(total - own[k]) <= SUSPICIOUS * own[k]:
                    _leave_out(layout, k, emitted, forward, factors, own)
                    scores[layout.which[k]] = -np.inf
                    agree = False
        for i in range(s):
            for j in range(s):
                counts[i, j] += transitions[i, j] * moved[i, j]
        begin += len(some)
    for place in range(len(scores)):
        if not np.isfinite(scores[place]):
            first, end = ends[place], ends[place + 1]
            scores[place] = _log_expectations(
                log_emissions[:, first:end], initial, transitions, weights[place],
                shares[:, first:end], counts,
            )  # fmt: skip


@kernel()
def log_likelihoods(
    log_emissions: Any, ends: Any, order: Any, initial: Any, transitions: Any, scores: Any
) -> None:
    """Write the log-likelihood of each sequence.

    Where transitions are impossible, the backward pass tells whether a state was lost by underflow
    whose way is the best in the end. Elsewhere others lead to it as well.
    """
    s = len(initial)
    if transitions.min() < RARE:
        shares, counts, weights = (
            np.empty(log_emissions.shape),
            np.empty((s, s)),
            np.ones(len(order)),
        )
        expectations(
            log_emissions, ends, order, initial, transitions, weights, scores, shares, counts
        )
        return
    into = transitions.T.copy()
    likelihoods = np.empty(log_emissions.shape)
    _compare(log_emissions, ends, likelihoods, scores)
    begin = 0
    while begin < len(order):
        some = _next_group(ends, order, begin, s)
        layout = _lay_out(ends, some)
        lanes = layout.steps.shape[1]
        emitted, forward = np.empty((2, s, lanes)), np.empty((2, s, lanes))
        factors = np.empty((2, lanes))
        _go_forward(likelihoods, layout, initial, into, emitted, forward, factors, scores)
        begin += len(some)
    for place in range(len(scores)):
        if not np.isfinite(scores[place]):
            own = log_emissions[:, ends[place] : ends[place + 1]]
            scores[place] = _log_forward(own, initial, transitions, np.empty(own.shape))


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
def _next_group(ends: Any, order: Any, begin: int, s: int) -> Any:
    """Return the next sequences that are worked on together."""
    end, steps = begin, 0
    while end < len(order) and (steps < GROUP or (end - begin < LANES[-1] and steps * s < ROOM)):
        steps += ends[order[end] + 1] - ends[order[end]]
        end += 1
    return order[begin:end]


@kernel()
def _lay_out(ends: Any, order: Any) -> Any:
    """Give every sequence, the longest first, to the lane that is emptiest so far."""
    m = len(order)
    lengths = ends[order + 1] - ends[order]
    loads = np.zeros(_count_lanes(lengths), dtype=np.int64)
    lane, first, last = np.empty((3, m), dtype=np.int64)
    for k in range(m):
        emptiest = 0
        for other in range(1, len(loads)):
            if loads[other] < loads[emptiest]:
                emptiest = other
        lane[k], first[k] = emptiest, loads[emptiest]
        loads[emptiest] += lengths[k]
        last[k] = loads[emptiest] - 1
    fullest = np.argsort(-loads)
    rank = np.argsort(fullest)
    steps = np.empty((loads[fullest[0]], len(loads)), dtype=np.int64)
    active = np.zeros(len(steps), dtype=np.int64)
    for k in range(m):
        lane[k] = rank[lane[k]]
        begin = ends[order[k]] - first[k]
        for t in range(first[k], last[k] + 1):
            steps[t, lane[k]] = begin + t
            active[t] += 1
    by_end = np.argsort(last)
    return Layout(steps, active, lane[by_end], first[by_end], last[by_end], order[by_end])


@kernel()
def _count_lanes(lengths: Any) -> int:
    """Return how many lanes are the cheapest for sequences, the longest first, if all fill up."""
    best, least = 1, np.inf
    for most in LANES:
        lanes = min(most, len(lengths))
        rounds = -(-len(lengths) // lanes)
        times = max(lengths[0], lengths.sum() / lanes, rounds * lengths[-1])
        price = times * (OVERHEAD + lanes)
        if price < least:
            best, least = lanes, price
    return best


@fast_kernel()
def _compare(log_emissions: Any, ends: Any, likelihoods: Any, scores: Any) -> None:
    """Write emissions as parts of the best state's, whose logs are summed over each sequence."""
    s, n = log_emissions.shape
    tops = np.empty(n)
    for begin in range(0, n, CHUNK):
        end = min(begin + CHUNK, n)
        top = tops[begin:end]
        top[:] = log_emissions[0][begin:end]
        for i in range(1, s):
            source = log_emissions[i][begin:end]
            for t in range(len(top)):
                top[t] = max(top[t], source[t])
        for t in range(len(top)):
            top[t] = top[t] if top[t] > -np.inf else 0.0
        for i in range(s):
            source, target = log_emissions[i][begin:end], likelihoods[i][begin:end]
            for t in range(len(top)):
                target[t] = exponential(source[t] - top[t], FAR)
    for place in range(len(scores)):
        scores[place] = tops[ends[place] : ends[place + 1]].sum()


@kernel()
def _go_forward(
    likelihoods: Any,
    layout: Any,
    initial: Any,
    into: Any,
    emitted: Any,
    forward: Any,
    factors: Any,
    scores: Any,
) -> None:
    """Write each lane's emissions, forward probabilities and what scales them; add to scores.

    These have room for all times, or for two in turn.
    """
    room, _, lanes = forward.shape
    scale, factor = np.empty(lanes), np.ones(lanes)
    products, logs = np.ones(lanes), np.zeros(lanes)
    begun, ended = 0, 0
    for t in range(len(layout.active)):
        here = t if room > 2 else t & 1
        emission, now = emitted[here], forward[here]
        _emit(likelihoods, layout.steps[t], layout.active[t], emission)
        if t == 0:
            for lane in range(lanes):
                now[:, lane] = initial
        else:
            np.dot(into, forward[t - 1 if room > 2 else 1 - here], now)
        for k in range(begun, ended):
            now[:, layout.lane[k]] = initial
            factor[layout.lane[k]] = 1.0
        _advance(emission, factor, now, scale)
        _scale(scale, factor, products, logs)
        factors[here] = factor
        begun = ended
        while ended < len(layout.last) and layout.last[ended] == t:
            lane = layout.lane[ended]
            scores[layout.which[ended]] += logs[lane] + np.log(products[lane])
            products[lane], logs[lane] = 1.0, 0.0
            ended += 1


@fast_kernel()
def _emit(likelihoods: Any, steps: Any, active: int, emission: Any) -> None:
    """Write what each lane emits at a time."""
    s, lanes = emission.shape
    for i in range(s):
        source, target = likelihoods[i], emission[i]
        for lane in range(active):
            target[lane] = source[steps[lane]]
        for lane in range(active, lanes):
            target[lane] = 1.0


@fast_kernel()
def _advance(emission: Any, factor: Any, now: Any, scale: Any) -> None:
    """Multiply probabilities by what is emitted and what scales the time before, and sum them."""
    s, lanes = now.shape
    for lane in range(lanes):
        scale[lane] = 0.0
    for i in range(s):
        target, source = now[i], emission[i]
        for lane in range(lanes):
            target[lane] *= source[lane] * factor[lane]
            scale[lane] += target[lane]


@fast_kernel()
def _scale(scale: Any, factor: Any, products: Any, logs: Any) -> None:
    """Invert scales, and multiply them; add the logs of products before these underflow."""
    faint = 0
    for lane in range(len(scale)):
        factor[lane] = 1.0 / scale[lane]
        products[lane] *= scale[lane]
        faint += not products[lane] > FAINT
    if faint > 0:
        for lane in range(len(scale)):
            if not products[lane] > FAINT:
                logs[lane] += np.log(products[lane]) if scale[lane] > FAINT else -np.inf
                products[lane] = 1.0


@kernel()
def _leave_out(layout: Any, k: int, emitted: Any, forward: Any, factors: Any, own: Any) -> None:
    """Fill the places of a sequence with harmless numbers, and give it no weight."""
    lane = layout.lane[k]
    own[k] = 0.0
    for t in range(layout.first[k], layout.last[k] + 1):
        factors[t, lane] = 1.0
        emitted[t, :, lane] = 1.0
        forward[t, :, lane] = 1.0 / forward.shape[1]


@fast_kernel()
def _go_back(
    transitions: Any,
    layout: Any,
    own: Any,
    emitted: Any,
    forward: Any,
    factors: Any,
    shares: Any,
    moved: Any,
) -> None:
    """Write shares, and sums over pairs of steps; `own` (m,) are the weights of the sequences.

    Backward probabilities carry the weight of their sequence and what scales their time. Too large
    ones make the shares of all steps before not a number.
    """
    times, s, lanes = forward.shape
    backward, ahead, pairs = np.zeros((s, lanes)), np.zeros((s, lanes)), np.empty((s, s))
    moved[:] = 0.0
    begun = len(own)
    for t in range(times - 1, -1, -1):
        factor, steps, active = factors[t], layout.steps[t], layout.active[t]
        ended = begun
        while begun > 0 and layout.last[begun - 1] == t:
            begun -= 1
        if t + 1 < times:
            for i in range(s):
                target, source, known = ahead[i], emitted[t + 1, i], backward[i]
                for lane in range(lanes):
                    target[lane] = source[lane] * known[lane] * factor[lane]
            for k in range(begun, ended):
                ahead[:, layout.lane[k]] = 0.0
            np.dot(transitions, ahead, backward)
            np.dot(forward[t], ahead.T, pairs)
            for i in range(s):
                for j in range(s):
                    moved[i, j] += pairs[i, j]
        for k in range(begun, ended):
            backward[:, layout.lane[k]] = own[k] * factor[layout.lane[k]]
        for i in range(s):
            source, known, target = forward[t, i], backward[i], shares[i]
            for lane in range(lanes):
                known[lane] = known[lane] if known[lane] <= LARGEST else np.nan
            for lane in range(active):
                target[steps[lane]] = source[lane] * known[lane]


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
