"""Stretches of observations between the places where two curves come close."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np

from ....data import BoolArray, FloatArray, IntArray

KEPT = 2  # exchanges that are extended by further stretches in each round


@dataclass(frozen=True)
class Stretches:
    """Stretches between cuts of observations in the order of their positions.

    Parameters
    ----------
    cuts : array of int, shape (g - 1,)
        The observation at each cut.
    reach : int
        How many observations on either side of a cut are close to it.
    n : int
        Number of observations.
    """

    cuts: IntArray
    reach: int
    n: int

    @classmethod
    def between_close_places(cls, margins: FloatArray, shares: FloatArray, most: int) -> Self:
        """Cut where two curves are closest: at the least of the local minima of their margin.

        Parameters
        ----------
        margins : array, shape (n,)
            By how much the log densities of each observation under the two curves differ.
        shares : array, shape (n,)
            The responsibility of the two curves for each observation.
        most : int
            Greatest number of cuts.
        """
        n = len(margins)
        apart = max(1, n // (4 * most))
        window = np.ones(min(2 * apart + 1, n))
        total = np.convolve(shares, window, "same")
        around = np.convolve(margins * shares, window, "same") / np.maximum(total, 1e-300)
        cuts: list[int] = []
        for place in np.argsort(around, kind="stable"):
            is_inside = apart <= place < n - apart
            is_least = around[place] <= around[max(place - apart, 0) : place + apart + 1].min()
            if is_inside and is_least and all(abs(place - cut) > apart for cut in cuts):
                cuts.append(int(place))
            if len(cuts) == most:
                break
        return cls(np.array(sorted(cuts), dtype=int), max(1, apart // 2), n)

    @property
    def bounds(self) -> IntArray:
        """Stretch i has observations bounds[i] to bounds[i + 1], shape (g + 1,)."""
        return np.concatenate([[0], self.cuts + 1, [self.n]])

    def places(self, moved: BoolArray) -> BoolArray:
        """Return which observations lie in some of the stretches, shape (n,)."""
        return np.repeat(moved, np.diff(self.bounds))

    def near(self, cuts: IntArray) -> BoolArray:
        """Return which observations are close to some of the cuts, shape (n,)."""
        found = np.zeros(self.n, dtype=bool)
        for cut in cuts:
            found[max(cut - self.reach, 0) : cut + self.reach + 1] = True
        return found

    def changed_cuts(self, moved: BoolArray) -> IntArray:
        """Return the cuts at which an exchange begins or ends."""
        return self.cuts[moved[1:] != moved[:-1]]

    def best_exchanges(
        self, joints: Callable[[BoolArray], FloatArray], rounds: int, most: int
    ) -> list[tuple[float, BoolArray]]:
        """Return gains of the joint likelihood and the stretches moved, the best first.

        In every round, the best exchanges so far are extended by all stretches between two cuts,
        and those beyond one. The first stretch never moves, because that is the same exchange.
        """
        n_stretches = len(self.cuts) + 1
        pairs = np.array(list(combinations(range(1, n_stretches + 1), 2))).reshape(-1, 2)
        places = np.arange(n_stretches)
        spans = (places >= pairs[:, :1]) & (places < pairs[:, 1:])
        nothing = np.zeros(n_stretches, dtype=bool)
        priced = {nothing.tobytes(): float(joints(nothing[None])[0])}
        for _ in range(rounds):
            best = sorted(priced, key=lambda one: -priced[one])[:KEPT]
            extended = {(_read(one) ^ span).tobytes() for one in best for span in spans}
            new = sorted(extended - priced.keys())
            if new:
                values = joints(np.array([_read(one) for one in new]))
                priced |= dict(zip(new, map(float, values), strict=True))
        before = priced.pop(nothing.tobytes())
        found = sorted(priced, key=lambda one: -priced[one])[:most]
        return [(priced[one] - before, _read(one)) for one in found]


def _read(key: bytes) -> BoolArray:
    return np.frombuffer(key, dtype=bool)
