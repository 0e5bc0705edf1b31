"""Common axes of K covariances.

Shapes: covariances (K, d, d), axes (d, d), weights (K,).
"""

from typing import Any

import numpy as np

from .compile import kernel, part

REFINEMENTS = 5  # of the angle of one rotation, at most
REFINED = 1e-3  # radians by which the last of these changes it


@kernel()
def rotate(
    covariances: Any,
    axes: Any,
    weights: Any,
    has_equal_volumes: bool,
    n_sweeps: int,
    least_angle: float,
) -> None:
    """Rotate axes, which are columns, until covariances in these axes are as diagonal as can be.

    Covariances are given in the coordinates of the axes; both are overwritten. What falls with
    every rotation is the sum of weights times log determinants of the diagonals; or, where volumes
    are equal, of weights times the d-th roots of these determinants.
    """
    d = covariances.shape[1]
    power = 1.0 / d if has_equal_volumes else 0.0
    factors = weights.copy()  # how much a relative change of a variance counts
    if has_equal_volumes:
        for k in range(len(weights)):
            factors[k] *= _volume(covariances[k])
    for _ in range(n_sweeps):
        largest = 0.0
        for i in range(d):
            for j in range(i + 1, d):
                angle = _best_angle(covariances, factors, power, i, j)
                largest = max(largest, abs(angle))
                if angle != 0.0:
                    _turn(covariances, axes, factors, power, np.cos(angle), np.sin(angle), i, j)
        if largest < least_angle:
            break


@part()
def _best_angle(covariances: Any, factors: Any, power: float, i: int, j: int) -> float:
    """Return the best angle in the plane of axes i and j.

    The sum over k and axes of factors times variances after a rotation over those before it is,
    but for a constant, a cos(2 angle) + b sin(2 angle). The angle at which this is least is
    computed again from the variances after the rotation, a few times.
    """
    total, c, s = 0.0, 1.0, 0.0
    for _ in range(REFINEMENTS):
        a = b = 0.0
        for k in range(covariances.shape[0]):
            own = covariances[k]
            one = c * c * own[i, i] + 2.0 * c * s * own[i, j] + s * s * own[j, j]
            other = own[i, i] + own[j, j] - one
            both = c * s * (own[j, j] - own[i, i]) + (c * c - s * s) * own[i, j]
            factor = factors[k] * (1.0 / one - 1.0 / other)
            if power > 0.0:
                factor *= (one * other / (own[i, i] * own[j, j])) ** power
            a += factor * (one - other) / 2.0
            b += factor * both
        angle = np.arctan2(-b, -a) / 2.0 if b != 0.0 else 0.0
        total += angle
        if abs(angle) < REFINED:
            break
        c, s = np.cos(total), np.sin(total)
    return float(total)


@part()
def _volume(covariance: Any) -> float:
    """Return the geometric mean of the diagonal."""
    total = 0.0
    for i in range(covariance.shape[0]):
        total += np.log(covariance[i, i])
    return float(np.exp(total / covariance.shape[0]))


@part()
def _turn(
    covariances: Any, axes: Any, factors: Any, power: float, c: float, s: float, i: int, j: int
) -> None:
    """Turn axes i and j, and covariances with them, by an angle of this cosine and sine.

    Factors change with the product of the two variances, to a power.
    """
    d = len(axes)
    for row in range(d):
        one, other = axes[row, i], axes[row, j]
        axes[row, i], axes[row, j] = c * one + s * other, c * other - s * one
    for k in range(covariances.shape[0]):
        own = covariances[k]
        before = own[i, i] * own[j, j]
        for row in range(d):
            one, other = own[row, i], own[row, j]
            own[row, i], own[row, j] = c * one + s * other, c * other - s * one
        for column in range(d):
            one, other = own[i, column], own[j, column]
            own[i, column], own[j, column] = c * one + s * other, c * other - s * one
        if power > 0.0:
            factors[k] *= (own[i, i] * own[j, j] / before) ** power
