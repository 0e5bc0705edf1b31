"""Which changes of a mixture are promising: components moved elsewhere, or groups split anew."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_

import numpy as np

from ...families.base import Bank
from ..engine.loop import Run
from ..engine.state import Move, State
from .driver import as_trial
from .groups import removals
from .pricing import Change, Places, Priced
from .splits import SplitSettings, merges, splits

FEW_PARAMETERS = 6  # where a family does not say how many it has


@dataclass(frozen=True)
class ProposalSettings:
    """Which changes are proposed.

    Parameters
    ----------
    tries : int
        How many changes are proposed of each kind.
    splits : SplitSettings
        How components are split.
    alike : float
        Nats for each parameter of a component: a merge that loses less is of two components that
        are worth little more than one.
    loss_moved, loss_resplit : float
        Nats for each observation, beyond one for each parameter of a component, by which a change
        may lower the likelihood at once and still be tried.
    """

    tries: int
    splits: SplitSettings
    alike: float
    loss_moved: float
    loss_resplit: float


@dataclass(frozen=True)
class Proposals:
    """Changes of three kinds, the most promising first; a kind is priced when it is asked for.

    First, components are merged with their neighbour or removed, and others are split in two: a
    split and what makes room for it are put together. Then two neighbours are split anew together,
    and then three. Of all that gain at once, those that concern different components are proposed
    together first.

    It takes K merges and (`draws` + 1) K splits, as many of pairs and of triples, all of a kind at
    once.

    Parameters
    ----------
    run : Run
    priced : Priced
    settings : ProposalSettings
    rng : Generator
    """

    run: Run
    priced: Priced
    settings: ProposalSettings
    rng: np.random.Generator

    def moved(self) -> Generator[State, None, tuple[list[Change], list[Change]]]:
        """Return changes that move a component, and all merges."""
        merged = yield from self._priced("merge", merges(self.run, self.priced, self.rng))
        if self.priced.n_components <= 2:  # to remove one and split the other is to split anew
            return [], merged
        single = [(k,) for k in range(self.priced.n_components)]
        halves = yield from self._split(single)
        first, apart = _relocations([*merged, *removals(self.priced)], halves)
        return self._ranked(first, apart, self.settings.loss_moved), merged

    def resplit(self, groups: Sequence[Places]) -> Generator[State, None, list[Change]]:
        """Return changes that split groups of neighbours anew."""
        found = yield from self._split(groups)
        return self._ranked(found, found, self.settings.loss_resplit)

    def close_pairs(self, merged: list[Change]) -> list[Places]:
        """Return pairs of components that overlap, or that are worth little more than one.

        In many dimensions components hardly overlap even if they are wrong. Where no pair is
        close, the closest one is returned.
        """
        little = self.settings.alike * _n_parameters(self.priced.mixture.bank)
        alike = [tuple(sorted(one.places)) for one in merged if one.loss < little]
        closest = [tuple(sorted(one.places)) for one in sorted(merged, key=_loss)[:1]]
        return sorted({*self.priced.neighbours(2), *alike}) or closest

    def _split(self, groups: Sequence[Places]) -> Generator[State, None, list[Change]]:
        if not groups:
            return []
        found = splits(self.run, self.priced, groups, self.settings.splits, self.rng)
        return (yield from self._priced("split" if len(groups[0]) == 1 else "resplit", found))

    @staticmethod
    def _priced(
        kind: str, states: Generator[State, None, list[Change]]
    ) -> Generator[State, None, list[Change]]:
        return (yield from as_trial(states, Move("propose"), Move(kind)))

    def _ranked(
        self, changes: list[Change], jointly: list[Change], loss_of_each: float
    ) -> list[Change]:
        """Return the most promising: all together that gain and can be, then one by one."""
        each = loss_of_each * self.priced.data.observations.mean_size
        n_parameters = _n_parameters(self.priced.mixture.bank)
        most = n_parameters + each * self.priced.total_weight
        ranked = [change for change in sorted(changes, key=_loss) if change.loss < most]
        together: list[Change] = []
        for change in sorted(jointly, key=_loss):
            if change.gain > 0 and not any(change.places & other.places for other in together):
                together.append(change)
        one_by_one = ranked[: self.settings.tries]
        return [reduce(and_, together), *one_by_one] if len(together) > 1 else one_by_one


def _relocations(rooms: list[Change], halves: list[Change]) -> tuple[list[Change], list[Change]]:
    """Return changes that take a component from somewhere, and put it somewhere else.

    In the first list all take the component that is missed least; in the second each takes
    another, so that they can be made together.
    """
    rooms = sorted(rooms, key=_loss)
    first, apart = [], []
    used: set[int] = set()
    for split in sorted(halves, key=_loss):
        if room := _apart_from(split.places, rooms):
            first.append(room & split)
        if not split.places & used and (room := _apart_from(split.places | used, rooms)):
            apart.append(room & split)
            used |= apart[-1].places
    return first, apart


def _apart_from(places: set[int], changes: list[Change]) -> Change | None:
    """Return the first of some changes that leaves some places as they are."""
    return next((one for one in changes if not one.places & places), None)


def _loss(change: Change) -> float:
    return change.loss


def _n_parameters(bank: Bank) -> float:
    """Return the number of parameters of a component, or a few where it is not known."""
    try:
        return bank.n_parameters / len(bank.components)
    except NotImplementedError:
        return FEW_PARAMETERS
