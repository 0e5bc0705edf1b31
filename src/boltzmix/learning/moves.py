"""Moves: many observations change their component at once, which no step of one by one finds.

A move is given what an E-step found, and returns it with other labels, or as it is.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from ..data import BoolArray, Data, FloatArray, Hard, IntArray
from ..families.base import Bank
from .expectation import Expectation
from .maximisation import summarise
from .workers import Workers

Move = Callable[[Bank, Data, Expectation, Workers], Expectation]
LEAST_GAIN = 1e-6  # nats; less is rounding


def stay(bank: Bank, data: Data, found: Expectation, workers: Workers) -> Expectation:
    """Move nobody."""
    return found


@dataclass(frozen=True)
class Swap:
    """Exchange the observations of two components beyond a cut, or between two cuts.

    Where curves cross, partners can be exchanged beyond the crossing, each curve still smooth.
    Exchanges are judged by `log_marginal` of both components, the best is made, and so on until
    none is better: K (K - 1) / 2 pairs times n_cuts (n_cuts + 1) / 2 exchanges in each round, each
    of them two evaluations of `log_marginal`.

    Parameters
    ----------
    n_cuts : int
        How many cuts are tried along the data, with as many observations between any two.
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
        labels = found.labels.copy()
        while self._improve(bank, data, positions, labels):
            pass
        if np.array_equal(labels, found.labels):
            return found
        return _relabelled(bank, data, found, labels, workers)

    def _improve(self, bank: Bank, data: Any, positions: FloatArray, labels: IntArray) -> bool:
        """Make the best exchange of each pair, if there is one; say whether there was."""
        better = False
        for one, other in combinations(range(len(bank)), 2):
            pair = bank.components[one], bank.components[other]
            concerned = np.flatnonzero((labels == one) | (labels == other))
            mine = labels[concerned] == one

            def joint(mine: BoolArray, pair: Any = pair, concerned: IntArray = concerned) -> float:
                left, right = data.take(concerned[mine]), data.take(concerned[~mine])
                return float(pair[0].log_marginal(left) + pair[1].log_marginal(right))

            least = bank.family.min_observations
            tried = [
                mine ^ beyond
                for beyond in self._stretches(positions[concerned])
                if least <= (mine ^ beyond).sum() <= len(mine) - least
            ]
            if not tried:
                continue
            gains = np.array([joint(own) for own in tried]) - joint(mine)
            if gains.max() > LEAST_GAIN:
                labels[concerned] = np.where(tried[int(gains.argmax())], one, other)
                better = True
        return better

    def _stretches(self, positions: FloatArray) -> Iterator[BoolArray]:
        """Yield what lies beyond each cut, and between any two."""
        if len(positions) == 0:
            return
        shares = np.arange(1, self.n_cuts + 1) / (self.n_cuts + 1)
        cuts = [*np.unique(np.quantile(positions, shares, method="lower")), np.inf]
        for low, high in combinations(cuts, 2):
            yield (positions > low) & (positions <= high)


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
