"""Which changes of a mixture are promising: components moved, or what some have shared out anew."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_

import numpy as np

from ..families.base import Bank
from .dividing import Division
from .pricing import Change, Holdings, Places, View
from .workers import Workers

ALIKE = 6  # nats for each parameter of a component, that two are not worth more than one
# nats by which a change may lower the likelihood at once and still be tried: one for each parameter
# of a component, and so many for each observation
LOSS_OF_EACH = {"moved": 3e-3, "shared out anew": 5e-4}
FEW_PARAMETERS = 6  # where a family does not say how many it has
TAIL = 0.1  # of a component's observations, the least likely ones, which may be another cluster
EXPLORE, SETTLE = 12, 8  # steps in which components are split; in four columns, one more to explore


@dataclass(frozen=True)
class Proposals:
    """Changes of three kinds, the most promising first; a kind is priced when it is asked for.

    First, components are merged with their neighbour or removed, and others are split in two, by a
    small BEEM on their own observations or by setting their least likely ones apart (see
    `dividing`): splits and what makes room for them are put together. Then what two neighbours
    have is shared out anew in the same way, and then what three have. Of all that gain at once,
    those that do not meet are proposed together first.

    It takes K merges and (`draws` + 1) K splits, as many of pairs and of triples, all of a kind at
    once, in `EXPLORE` and `SETTLE` steps.

    Parameters
    ----------
    view : View
    tries : int
        How many changes are proposed of each kind.
    draws : int
        How often a component is split at random.
    rng : Generator
    workers : Workers
    """

    view: View
    tries: int
    draws: int
    rng: np.random.Generator
    workers: Workers

    def __iter__(self) -> Iterator[Change]:
        merges = self.view.merged(self.rng, self.workers)
        close = self._close_pairs(merges)
        closest = [tuple(sorted(one.places)) for one in sorted(merges, key=_loss)[:1]]
        if self.view.n_components > 2:  # of two, to remove one and split the other is to share anew
            yield from self._ranked(*self._relocations(merges), "moved")
        for groups in (close or closest, self.view.neighbours(3)):
            splits = self._splits(groups)
            yield from self._ranked(splits, splits, "shared out anew")

    def _relocations(self, merges: list[Change]) -> tuple[list[Change], list[Change]]:
        """Return changes that take a component from somewhere, and put it somewhere else.

        In the first list all take the one that is missed least; in the second each takes another,
        so that they can be made together.
        """
        rooms = sorted([*merges, *self.view.removed()], key=_loss)
        splits = self._splits([(k,) for k in range(self.view.n_components)])
        first, apart = [], []
        used: set[int] = set()
        for split in sorted(splits, key=_loss):
            if room := _clear_of(split.places, rooms):
                first.append(room & split)
            if not split.places & used and (room := _clear_of(split.places | used, rooms)):
                apart.append(room & split)
                used |= apart[-1].places
        return first, apart

    def _close_pairs(self, merges: list[Change]) -> list[Places]:
        """Return pairs of components that overlap, or that are worth little more than one.

        In many dimensions components hardly overlap even if they are wrong.
        """
        little = ALIKE * _n_parameters(self.view.mixture.bank)
        alike = [tuple(sorted(one.places)) for one in merges if _loss(one) < little]
        return sorted({*self.view.neighbours(2), *alike})

    def _splits(self, groups: Sequence[Places]) -> list[Change]:
        """Return the best sound split of each group; a single component is split in two."""
        n_pieces = max((2, *map(len, groups)))
        own = Holdings.of(self.view, groups).with_at_least(n_pieces * self.view.fewest)
        if not own.groups:
            return []
        division = Division(own, self.draws + 1, n_pieces, self.rng, self.workers)
        division.explore(
            steps=EXPLORE + self.view.evidence.data.n_features // 4,
            tail=TAIL if n_pieces > len(own.groups[0]) else 0.0,
        )
        best = division.best()
        best.settle(SETTLE)
        pieces = best.pieces()
        return [change for change in map(pieces.change, range(len(own.groups))) if change]

    def _ranked(self, changes: list[Change], jointly: list[Change], kind: str) -> list[Change]:
        """Return the most promising: all together that gain and can be, then one by one."""
        each = LOSS_OF_EACH[kind] * self.view.evidence.data.mean_size
        most = _n_parameters(self.view.mixture.bank) + each * self.view.total
        ranked = [change for change in sorted(changes, key=_loss) if _loss(change) < most]
        together: list[Change] = []
        for change in sorted(jointly, key=_loss):
            if change.gain > 0 and not any(change.places & other.places for other in together):
                together.append(change)
        one_by_one = ranked[: self.tries]
        return [reduce(and_, together), *one_by_one] if len(together) > 1 else one_by_one


def _clear_of(places: set[int], changes: list[Change]) -> Change | None:
    """Return the first of some changes that leaves some places as they are."""
    return next((one for one in changes if not one.places & places), None)


def _loss(change: Change) -> float:
    return -change.gain


def _n_parameters(bank: Bank) -> float:
    """Return the number of parameters of a component, or a few where it is not known."""
    try:
        return bank.n_parameters / len(bank.components)
    except NotImplementedError:
        return FEW_PARAMETERS
