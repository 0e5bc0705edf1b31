"""Moves: many observations change their component at once, which no step of one by one finds.

A move is given what an E-step found, and returns it with other labels, or as it is.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from ..data import BoolArray, Data, FloatArray, Hard, IntArray
from ..families.base import Bank, Family
from .expectation import Expectation
from .maximisation import summarise
from .workers import Workers

Move = Callable[[Bank, Data, Expectation, Workers], Expectation]
LEAST_GAIN = 1e-6  # nats; less is rounding
FITTED = 3  # exchanges that are judged again after a fit


def stay(bank: Bank, data: Data, found: Expectation, workers: Workers) -> Expectation:
    """Move nobody."""
    return found


@dataclass(frozen=True)
class Pair:
    """Two components, and the observations of both."""

    one: Family
    other: Family
    data: Any

    def joint(self, mine: BoolArray) -> float:
        """Return the joint likelihood, if the first has the observations in `mine`."""
        left, right = self.data.take(mine), self.data.take(~mine)
        return self.one.log_marginal(left) + self.other.log_marginal(right)

    def fitted(self, mine: BoolArray) -> "Pair":
        """Return both, fitted to these observations."""
        one, other = self.one.fit(self.data.take(mine)), self.other.fit(self.data.take(~mine))
        return Pair(one, other, self.data)


@dataclass(frozen=True)
class Swap:
    """Exchange the observations of two components beyond a cut, or between two cuts.

    Where curves cross, partners can be exchanged beyond the crossing, each curve still smooth.
    Exchanges are judged by `log_marginal` of both components; the most promising are judged again
    after a fit, the best is made, and so on until none is better. A round takes K (K - 1) / 2 pairs
    times n_cuts (n_cuts + 1) / 2 exchanges, of two evaluations of `log_marginal` each, and eight
    fits.

    Parameters
    ----------
    n_cuts : int
        How many cuts are tried along the data: where the two components differ least in what
        they make of the observations around.
    """

    n_cuts: int

    def __call__(self, bank: Bank, data: Any, found: Expectation, workers: Workers) -> Expectation:
        positions = getattr(data, "positions", None)
        if positions is None:
            raise ValueError(
                f"Swaps exchange observations along an order, and those of {bank.family.name} have"
                " none: they need inputs X of one column, with targets y."
            )
        assert found.labels is not None
        labels, values = found.labels.copy(), bank.log_prob(data)
        components = list(bank.components)
        while self._improve(components, data, positions, values, labels):
            pass
        if np.array_equal(labels, found.labels):
            return found
        return _relabelled(bank, data, found, labels, workers)

    def _improve(
        self,
        components: list[Family],
        data: Any,
        positions: FloatArray,
        values: FloatArray,
        labels: IntArray,
    ) -> bool:
        """Make the best exchange of each pair, if there is one; say whether there was."""
        better = False
        for one, other in combinations(range(len(components)), 2):
            concerned = np.flatnonzero((labels == one) | (labels == other))
            pair = Pair(components[one], components[other], data.take(concerned))
            mine = labels[concerned] == one
            margins = np.abs(values[concerned, one] - values[concerned, other])
            least = components[one].min_observations
            tried = [
                mine ^ beyond
                for beyond in self._stretches(positions[concerned], margins)
                if least <= (mine ^ beyond).sum() <= len(mine) - least
            ]
            tried.sort(key=pair.joint, reverse=True)
            fitted = [pair.fitted(own) for own in tried[:FITTED]]
            if not fitted or not least <= mine.sum() <= len(mine) - least:
                continue
            joints = [again.joint(own) for again, own in zip(fitted, tried[:FITTED], strict=True)]
            best = int(np.argmax(joints))
            if joints[best] > pair.fitted(mine).joint(mine) + LEAST_GAIN:
                labels[concerned] = np.where(tried[best], one, other)
                components[one], components[other] = fitted[best].one, fitted[best].other
                better = True
        return better

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


def _relabelled(
    bank: Bank, data: Data, found: Expectation, labels: IntArray, workers: Workers
) -> Expectation:
    """Return what was found, had the observations these labels."""
    weights = found.membership.weights if isinstance(found.membership, Hard) else None
    membership = Hard(labels, len(bank), weights)
    return replace(
        found,
        statistics=summarise(bank, data, membership, workers),
        counts=membership.counts,
        too_small=membership.sizes < membership.fewest(bank.family.min_observations),
        labels=labels,
        membership=membership,
    )
