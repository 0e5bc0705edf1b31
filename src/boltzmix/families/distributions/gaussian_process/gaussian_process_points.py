"""The points from which a function is learned, and their sums with waves."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from .... import kernels
from ....data import FloatArray, IntArray, Regression, Weights, evenly_spaced
from .gaussian_process_spectrum import Frequencies

NEGLIGIBLE = 1e-4  # times the largest weight: points with less are left out
MOST_KEPT = 8  # sets of sums with waves of different periods
SPARE = 16  # sums are kept for this multiple of waves, so that more serve other hyper-parameters


@dataclass(frozen=True, eq=False)
class Points:
    """The points from which a function is learned.

    The density of a point is raised to the power of its weight, which is the same as dividing its
    noise variance by the weight, up to a constant.

    Parameters
    ----------
    inputs : array, shape (n, p)
    targets : array, shape (n, m)
        Targets less their offset.
    weights : array, shape (n,)
    """

    inputs: FloatArray
    targets: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, data: Regression, offset: FloatArray, weights: Weights) -> Self:
        """Return the points whose weights are not negligible."""
        if weights is None:
            return cls(data.inputs, data.targets - offset, np.ones(len(data)))
        kept = weights > NEGLIGIBLE * weights.max(initial=0.0)
        if kept.all():
            return cls(data.inputs, data.targets - offset, weights)
        return cls(data.inputs[kept], data.targets[kept] - offset, weights[kept])

    def __len__(self) -> int:
        return len(self.inputs)

    def thinned(self, most: int) -> Self:
        """Return at most a given number of points, evenly spaced in their order."""
        n = len(self)
        if n <= most:
            return self
        chosen = evenly_spaced(n, most)
        return type(self)(self.inputs[chosen], self.targets[chosen], self.weights[chosen])

    def places_of(self, inputs: FloatArray, targets: FloatArray) -> IntArray:
        """Return the index of each of other points among these, shape (n,); -1 if it is none."""
        rows = np.ascontiguousarray(np.hstack([inputs, targets]))
        found = np.empty(len(rows), dtype=np.int64)
        kernels.places.find_rows(*self._in_order, rows, found)
        return found

    @cached_property
    def _in_order(self) -> tuple[FloatArray, IntArray]:
        """The rows of inputs and targets in ascending order, and their indices."""
        rows = np.hstack([self.inputs, self.targets])
        order = np.lexsort(rows.T[::-1])
        return np.ascontiguousarray(rows[order]), order

    @cached_property
    def order(self) -> IntArray:
        """Indices of points in ascending order of one input, shape (n,)."""
        return np.argsort(self.inputs[:, 0], kind="stable")

    @cached_property
    def by_input(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Inputs (n,), targets and weights in that order."""
        order = self.order
        return self.inputs[order, 0], self.targets[order], self.weights[order]

    def log_constant(self, noise: float) -> float:
        """Return the term that weights other than one add to the log density of all targets."""
        constants = np.log(2 * np.pi * noise / self.weights)
        powers = self.weights * np.log(2 * np.pi * noise)
        return 0.5 * self.targets.shape[1] * float((constants - powers).sum())

    def sums(self, frequencies: Frequencies) -> "FourierSums":
        """Return the sums of these points with waves. They are kept for the next time."""
        lattice = frequencies.origin, frequencies.period
        kept = self._kept_sums.get(lattice)
        if kept is None or kept.highest < frequencies.highest:
            wider = frequencies._replace(highest=SPARE * -(-frequencies.highest // SPARE))
            if len(self._kept_sums) >= MOST_KEPT:
                self._kept_sums.clear()
            kept = self._kept_sums[lattice] = FourierSums.of(self, wider)
        return kept.below(frequencies.highest)

    @cached_property
    def _kept_sums(self) -> dict[tuple[float, float], "FourierSums"]:
        """Sums that were made, by the origin and the period of their waves."""
        return {}


@dataclass(frozen=True, eq=False)
class FourierSums:
    """Sums of weighted points with waves: all that a process with finite features learns from.

    Sums of several sets of points add up: `rows` may be added, subtracted and multiplied.

    Parameters
    ----------
    rows : array, shape (g, 2 (2 J + 1) + 2 m (J + 1) + 1)
        For each of g sets: cosines and sines of frequencies 0 to 2 J, times weights; cosines and
        sines of frequencies 0 to J, times weights and targets; weighted squares of targets.
    highest : int
        The highest frequency J of features.
    """

    rows: FloatArray
    highest: int

    @classmethod
    def of(cls, points: Points, frequencies: Frequencies) -> Self:
        """Return the sums of one set of points."""
        return cls.by_stretch(points, frequencies, np.array([0, len(points)]))

    @classmethod
    def by_stretch(cls, points: Points, frequencies: Frequencies, bounds: IntArray) -> Self:
        """Return the sums of g stretches: points bounds[i] to bounds[i + 1] of each i."""
        highest = frequencies.highest
        width = 2 * (2 * highest + 1) + 2 * points.targets.shape[1] * (highest + 1) + 1
        rows = np.zeros((len(bounds) - 1, width))
        angles = frequencies.angles(points.inputs)
        weights = np.ascontiguousarray(points.weights)
        targets = np.ascontiguousarray((points.targets * weights[:, None]).T)
        squares = (targets * points.targets.T).sum(axis=0)
        for row, low, high in zip(rows, bounds[:-1], bounds[1:], strict=True):
            part = slice(low, high)
            own = np.ascontiguousarray(targets[:, part])
            kernels.fourier.add_sums(angles[part], weights[part], own, highest, row[:-1])
            row[-1] = squares[part].sum()
        return cls(rows, highest)

    def below(self, highest: int) -> "FourierSums":
        """Return the sums for features of frequencies up to `highest` only."""
        if highest == self.highest:
            return self
        kept = np.zeros(self.rows.shape[1], dtype=bool)
        many, few = 2 * self.highest + 1, self.highest + 1
        kept[: 2 * many].reshape(2, many)[:, : 2 * highest + 1] = True
        kept[2 * many : -1].reshape(-1, few)[:, : highest + 1] = True
        kept[-1] = True
        return FourierSums(self.rows[:, kept], highest)

    @property
    def total_weights(self) -> FloatArray:
        """The total weight of the points of each set, shape (g,)."""
        return self.rows[:, 0]

    @property
    def squares(self) -> FloatArray:
        """Weighted squares of the targets of each set, shape (g,)."""
        return self.rows[:, -1]

    @property
    def n_targets(self) -> int:
        return (self.rows.shape[1] - 1 - 2 * (2 * self.highest + 1)) // (2 * self.highest + 2)

    def products(self, place: int, scales: FloatArray) -> FloatArray:
        """Return the weighted sums of products of two features, each scaled, of one set.

        Parameters
        ----------
        place : int
            Of the set.
        scales : array, shape (2 J + 1,)

        Returns
        -------
        array, shape (2 J + 1, 2 J + 1)
        """
        many, row = 2 * self.highest + 1, self.rows[place]
        found = np.empty((many, many))
        kernels.fourier.products_of_features(row[:many], row[many : 2 * many], scales, found)
        return found

    def loads(self, place: int) -> FloatArray:
        """Return the weighted sums of features times targets, (2 J + 1, m), of one set."""
        waves = self.rows[place, 2 * (2 * self.highest + 1) : -1]
        waves = waves.reshape(self.n_targets, 2, self.highest + 1)
        return np.hstack([waves[:, 0], waves[:, 1, 1:]]).T
