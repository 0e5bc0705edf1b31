"""Curves of trajectories: spline functions, and random effects with a Gaussian distribution.

Shapes, for n trajectories, N points, m outputs, p functions of the mean curve, q random effects:
times (N,), values (N, m) with NaN where missing, ends (n + 1,), grams (n, m, p, p), crossed
(n, m, p), squares and counts (n, m), effects (m, p, q).

A spline of degree r has `breaks` (J + 1,) and `pieces` (J, r + 1, r + 1): the coefficients of the
power c of the distance to the left break, at [j, c, a], of the a-th function that is not zero in
interval j, which is number j + a. Beyond the breaks, functions go on as straight lines.
"""

from typing import Any

import numpy as np

from .compile import kernel, part


@part()
def _evaluate(time: float, breaks: Any, pieces: Any, found: Any) -> Any:
    """Write the functions that are not zero at a time (r + 1,); return the number of the first."""
    last = len(breaks) - 2
    place = min(max(np.searchsorted(breaks, time, side="right") - 1, 0), last)
    inside = min(max(time, breaks[0]), breaks[-1])
    step, beyond = inside - breaks[place], time - inside
    powers = pieces.shape[1]
    for a in range(powers):
        value, slope = 0.0, 0.0
        for c in range(powers - 1, -1, -1):
            slope = slope * step + value
            value = value * step + pieces[place, c, a]
        found[a] = value + slope * beyond
    return place


@kernel()
def spline_values(times: Any, breaks: Any, pieces: Any, values: Any) -> None:
    """Write all functions at times, shape (N, p); `values` is zero before."""
    found = np.empty(pieces.shape[1])
    for t in range(len(times)):
        first = _evaluate(times[t], breaks, pieces, found)
        for a in range(len(found)):
            values[t, first + a] = found[a]


@kernel()
def trajectory_products(
    times: Any,
    values: Any,
    ends: Any,
    breaks: Any,
    pieces: Any,
    grams: Any,
    crossed: Any,
    squares: Any,
    counts: Any,
) -> None:
    """Add up products of functions with each other and with values; all sums are zero before."""
    found = np.empty(pieces.shape[1])
    for i in range(len(ends) - 1):
        for t in range(ends[i], ends[i + 1]):
            first = _evaluate(times[t], breaks, pieces, found)
            for j in range(values.shape[1]):
                value = values[t, j]
                if np.isnan(value):
                    continue
                counts[i, j] += 1
                squares[i, j] += value * value
                for a in range(len(found)):
                    crossed[i, j, first + a] += found[a] * value
                    for b in range(len(found)):
                        grams[i, j, first + a, first + b] += found[a] * found[b]


@part()
def _apply(grams: Any, effects: Any, applied: Any, inner: Any) -> None:
    """Write grams times effects (m, p, q), and effects' grams effects (m, q, q)."""
    m, p, q = effects.shape
    applied[:] = 0.0
    inner[:] = 0.0
    for j in range(m):
        for a in range(p):
            for b in range(p):
                gram = grams[j, a, b]
                if gram != 0.0:
                    for c in range(q):
                        applied[j, a, c] += gram * effects[j, b, c]
        for a in range(p):
            for c in range(q):
                for d in range(c + 1):
                    inner[j, c, d] += effects[j, a, c] * applied[j, a, d]
        for c in range(q):
            for d in range(c):
                inner[j, d, c] = inner[j, c, d]


@part()
def _sharpen(inner: Any, noise: Any, precision: Any) -> None:
    """Write the precision (q, q) of effects, given the values."""
    precision[:] = 0.0
    for j in range(len(noise)):
        for c in range(len(precision)):
            for d in range(len(precision)):
                precision[c, d] += inner[j, c, d] / noise[j]


@part()
def _whiten(precision: Any, root: Any, work: Any, triangle: Any) -> float:
    """Write the Cholesky factor of I + root' precision root; return its log determinant."""
    q = len(root)
    for c in range(q):
        for d in range(q):
            total = 0.0
            for e in range(d, q):
                total += precision[c, e] * root[e, d]
            work[c, d] = total
    log_determinant = 0.0
    for c in range(q):
        for d in range(c + 1):
            total = 1.0 if c == d else 0.0
            for e in range(c, q):
                total += root[e, c] * work[e, d]
            for e in range(d):
                total -= triangle[c, e] * triangle[d, e]
            if c == d:
                triangle[c, c] = np.sqrt(max(total, 1e-300))
                log_determinant += np.log(triangle[c, c])
            else:
                triangle[c, d] = total / triangle[d, d]
    return log_determinant


@part()
def _pull(
    crossed: Any, applied: Any, effects: Any, curve: Any, noise: Any, root: Any, pull: Any
) -> None:
    """Write root' effects' (values - curve) / noise, shape (q,)."""
    m, p, q = effects.shape
    raw = np.zeros(q)
    for j in range(m):
        for a in range(p):
            for c in range(q):
                raw[c] += (
                    effects[j, a, c] * crossed[j, a] - applied[j, a, c] * curve[j, a]
                ) / noise[j]
    for c in range(q):
        total = 0.0
        for e in range(c, q):
            total += root[e, c] * raw[e]
        pull[c] = total


@part()
def _forward(triangle: Any, vector: Any) -> None:
    """Solve triangle x = vector in place."""
    for c in range(len(vector)):
        for e in range(c):
            vector[c] -= triangle[c, e] * vector[e]
        vector[c] /= triangle[c, c]


@part()
def _residual(gram: Any, crossed: Any, square: float, curve: Any) -> float:
    """Return the sum of squares of values minus the curve."""
    total = square
    for a in range(len(curve)):
        inner = -2.0 * crossed[a]
        for b in range(len(curve)):
            inner += gram[a, b] * curve[b]
        total += curve[a] * inner
    return total


@kernel()
def trajectory_log_densities(
    grams: Any,
    crossed: Any,
    squares: Any,
    counts: Any,
    effects: Any,
    curves: Any,
    roots: Any,
    noises: Any,
    log_densities: Any,
) -> None:
    """Write log densities (K, n), from curves (K, m, p), roots (K, q, q) and noises (K, m)."""
    n, m = squares.shape
    _, p, q = effects.shape
    applied, inner, precision = np.empty((m, p, q)), np.empty((m, q, q)), np.empty((q, q))
    work, triangle, pull = np.empty((q, q)), np.zeros((q, q)), np.empty(q)
    for i in range(n):
        _apply(grams[i], effects, applied, inner)
        for k in range(len(curves)):
            curve, noise, root = curves[k], noises[k], roots[k]
            _sharpen(inner, noise, precision)
            log_determinant = _whiten(precision, root, work, triangle)
            _pull(crossed[i], applied, effects, curve, noise, root, pull)
            _forward(triangle, pull)
            total = 2.0 * log_determinant
            for j in range(m):
                distance = _residual(grams[i, j], crossed[i, j], squares[i, j], curve[j])
                total += distance / noise[j] + counts[i, j] * np.log(2.0 * np.pi * noise[j])
            for c in range(q):
                total -= pull[c] * pull[c]
            log_densities[k, i] = -0.5 * total


@kernel()
def random_effects(
    members: Any,
    weights: Any,
    grams: Any,
    crossed: Any,
    squares: Any,
    effects: Any,
    curve: Any,
    root: Any,
    noise: Any,
    means: Any,
    second: Any,
    rests: Any,
    residuals: Any,
) -> None:
    """Write expected effects (M, q) of M members; add sums over them, by weight (M,).

    The sums are those of products of effects (q, q), of products of functions with values minus
    effects (m, p), and of squares of the latter (m,).
    """
    m, p, q = effects.shape
    applied, inner, precision = np.empty((m, p, q)), np.empty((m, q, q)), np.empty((q, q))
    work, triangle, pull = np.empty((q, q)), np.zeros((q, q)), np.empty(q)
    spread, product = np.empty((q, q)), np.empty((q, q))
    for place in range(len(members)):
        i, weight = members[place], weights[place]
        _apply(grams[i], effects, applied, inner)
        _sharpen(inner, noise, precision)
        _whiten(precision, root, work, triangle)
        _pull(crossed[i], applied, effects, curve, noise, root, pull)
        _forward(triangle, pull)
        for c in range(q):
            for e in range(q):
                spread[c, e] = root[e, c] if c <= e else 0.0
        for e in range(q):
            _forward(triangle, spread[:, e])
        for c in range(q):
            total = 0.0
            for e in range(q):
                total += spread[e, c] * pull[e]
            means[place, c] = total
        for c in range(q):
            for d in range(q):
                total = means[place, c] * means[place, d]
                for e in range(q):
                    total += spread[e, c] * spread[e, d]
                product[c, d] = total
                second[c, d] += weight * total
        for j in range(m):
            total = squares[i, j]
            for a in range(p):
                explained = 0.0
                for c in range(q):
                    explained += applied[j, a, c] * means[place, c]
                rests[j, a] += weight * (crossed[i, j, a] - explained)
                for c in range(q):
                    total -= 2.0 * effects[j, a, c] * crossed[i, j, a] * means[place, c]
            for c in range(q):
                for d in range(q):
                    total += inner[j, c, d] * product[c, d]
            residuals[j] += weight * total
