"""Sums over the points and over the random effects of trajectories."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from .... import kernels
from ....data import FloatArray, IntArray, Trajectories
from ...columns.additive_fits import Sums
from ...shared.splines import SplineBasis


class KernelCurve(NamedTuple):
    """The parameters of a component, as kernels take them.

    Parameters
    ----------
    mean : array, shape (m, p)
        Coefficients of the mean curve, less the centre of the values.
    root : array, shape (q, q)
        Cholesky factor of the covariance of effects.
    noise : array, shape (m,)
        Variances of the noise.
    """

    mean: FloatArray
    root: FloatArray
    noise: FloatArray


@dataclass(frozen=True, eq=False)
class Effects(Sums):
    """Sums over the members of a component, given its parameters.

    Parameters
    ----------
    weight : float
        Total weight of trajectories.
    counts : array, shape (m,)
        Total weight of values.
    first, second : arrays, shapes (q,) and (q, q)
        Of expected effects, and of expected products of them.
    grams : array, shape (m, p, p)
        Of products of functions.
    rests : array, shape (m, p)
        Of products of functions with values minus expected effects.
    residuals : array, shape (m,)
        Of expected squares of values minus effects.
    """

    weight: float
    counts: FloatArray
    first: FloatArray
    second: FloatArray
    grams: FloatArray
    rests: FloatArray
    residuals: FloatArray


class Products(NamedTuple):
    """Sums over the points of each trajectory, which determine its density under every component.

    Parameters
    ----------
    grams : array, shape (n, m, p, p)
        Of products of functions.
    crossed : array, shape (n, m, p)
        Of products of functions with values.
    squares : array, shape (n, m)
        Of squared values.
    counts : array, shape (n, m)
        Numbers of values.
    """

    grams: FloatArray
    crossed: FloatArray
    squares: FloatArray
    counts: FloatArray

    @classmethod
    def of(cls, data: Trajectories, basis: SplineBasis, centre: FloatArray) -> Self:
        """Add up products over the points of each trajectory, of values less their centre."""
        n, m, p = len(data), data.n_features, basis.n_functions
        grams, crossed = np.zeros((n, m, p, p)), np.zeros((n, m, p))
        squares, counts = np.zeros((n, m)), np.zeros((n, m))
        times, values = basis.scaled(data.times), data.values - centre
        spline = basis.breaks, basis.pieces
        kernels.trajectories.trajectory_products(
            times, values, data.ends, *spline, grams, crossed, squares, counts
        )
        return cls(grams, crossed, squares, counts)

    def log_densities(self, effects: FloatArray, curves: list[KernelCurve]) -> FloatArray:
        """Return the log density of each trajectory under each component, shape (n, K)."""
        means, roots, noises = map(np.stack, zip(*curves, strict=True))
        found = np.empty((len(curves), len(self.squares)))
        kernels.trajectories.trajectory_log_densities(*self, effects, means, roots, noises, found)
        return found.T

    def summarised(
        self, effects: FloatArray, curve: KernelCurve, members: IntArray, weights: FloatArray
    ) -> tuple[Effects, FloatArray]:
        """Return sums over members of a component, and the expected effects (M, q) of each."""
        m, p, q = effects.shape
        means, second = np.empty((len(members), q)), np.zeros((q, q))
        rests, residuals = np.zeros((m, p)), np.zeros(m)
        kernels.trajectories.random_effects(
            members, weights, self.grams, self.crossed, self.squares, effects, *curve,
            means, second, rests, residuals,
        )  # fmt: skip
        sums = Effects(
            float(weights.sum()),
            weights @ self.counts[members],
            weights @ means,
            second,
            np.tensordot(weights, self.grams[members], 1),
            rests,
            residuals,
        )
        return sums, means
