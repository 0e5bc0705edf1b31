"""Kalman filters and smoothers of sums of Matérn processes of one input, with scalar noise.

A Matérn process of smoothness 1/2, 3/2 or 5/2 is the first entry of a Markov process of one, two or
three entries: the function and its derivatives, in units of the rate. A constant has rate zero.
`kinds` are the numbers of entries. Hyper-parameters may be complex numbers: the filter is an
analytic function of them, so an imaginary part of 1e-30 carries an exact derivative.
"""

from typing import Any

import numpy as np

from .compile import kernel, part


@part()
def _stationary(kinds: Any, variances: Any) -> Any:
    """Return the covariance of the state before any observation, shape (d, d)."""
    d = kinds.sum()
    covariance = np.zeros((d, d), dtype=variances.dtype)
    at = 0
    for block in range(len(kinds)):
        for i in range(kinds[block]):
            covariance[at + i, at + i] = variances[block]
        if kinds[block] == 3:
            covariance[at + 1, at + 1] = variances[block] / 3
            covariance[at, at + 2] = covariance[at + 2, at] = -variances[block] / 3
        at += kinds[block]
    return covariance


@part()
def _set_transition(step: float, kinds: Any, rates: Any, moves: Any) -> None:
    """Set the matrix (d, d) that moves the state by a step of the input."""
    at = 0
    for block in range(len(kinds)):
        u = rates[block] * step
        decay = np.exp(-u)
        if kinds[block] == 1:
            moves[at, at] = decay
        elif kinds[block] == 2:
            moves[at, at], moves[at, at + 1] = decay * (1 + u), decay * u
            moves[at + 1, at], moves[at + 1, at + 1] = -decay * u, decay * (1 - u)
        else:
            half = 0.5 * u * u
            moves[at, at] = decay * (1 + u + half)
            moves[at, at + 1] = decay * (u + 2 * half)
            moves[at, at + 2] = decay * half
            moves[at + 1, at] = -decay * half
            moves[at + 1, at + 1] = decay * (1 + u - 2 * half)
            moves[at + 1, at + 2] = decay * (u - half)
            moves[at + 2, at] = decay * (half - u)
            moves[at + 2, at + 1] = decay * (2 * half - 3 * u)
            moves[at + 2, at + 2] = decay * (1 - 2 * u + half)
        at += kinds[block]


@part()
def _sandwich(moves: Any, matrix: Any, work: Any, flip: bool) -> None:
    """Replace a matrix C by A C A', or by A' C A if `flip`."""
    d = len(matrix)
    for i in range(d):
        for j in range(d):
            total = matrix[0, 0] * 0
            for k in range(d):
                total += (moves[k, i] if flip else moves[i, k]) * matrix[k, j]
            work[i, j] = total
    for i in range(d):
        for j in range(d):
            total = matrix[0, 0] * 0
            for k in range(d):
                total += work[i, k] * (moves[k, j] if flip else moves[j, k])
            matrix[i, j] = total


@part()
def _turn(moves: Any, rows: Any, work: Any, flip: bool) -> None:
    """Replace states (d, m) by A times them, or by A' times them if `flip`."""
    d, m = rows.shape
    for k in range(m):
        for i in range(d):
            total = rows[0, 0] * 0
            for j in range(d):
                total += (moves[j, i] if flip else moves[i, j]) * rows[j, k]
            work[i] = total
        for i in range(d):
            rows[i, k] = work[i]


@part()
def _firsts(kinds: Any) -> Any:
    """Return the places of the functions in the state."""
    firsts, at = np.empty(len(kinds), dtype=np.int64), 0
    for block in range(len(kinds)):
        firsts[block] = at
        at += kinds[block]
    return firsts


@kernel()
def log_density(
    inputs: Any, targets: Any, weights: Any, kinds: Any, rates: Any, variances: Any, noise: Any
) -> Any:
    """Return the log density of targets, whose noise variances are `noise` over the weights.

    Parameters
    ----------
    inputs : array, shape (n,)
        In ascending order.
    targets : array, shape (n, m)
    weights : array, shape (n,)
    kinds, rates, variances : arrays, shape (b,)
        Of b processes.
    noise : array, shape (1,)
    """
    n, m = targets.shape
    stationary, firsts = _stationary(kinds, variances), _firsts(kinds)
    d = len(stationary)
    change, work = np.zeros_like(stationary), np.zeros_like(stationary)
    moves, gains = np.zeros_like(stationary), np.zeros_like(stationary[0])
    states = np.zeros((d, m), dtype=stationary.dtype)
    total = noise[0] * 0
    for i in range(n):
        if i > 0:
            _set_transition(inputs[i] - inputs[i - 1], kinds, rates, moves)
            _sandwich(moves, change, work, False)
            _turn(moves, states, gains, False)
        spread = _gain(stationary, change, firsts, gains) + noise[0] / weights[i]
        total -= 0.5 * m * np.log(2 * np.pi * spread)
        for k in range(m):
            apart = targets[i, k] - _value(states, firsts, k)
            total -= 0.5 * apart * apart / spread
            for j in range(d):
                states[j, k] += gains[j] * apart / spread
        for j in range(d):
            for other in range(d):
                change[j, other] -= gains[j] * gains[other] / spread
    return total


@part()
def _gain(stationary: Any, change: Any, firsts: Any, gains: Any) -> Any:
    """Set the covariances (d,) of the state with the function; return its variance."""
    for j in range(len(gains)):
        gains[j] = 0
        for first in firsts:
            gains[j] += stationary[j, first] + change[j, first]
    variance = gains[0] * 0
    for first in firsts:
        variance += gains[first]
    return variance


@part()
def _value(states: Any, firsts: Any, k: int) -> Any:
    """Return the function in a state."""
    value = states[0, 0] * 0
    for first in firsts:
        value += states[first, k]
    return value


@kernel()
def smooth(
    inputs: Any,
    targets: Any,
    weights: Any,
    kinds: Any,
    rates: Any,
    variances: Any,
    noise: float,
    loadings: Any,
    precisions: Any,
    means: Any,
    spreads: Any,
) -> None:
    """Write what all targets say about each of them, and about the function at each input.

    Parameters
    ----------
    inputs, targets, weights, kinds, rates, variances
        As of `log_density`. An input with weight zero has no target.
    noise : float
    loadings : array, shape (n, m)
        Inverse covariance of targets times targets; zero before.
    precisions : array, shape (n,)
        Diagonal of the inverse covariance; zero before.
    means : array, shape (n, m)
        Of the function.
    spreads : array, shape (n,)
        Variances of the function.
    """
    n, m = targets.shape
    stationary, firsts = _stationary(kinds, variances), _firsts(kinds)
    d = len(stationary)
    change, work = np.zeros_like(stationary), np.zeros_like(stationary)
    moves, row = np.zeros_like(stationary), np.zeros(d)
    states = np.zeros((d, m))
    gains = np.zeros((n, d))
    for i in range(n):
        if i > 0:
            _set_transition(inputs[i] - inputs[i - 1], kinds, rates, moves)
            _sandwich(moves, change, work, False)
            _turn(moves, states, row, False)
        spreads[i] = _gain(stationary, change, firsts, gains[i])
        for k in range(m):
            means[i, k] = _value(states, firsts, k)
        if weights[i] == 0:
            continue
        spread = spreads[i] + noise / weights[i]
        precisions[i] = 1 / spread
        for k in range(m):
            loadings[i, k] = (targets[i, k] - means[i, k]) / spread
            for j in range(d):
                states[j, k] += gains[i, j] * loadings[i, k]
        for j in range(d):
            for other in range(d):
                change[j, other] -= gains[i, j] * gains[i, other] / spread
    _look_back(inputs, kinds, rates, firsts, gains, loadings, precisions, means, spreads)


@part()
def _look_back(
    inputs: Any,
    kinds: Any,
    rates: Any,
    firsts: Any,
    gains: Any,
    loadings: Any,
    precisions: Any,
    means: Any,
    spreads: Any,
) -> None:
    """Add what later targets say, from the last to the first (Durbin & Koopman, section 4.5)."""
    (n, m), d = loadings.shape, gains.shape[1]
    scores, informations = np.zeros((d, m)), np.zeros((d, d))
    moves, work, row = np.zeros((d, d)), np.zeros((d, d)), np.zeros(d)
    for i in range(n - 1, -1, -1):
        if i < n - 1:
            _set_transition(inputs[i + 1] - inputs[i], kinds, rates, moves)
            _sandwich(moves, informations, work, True)
            _turn(moves, scores, row, True)
        spread = precisions[i]  # of the target given earlier ones, inverted
        row[:] = informations @ gains[i]
        inner = gains[i] @ row
        for k in range(m):
            above = 0.0
            for j in range(d):
                above += gains[i, j] * scores[j, k]
            means[i, k] += _toward(above, loadings[i, k], spread, spreads[i])
            loadings[i, k] -= spread * above
            for first in firsts:
                scores[first, k] += loadings[i, k]
        precisions[i] = spread + spread * spread * inner
        spreads[i] = _narrowed(inner, spread, spreads[i])
        for first in firsts:
            for j in range(d):
                informations[first, j] -= spread * row[j]
                informations[j, first] -= spread * row[j]
        for first in firsts:
            for other in firsts:
                informations[first, other] += precisions[i]


@part()
def _toward(above: float, loading: float, precision: float, variance: float) -> float:
    """Return by how much later targets, and the own one, move the mean of the function."""
    return above + variance * (loading - precision * above)


@part()
def _narrowed(inner: float, precision: float, variance: float) -> float:
    """Return the variance of the function given all targets."""
    kept = 1 - precision * variance
    return variance - variance * precision * variance - kept * kept * inner
