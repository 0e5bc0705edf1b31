"""Swaps: curves that have exchanged partners beyond a crossing are put right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from ..data import BoolArray, FloatArray, IntArray
from ..families.base import Family
from .assignment import argmax, soft
from .evidence import Start
from .history import Step
from .known_labels import confined
from .moves import Scene

LEAST_GAIN = 1e-6  # nats; less is rounding
JUDGED = 500  # observations of a pair by which exchanges are compared, evenly taken
WORTH_FITTING = 10.0  # nats; an exchange that loses more is not


@dataclass(frozen=True)
class Pair:
    """Two components, and how they share observations.

    Parameters
    ----------
    components : tuple of two families
    data : Data
        The observations of both.
    shares : array, shape (n, 2)
        How much of each observation either has: all or nothing, where labels are hard.
    free : array of bool, shape (n,)
        Whose shares may be exchanged: those whose label is not known.
    """

    components: tuple[Family, Family]
    data: Any
    shares: FloatArray
    free: BoolArray

    @cached_property
    def joint(self) -> float:
        """The joint likelihood of both."""
        return sum(
            component.log_marginal(*own)
            for component, own in zip(self.components, self._owned(), strict=True)
        )

    def fitted(self) -> "Pair":
        """Return both, fitted to their shares."""
        one, other = (
            component.fit(data, weights=weights)
            for component, (data, weights) in zip(self.components, self._owned(), strict=True)
        )
        return replace(self, components=(one, other))

    def exchanged(self, places: BoolArray) -> "Pair":
        """Return both with the shares of some observations exchanged, as far as these are free."""
        moved = (places & self.free)[:, None]
        return replace(self, shares=np.where(moved, self.shares[:, ::-1], self.shares))

    def part(self, places: IntArray) -> "Pair":
        """Return both with some of the observations only."""
        own = self.data.take(places)
        return replace(self, data=own, shares=self.shares[places], free=self.free[places])

    @property
    def is_viable(self) -> bool:
        """Whether both have observations enough."""
        return bool(self.shares.sum(axis=0).min() >= self.components[0].min_observations)

    def _owned(self) -> Iterator[tuple[Any, FloatArray | None]]:
        """Yield what either has a share of, and these shares if any is not whole."""
        for shares in self.shares.T:
            mine = np.flatnonzero(shares)
            whole = bool((shares[mine] == 1).all())
            yield self.data.take(mine), None if whole else shares[mine]


@dataclass(frozen=True)
class Swap:
    """Exchange the observations of two components beyond a cut, or between two cuts.

    Where curves cross, partners can be exchanged beyond the crossing, each curve still smooth.
    Both components are fitted to what they have, all exchanges are judged by `log_marginal` of 500
    observations at most, and the best is judged again after a fit to all; it is made if it is
    better, and so on until none is, or n_cuts times. Each time takes K (K - 1) / 2 pairs times
    n_cuts (n_cuts + 1) / 2 exchanges, of two evaluations of `log_marginal` each, and four fits per
    pair. Shares are exchanged as labels are: how uncertain they are stays the same.

    Parameters
    ----------
    n_cuts : int
        How many cuts are tried along the data: where the two components differ least in what
        they make of the observations around.
    soft : bool
        Whether shares are exchanged, or labels.
    """

    n_cuts: int
    soft: bool

    def __call__(
        self, mixture: Start, steps: Sequence[Step], scene: Scene
    ) -> tuple[Start, str | None]:
        (bank, weights), known = mixture, scene.evidence.known
        data: Any = scene.evidence.data
        positions = getattr(data, "positions", None)
        if positions is None:
            raise ValueError(
                f"Swaps exchange observations along an order, and those of {bank.family.name} have"
                " none: they need inputs X of one column, with targets y."
            )
        values, log_weights = confined(bank.log_prob(data), known), np.log(weights)
        assign = soft if self.soft else argmax
        membership, _ = assign(
            values, log_weights, 1.0, lambda: np.empty(0), scene.evidence.sample_weight
        )
        shares, components = membership.as_responsibilities(), list(bank.components)
        free = np.ones(len(data), dtype=bool) if known is None else known < 0
        n_swaps = 0
        while n_swaps < self.n_cuts and self._improve(
            components, data, positions, values, shares, free
        ):
            n_swaps += 1
        moved = {k: one for k, one in enumerate(components) if one is not bank.components[k]}
        if not moved:
            return mixture, ""
        return Start(bank.replaced(moved), weights), f"{n_swaps} swaps"

    def _improve(
        self,
        components: list[Family],
        data: Any,
        positions: FloatArray,
        values: FloatArray,
        shares: FloatArray,
        free: BoolArray,
    ) -> bool:
        """Make the best exchange of each pair, if there is one; say whether there was."""
        better = False
        for both in combinations(range(len(components)), 2):
            concerned = np.flatnonzero(shares[:, both].sum(axis=1))
            place = np.ix_(concerned, np.array(both))
            one, other = (components[k] for k in both)
            pair = Pair((one, other), data.take(concerned), shares[place], free[concerned])
            margins = np.abs(np.diff(values[place], axis=1)[:, 0])
            exchanged = self._best(pair, positions[concerned], margins) if pair.is_viable else pair
            if exchanged is not pair:
                shares[place] = exchanged.shares
                components[both[0]], components[both[1]] = exchanged.components
                better = True
        return better

    def _best(self, pair: Pair, positions: FloatArray, margins: FloatArray) -> Pair:
        """Return the pair after its best exchange, fitted; or as it is, if none is better."""
        now = pair.fitted()
        seen = np.unique(np.linspace(0, len(positions) - 1, JUDGED).astype(int))
        sketch = now.part(seen)
        joints = {
            sketch.exchanged(beyond[seen]).joint: beyond
            for beyond in self._stretches(positions, margins)
            if now.exchanged(beyond).is_viable
        }
        highest = max(joints, default=-np.inf)
        if highest < sketch.joint - WORTH_FITTING:
            return pair
        best = now.exchanged(joints[highest]).fitted()
        return best if best.joint > now.joint + LEAST_GAIN else pair

    def _stretches(self, positions: FloatArray, margins: FloatArray) -> Iterator[BoolArray]:
        """Yield what lies beyond each cut, and between any two."""
        cuts = [*sorted(self._cuts(positions, margins)), np.inf]
        for low, high in combinations(cuts, 2):
            yield (positions > low) & (positions <= high)

    def _cuts(self, positions: FloatArray, margins: FloatArray) -> list[float]:
        """Return where margins are least on average, apart from each other."""
        order = np.argsort(positions, kind="stable")
        apart = max(1, len(order) // (4 * self.n_cuts))
        window = np.ones(min(2 * apart + 1, len(order)))
        around = np.convolve(margins[order], window, "same") / np.convolve(
            np.ones(len(order)), window, "same"
        )
        cuts: list[int] = []
        for place in np.argsort(around, kind="stable"):
            if len(cuts) < self.n_cuts and all(abs(place - cut) > apart for cut in cuts):
                cuts.append(int(place))
        return [float(positions[order[cut]]) for cut in cuts]
