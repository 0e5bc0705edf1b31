"""The scaled forward and backward passes over sequences in lanes.

Shapes, for S states, n steps of all sequences, T times and L lanes: likelihoods and posteriors
(S, n), emitted and forward (T, S, L), factors (T, L), weights (m,) of the m sequences of a layout.
Probabilities are scaled at every time: `factors` are the inverse sums that they are multiplied by.
"""

from typing import Any

import numpy as np

from .compile import fast_kernel, kernel
from .exponential import exponential

CHUNK = 512  # steps whose log emissions are exponentiated at once
FAR = -700.0  # log emissions further below that of the best state are treated as impossible
FAINT = 1e-100  # scales below this need logarithms
LARGEST = 1e150  # a backward probability above this may belong to a state lost by underflow


@fast_kernel()
def relative_likelihoods(log_emissions: Any, ends: Any, likelihoods: Any, scores: Any) -> None:
    """Write emissions relative to those of the best state; sum the logs of these into scores."""
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
def forward_pass(
    likelihoods: Any,
    layout: Any,
    initial: Any,
    into: Any,
    emitted: Any,
    forward: Any,
    factors: Any,
    scores: Any,
) -> None:
    """Write emissions, forward probabilities and factors of each lane; add to scores.

    `into` (S, S) are the transitions from column to row. The arrays have room for all times, or
    for two times, which are used in turn.
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
    """Write the likelihoods (S, L) of the step in each lane; ones where there is no step."""
    s, lanes = emission.shape
    for i in range(s):
        source, target = likelihoods[i], emission[i]
        for lane in range(active):
            target[lane] = source[steps[lane]]
        for lane in range(active, lanes):
            target[lane] = 1.0


@fast_kernel()
def _advance(emission: Any, factor: Any, now: Any, scale: Any) -> None:
    """Multiply probabilities by emissions and by the last factors, and sum them over states."""
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
    """Write inverse scales, and update their products; move these to logs before underflow."""
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
def leave_out(layout: Any, k: int, emitted: Any, forward: Any, factors: Any, weights: Any) -> None:
    """Exclude a sequence from the backward pass: fill in harmless numbers, with weight zero."""
    lane = layout.lane[k]
    weights[k] = 0.0
    for t in range(layout.first[k], layout.last[k] + 1):
        factors[t, lane] = 1.0
        emitted[t, :, lane] = 1.0
        forward[t, :, lane] = 1.0 / forward.shape[1]


@fast_kernel()
def backward_pass(
    transitions: Any,
    layout: Any,
    weights: Any,
    emitted: Any,
    forward: Any,
    factors: Any,
    posteriors: Any,
    pair_sums: Any,
) -> None:
    """Write posteriors, and sums over pairs of steps (S, S), which lack the transitions.

    Backward probabilities include the weight of their sequence and the factor of their time. If
    one is too large, the posteriors of all earlier steps of its sequence become NaN.
    """
    times, s, lanes = forward.shape
    backward, ahead, pairs = np.zeros((s, lanes)), np.zeros((s, lanes)), np.empty((s, s))
    pair_sums[:] = 0.0
    begun = len(weights)
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
                    pair_sums[i, j] += pairs[i, j]
        for k in range(begun, ended):
            backward[:, layout.lane[k]] = weights[k] * factor[layout.lane[k]]
        for i in range(s):
            source, known, target = forward[t, i], backward[i], posteriors[i]
            for lane in range(lanes):
                known[lane] = known[lane] if known[lane] <= LARGEST else np.nan
            for lane in range(active):
                target[steps[lane]] = source[lane] * known[lane]
