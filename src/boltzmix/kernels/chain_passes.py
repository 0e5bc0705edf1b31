"""The scaled forward and backward passes over sequences in lanes.

Shapes, for S states, and m sequences with n steps: tops (n,), weights (m,). Likelihoods, forward,
ahead, posteriors (S, n) and factors (n,) lie row by row in arrays of one dimension, which have
`PADDING` numbers after them: the numbers of all lanes at one time are read and written by a whole
number of vector instructions, so more lanes than there are. All are in the order of slots of a
`Layout`. Probabilities are scaled at every time: `factors` are the inverse sums that they are
multiplied by.
"""

from typing import Any

import numpy as np

from .compile import fast_part, part
from .exponential import exponential

PADDING = 32  # lanes at most
VECTOR = 16  # numbers that are processed at once, if there are more lanes than half of this
CHUNK = 512  # steps whose log emissions are exponentiated at once
FAR = -700.0  # log emissions further below that of the best state are treated as impossible
FAINT = 1e-100  # scales below this need logarithms
LOOPS_UP_TO = 5  # states, for which loops take as long as calls of BLAS
LARGEST = 1e150  # a backward probability above this may belong to a state lost by underflow


@part()
def empty(s: int, n: int) -> Any:
    """Return memory for a matrix (S, n), and for numbers after it that may be overwritten."""
    return np.empty(s * n + PADDING)


@part()
def as_matrix(memory: Any, s: int) -> Any:
    """Return the matrix (S, n) in memory that was made for it."""
    n = (len(memory) - PADDING) // s
    return memory[: s * n].reshape((s, n))


@part()
def _width(lanes: int) -> int:
    """Return how many lanes are computed, given how many there are."""
    return lanes if 2 * lanes <= VECTOR else -(-lanes // VECTOR) * VECTOR


@fast_part()
def relative_likelihoods(log_emissions: Any, likelihoods: Any, tops: Any) -> None:
    """Write emissions relative to those of the best state, and the logs of these."""
    s, n = log_emissions.shape
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
            source, target = log_emissions[i][begin:end], likelihoods[i * n + begin : i * n + end]
            for t in range(len(top)):
                target[t] = exponential(source[t] - top[t], FAR)


@fast_part()
def _multiply(matrix: Any, source: Any, target: Any) -> None:
    """Write the product of a matrix (S, S) and the source, without its zeros."""
    s, width = source.shape
    for i in range(s):
        out = target[i]
        for lane in range(width):
            out[lane] = 0.0
        for j in range(s):
            factor, known = matrix[i, j], source[j]
            if factor != 0.0:
                for lane in range(width):
                    out[lane] += factor * known[lane]


@part()
def suits_loops(matrix: Any) -> bool:
    """Return whether a matrix (S, S) has few states, or most of its numbers are zero."""
    return len(matrix) <= LOOPS_UP_TO or np.count_nonzero(matrix) * 3 < matrix.size


@part()
def forward_pass(
    likelihoods: Any,
    tops: Any,
    layout: Any,
    initial: Any,
    transitions: Any,
    forward: Any,
    factors: Any,
    scores: Any,
) -> None:
    """Write forward probabilities, factors, and the log-likelihoods of sequences."""
    s, begins, into = len(initial), layout.begins, transitions.T.copy()
    n = len(layout.steps)
    lanes, by_loops = begins[1], suits_loops(transitions)
    width = _width(lanes)
    past, now = np.zeros((s, width)), np.zeros((s, width))
    factor, scale, products, logs = np.ones(width), np.ones(width), np.ones(width), np.zeros(width)
    begun, ended = 0, 0
    for t in range(len(begins) - 1):
        here, active = begins[t], begins[t + 1] - begins[t]
        if t == 0:
            for lane in range(active):
                now[:, lane] = initial
        elif by_loops:
            _multiply(into, past, now)
        else:
            np.dot(into, past, now)
        for k in range(begun, ended):
            now[:, layout.lane[k]] = initial
            factor[layout.lane[k]] = 1.0
        _advance(likelihoods, n, here, active, factor, now, forward, scale)
        _scale(active, tops[here:], scale, factor, products, logs)
        for lane in range(active):
            factors[here + lane] = factor[lane]
        begun = ended
        while ended < len(layout.last) and layout.last[ended] == t:
            lane = layout.lane[ended]
            scores[layout.which[ended]] = logs[lane] + np.log(products[lane])
            products[lane], logs[lane] = 1.0, 0.0
            ended += 1
        past, now = now, past


@fast_part()
def _advance(
    likelihoods: Any,
    n: int,
    here: int,
    active: int,
    factor: Any,
    now: Any,
    forward: Any,
    scale: Any,
) -> None:
    """Multiply probabilities by emissions and by the last factors, and sum them over states."""
    s, width = now.shape
    for lane in range(width):
        scale[lane] = 0.0
    for i in range(s):
        slot = i * n + here
        known = now[i]
        emitted, target = likelihoods[slot : slot + width], forward[slot : slot + width]
        for lane in range(width):
            value = known[lane] * (emitted[lane] * factor[lane])
            known[lane] = value
            scale[lane] += value
            target[lane] = value if lane < active else target[lane]


@fast_part()
def _scale(active: int, tops: Any, scale: Any, factor: Any, products: Any, logs: Any) -> None:
    """Write inverse scales, and update their products; move these to logs before underflow."""
    faint = 0
    for lane in range(active, len(scale)):
        scale[lane] = 1.0
    for lane in range(len(scale)):
        factor[lane] = 1.0 / scale[lane]
        products[lane] *= scale[lane]
        faint += not products[lane] > FAINT
    for lane in range(active):
        logs[lane] += tops[lane]
    if faint > 0:
        for lane in range(active):
            if not products[lane] > FAINT:
                logs[lane] += np.log(products[lane]) if scale[lane] > FAINT else -np.inf
                products[lane] = 1.0


@part()
def backward_pass(
    likelihoods: Any,
    layout: Any,
    weights: Any,
    transitions: Any,
    forward: Any,
    factors: Any,
    ahead: Any,
    posteriors: Any,
) -> None:
    """Write posteriors, and the probabilities of what is ahead of a step, given the next state.

    Backward probabilities include the weight of their sequence and the factor of their time. If
    one is too large, the posteriors of all earlier steps of its sequence become NaN.
    """
    s, begins, by_loops = len(transitions), layout.begins, suits_loops(transitions)
    times, width, begun = len(begins) - 1, _width(begins[1]), len(weights)
    n = len(layout.steps)
    backward, following = np.zeros((s, width)), np.zeros((s, width))
    for t in range(times - 1, -1, -1):
        here, end, ended = begins[t], begins[t + 1], begun
        while begun > 0 and layout.last[begun - 1] == t:
            begun -= 1
        if t + 1 < times:
            going = begins[t + 2] - end
            _look_ahead(likelihoods, n, end, going, factors[here:], backward, following)
            for k in range(begun, ended):
                following[:, layout.lane[k]] = 0.0
            if by_loops:
                _multiply(transitions, following, backward)
            else:
                np.dot(transitions, following, backward)
        for k in range(begun, ended):
            backward[:, layout.lane[k]] = weights[k] * factors[here + layout.lane[k]]
        _look_back(forward, n, here, end - here, backward, following, ahead, posteriors)


@fast_part()
def _look_ahead(
    likelihoods: Any,
    n: int,
    end: int,
    going: int,
    factor: Any,
    backward: Any,
    following: Any,
) -> None:
    """Write the probabilities of all that follows, the next emission included."""
    s, width = backward.shape
    for i in range(s):
        slot = i * n + end
        emitted, known, target = likelihoods[slot : slot + width], backward[i], following[i]
        for lane in range(width):
            value = emitted[lane] * known[lane] * factor[lane]
            target[lane] = value if lane < going else 0.0


@fast_part()
def _look_back(
    forward: Any,
    n: int,
    here: int,
    active: int,
    backward: Any,
    following: Any,
    ahead: Any,
    posteriors: Any,
) -> None:
    """Write posteriors, from the two passes, and keep the probabilities of all that follows."""
    s, width = backward.shape
    for i in range(s):
        slot = i * n + here
        source, target = forward[slot : slot + width], posteriors[slot : slot + width]
        kept, known, later = ahead[slot : slot + width], backward[i], following[i]
        for lane in range(width):
            value = known[lane] if known[lane] <= LARGEST else np.nan
            known[lane] = value
            target[lane] = source[lane] * value if lane < active else target[lane]
            kept[lane] = later[lane] if lane < active else kept[lane]


@fast_part()
def count_transitions(forward: Any, ahead: Any, transitions: Any, counts: Any) -> None:
    """Write expected numbers of transitions (S, S), given the two passes, matrices (S, n)."""
    s = len(forward)
    if not suits_loops(transitions):
        counts[:] = transitions * np.dot(forward, ahead.T)
        return
    for i in range(s):
        for j in range(s):
            total = 0.0
            if transitions[i, j] != 0.0:
                source, target = forward[i], ahead[j]
                for slot in range(len(source)):
                    total += source[slot] * target[slot]
            counts[i, j] = transitions[i, j] * total
