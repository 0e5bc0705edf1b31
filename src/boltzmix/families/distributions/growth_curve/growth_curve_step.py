"""The M-step of a growth curve."""

import numpy as np

from ....data import FloatArray
from ...covariance.singular import solved
from .growth_curve_products import Effects, KernelCurve
from .growth_curve_scales import GrowthScales


def maximised(
    statistics: Effects, curve: KernelCurve, scales: GrowthScales
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return coefficients (m, p), covariance of effects (q, q) and noise (m,) after a step of EM.

    The mean curve and the mean of the effects are found together, given the old variances, with
    the prior of the mean curve; then the variances, given these.
    """
    sums = statistics
    m, p, q = scales.effects.shape
    effects = scales.effects.reshape(m * p, q)
    means, shift = _centres(sums, curve, scales, effects)
    mixed = np.outer(shift, sums.first)
    second = sums.second - mixed - mixed.T + sums.weight * np.outer(shift, shift)
    squares = sums.residuals - 2 * (means * sums.rests).sum(axis=1)
    squares += np.einsum("ja,jab,jb->j", means, sums.grams, means)
    tiny = np.finfo(float).tiny
    return (
        means + (effects @ shift).reshape(m, p),
        (second + second.T) / (2 * sums.weight),
        np.maximum(squares / np.maximum(sums.counts, tiny), 0.0),
    )


def _centres(
    sums: Effects, curve: KernelCurve, scales: GrowthScales, effects: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return coefficients (m, p), and the mean of the effects (q,), which is to be added to them.

    The prior is that of their sum.
    """
    m, p = sums.rests.shape
    covariance = curve.root @ curve.root.T
    precision, level = scales.precision, scales.level.ravel()
    across = precision @ effects
    inner = sums.weight * np.linalg.inv(covariance) + effects.T @ across
    system = np.block([[precision, across], [across.T, inner]])
    for j in range(m):
        own = slice(j * p, (j + 1) * p)
        system[own, own] += sums.grams[j] / curve.noise[j]
    right = np.concatenate(
        [
            (sums.rests / curve.noise[:, None]).ravel() + precision @ level,
            solved(covariance, sums.first[:, None])[:, 0] + across.T @ level,
        ]
    )
    solution = solved(system, right[:, None])[:, 0]
    return solution[: m * p].reshape(m, p), solution[m * p :]
