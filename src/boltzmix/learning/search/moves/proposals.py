"""Which changes of a mixture are promising: components moved elsewhere, or groups split again.

Changes of three kinds are proposed, the most promising first; a kind is evaluated when it is asked
for. First, components are merged with their neighbour or removed, and others are split in two: a
split and what makes room for it are put together. Then two neighbours are split again together, and
then three. Of all that gain at once, those that concern different components are proposed together
first. That takes K merges and (`draws` + 1) K splits, and as many of pairs and of triples, all of
a kind at once.
"""

from collections.abc import Generator, Sequence
from functools import reduce
from operator import and_

import numpy as np

from ....families.contract.base import Bank
from ...engine.loop import Run
from ...engine.state import Move, State
from ..driver import as_trial
from .groups import removals
from .pricing import Change, EvaluatedMixture, Places
from .splits import merges, splits

FEW_PARAMETERS = 6  # where a family does not say how many it has


def proposed_merges(
    run: Run, evaluated: EvaluatedMixture, rng: np.random.Generator
) -> Generator[State, None, list[Change]]:
    """Return the merges of each component with its neighbour."""
    return (yield from as_trial(merges(run, evaluated, rng), Move("propose"), Move("merge")))


def proposed_moves(
    run: Run,
    evaluated: EvaluatedMixture,
    merged: list[Change],
    tries: int,
    draws: int,
    rng: np.random.Generator,
) -> Generator[State, None, list[Change]]:
    """Return changes that take a component from somewhere, and split another one."""
    if evaluated.n_components <= 2:  # to remove one and split the other is to split both again
        return []
    single = [(k,) for k in range(evaluated.n_components)]
    halves = yield from _proposed_splits(run, evaluated, single, draws, rng)
    first, apart = _relocations([*merged, *removals(evaluated)], halves)
    return _ranked(evaluated, first, apart, tries, evaluated.settings.loss_moved)


def proposed_resplits(
    run: Run,
    evaluated: EvaluatedMixture,
    groups: Sequence[Places],
    tries: int,
    draws: int,
    rng: np.random.Generator,
) -> Generator[State, None, list[Change]]:
    """Return changes that split groups of neighbours again."""
    found = yield from _proposed_splits(run, evaluated, groups, draws, rng)
    return _ranked(evaluated, found, found, tries, evaluated.settings.loss_resplit)


def close_pairs(evaluated: EvaluatedMixture, merged: list[Change]) -> list[Places]:
    """Return pairs of components that overlap, or that fit hardly better than one would.

    In many dimensions components hardly overlap even if they are wrong. Where no pair is close, the
    closest one is returned.
    """
    little = evaluated.settings.alike * n_parameters(evaluated.mixture.bank)
    alike = [tuple(sorted(one.places)) for one in merged if one.loss < little]
    closest = [tuple(sorted(one.places)) for one in sorted(merged, key=_loss)[:1]]
    return sorted({*evaluated.neighbours(2), *alike}) or closest


def _proposed_splits(
    run: Run,
    evaluated: EvaluatedMixture,
    groups: Sequence[Places],
    draws: int,
    rng: np.random.Generator,
) -> Generator[State, None, list[Change]]:
    if not groups:
        return []
    kind = "split" if len(groups[0]) == 1 else "resplit"
    states = splits(run, evaluated, groups, draws, rng)
    return (yield from as_trial(states, Move("propose"), Move(kind)))


def _relocations(rooms: list[Change], halves: list[Change]) -> tuple[list[Change], list[Change]]:
    """Return splits, each with a change that makes room for it.

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


def _ranked(
    evaluated: EvaluatedMixture,
    changes: list[Change],
    jointly: list[Change],
    tries: int,
    loss_of_each: float,
) -> list[Change]:
    """Return the most promising: all together that gain and can be, then one by one."""
    each = loss_of_each * evaluated.data.observations.mean_size
    most = n_parameters(evaluated.mixture.bank) + each * evaluated.total_weight
    ranked = [change for change in sorted(changes, key=_loss) if change.loss < most]
    together: list[Change] = []
    for change in sorted(jointly, key=_loss):
        if change.gain > 0 and not any(change.places & other.places for other in together):
            together.append(change)
    one_by_one = ranked[:tries]
    return [reduce(and_, together), *one_by_one] if len(together) > 1 else one_by_one


def _apart_from(places: set[int], changes: list[Change]) -> Change | None:
    """Return the first of some changes that leaves some places as they are."""
    return next((one for one in changes if not one.places & places), None)


def _loss(change: Change) -> float:
    return change.loss


def n_parameters(bank: Bank) -> float:
    """Return the number of parameters of a component, or a few where it is not known."""
    try:
        return bank.n_parameters / len(bank.components)
    except NotImplementedError:
        return FEW_PARAMETERS
