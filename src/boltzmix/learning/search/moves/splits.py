"""Merges of pairs, and splits of groups of components: all of a kind fitted at once."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from scipy.optimize import linear_sum_assignment

from ....data import Columns, FloatArray, Hard, IntArray, Table
from ....families.contract.base import Bank
from ...engine.assigned import Assignment, Kept
from ...engine.loop import Path, Run, learn
from ...engine.m_step import maximise, summarise
from ...engine.randomness import Randomness
from ...engine.state import MixtureState, Move, State, Step
from ...engine.training_data import TrainingData
from ...parts import Parts, argmax, constant, learned, length, linear, soft
from ...parts.small_components import keep
from ...parts.stopping import never
from .grouped import GroupedData, PieceMixture
from .groups import Groups
from .piece_assignment import drawn, joint_of, within_groups
from .pricing import ANY_FREE, Change, EvaluatedMixture, Places


@dataclass(frozen=True)
class Pieces:
    """Pieces of groups, as they would replace these.

    Parameters
    ----------
    data : GroupedData
    bank : Bank
        The pieces.
    counts : array, shape (m, G)
        Total weight of the members of each piece.
    gains : array, shape (G,)
        How much the objective rises if the pieces replace their group.
    pieces : array of int, shape (e,)
        The best piece of each member.
    """

    data: GroupedData
    bank: Bank
    counts: FloatArray
    gains: FloatArray
    pieces: IntArray

    @classmethod
    def of(cls, data: GroupedData, mixture: PieceMixture, counts: FloatArray) -> "Pieces":
        """Price pieces, given the total weights (m G,) of their members."""
        found = mixture.evaluate(data)
        joint = joint_of(data, found.log_densities, found.log_weights)
        together = np.logaddexp if data.groups.evaluated.family.weighted else np.maximum
        log_prior = mixture.bank.log_prior.reshape(data.n_pieces, -1).sum(axis=0)
        gains = data.groups.gains(together.reduce(joint, axis=0), log_prior)
        by_group = counts.reshape(data.n_pieces, -1)
        return cls(data, mixture.bank, by_group, gains, joint.argmax(axis=0))

    def best(self, n_best: int, groups: Groups) -> IntArray:
        """Return the places (n_best G,) of the splits of each group that gain most.

        Each group was split several times.
        """
        gains = self.gains.reshape(-1, len(groups))
        order = np.argsort(-gains, axis=0, kind="stable")[:n_best]
        return np.ravel(order * len(groups) + np.arange(len(groups)))

    def chosen(self, places: IntArray, groups: Groups) -> tuple[GroupedData, PieceMixture]:
        """Return the splits in some places, which are those of `groups` in turn."""
        data = GroupedData(groups, self.data.n_pieces)
        own = places + np.arange(self.data.n_pieces)[:, None] * len(self.data.groups)
        counts = self.counts[:, places].ravel()
        return data, data.mixture(self.bank.chosen(own.ravel()), counts)

    def change(self, group: int) -> Change | None:
        """Return the change that replaces a group by its pieces, if it is a sound one."""
        groups, evaluated = self.data.groups, self.data.groups.evaluated
        places, counts = groups.places[group], self.counts[:, group]
        if counts.min() < evaluated.least_members or self._is_as_before(group):
            return None
        components = self.bank.chosen(range(group, len(self.bank), len(groups))).components
        before = evaluated.mixture.bank.chosen(places).components
        if any(one.is_degenerate for one in components) and not all(
            one.is_degenerate for one in before
        ):
            return None
        weights = groups.weights[group] * counts / counts.sum()
        into = (*places, ANY_FREE)[: len(components)]
        arrivals = zip(into, components, weights.tolist(), strict=True)
        gain = float(self.gains[group])
        move = Move("split" if len(places) == 1 else "resplit", places, gain)
        return Change(gain, tuple(arrivals), (), (move,))

    def _is_as_before(self, group: int) -> bool:
        """Whether the pieces are what the group was, but for a few members."""
        groups = self.data.groups
        places = groups.places[group]
        if len(places) == 1:
            return False
        mine = slice(*np.searchsorted(groups.group, [group, group + 1]))
        before = groups.evaluated.joint[groups.rows[mine]][:, places].argmax(axis=1)
        moved = np.zeros((len(places), len(places)))
        np.add.at(moved, (before, self.pieces[mine]), groups.responsibility[mine])
        stayed = moved[linear_sum_assignment(moved, maximize=True)].sum()
        return bool(stayed > groups.evaluated.settings.same_split * moved.sum())


def splits(
    run: Run,
    evaluated: EvaluatedMixture,
    places: Sequence[Places],
    draws: int,
    rng: np.random.Generator,
) -> Generator[State, None, list[Change]]:
    """Split each group again; yield the states of that, return the best sound split of each.

    A single component is split in two. Each group is split `draws` + 1 times by a small BEEM, with
    a temperature for each group. Only a few of these splits go on after half of its iterations, and
    the best one is polished by EM, or by CEM where the family takes no weights.
    """
    n_pieces = max((2, *map(len, places)))
    groups = Groups.of(evaluated, places).with_at_least(n_pieces * evaluated.least_members)
    if not len(groups):
        return []
    explored = yield from _explore(run, groups, n_pieces, draws, rng)
    data, start = explored.chosen(explored.best(1, groups), groups)
    polished = yield from _polish(run, data, start, rng)
    found = (polished.change(group) for group in range(len(groups)))
    return [change for change in found if change]


def _explore(
    run: Run, groups: Groups, n_pieces: int, draws: int, rng: np.random.Generator
) -> Generator[State, None, Pieces]:
    """Draw labels of pieces, from random ones on, or from those of the nearest of a few members.

    Where a single component is split, the first of its splits begins with its least likely
    members, and what comes of that is not drawn but chosen.
    """
    settings = groups.evaluated.settings
    data = GroupedData(groups.repeated(draws + 1), n_pieces)
    pieces = _first_pieces(data, rng)
    is_hot = np.ones(len(data.groups))
    if n_pieces > len(groups.places[0]):
        pieces[: len(groups.rows)] = groups.outlying(settings.tail)
        is_hot[: len(groups)] = 0
    start = data.fitted(pieces, rng, run.workers)
    n_steps, n_kept = _n_steps(data), settings.split_kept
    if draws < n_kept:
        return (yield from _drawn(run, data, start, is_hot, (n_steps, 0), rng))
    rest = n_steps // 2
    explored = yield from _drawn(run, data, start, is_hot, (n_steps, rest), rng)
    places = explored.best(n_kept, groups)
    data, start = explored.chosen(places, groups.repeated(n_kept))
    return (yield from _drawn(run, data, start, is_hot[places], (rest, 0), rng))


def _drawn(
    run: Run,
    data: GroupedData,
    start: MixtureState,
    is_hot: FloatArray,
    left: tuple[int, int],
    rng: np.random.Generator,
) -> Generator[State, None, Pieces]:
    """Draw labels of pieces, until so many iterations are left of those that are left now."""
    settings = data.groups.evaluated.settings
    n_steps = _n_steps(data)
    heat = linear(settings.split_heat * left[0] / n_steps, left[0])
    parts = replace(_parts(drawn(data, is_hot), data.groups.evaluated), temperature=heat)
    return (yield from _learn(run, "BEEM", parts, data, start, left[0] - left[1], rng))


def _n_steps(data: GroupedData) -> int:
    """Return the number of iterations of BEEM."""
    return data.groups.evaluated.settings.split_explore + data.observations.n_features // 4


def _polish(
    run: Run, data: GroupedData, start: MixtureState, rng: np.random.Generator
) -> Generator[State, None, Pieces]:
    evaluated = data.groups.evaluated
    is_weighted, n_steps = evaluated.family.weighted, evaluated.settings.split_polish
    name, assign = ("EM", soft) if is_weighted else ("CEM", argmax)
    parts = _parts(within_groups(data, assign), evaluated)
    return (yield from _learn(run, name, parts, data, start, n_steps, rng))


def _parts(assignment: Assignment, evaluated: EvaluatedMixture) -> Parts:
    """Return the parts of a split: what components have in common stays, if there are several."""
    frozen = evaluated.n_components > 1
    return Parts(assignment, constant(1.0), learned, never, keep, returns_best=False, frozen=frozen)


def _learn(
    run: Run,
    name: str,
    parts: Parts,
    data: GroupedData,
    start: MixtureState,
    n_steps: int,
    rng: np.random.Generator,
) -> Generator[State, None, Pieces]:
    """Run the loop on members of groups, and evaluate the pieces after its last M-step."""
    members = TrainingData(cast(Any, data), data.groups.fitting_weight)
    randomness = Randomness(rng=rng)
    path = Path()
    mixture = yield from learn(
        Run(members, randomness, run.workers, n_steps, settings=run.settings), name, parts, start,
        path=path, pause=length(n_steps - 1),
    )  # fmt: skip
    assert isinstance(mixture, PieceMixture)
    return Pieces.of(data, mixture, path.steps[-1].counts)


def _first_pieces(data: GroupedData, rng: np.random.Generator) -> IntArray:
    """Return pieces by distance where the family has distances, and else random ones."""
    if isinstance(data.observations, Table | Columns) and data.groups.evaluated.family.distances:
        return _nearest(data, rng)
    return rng.integers(data.n_pieces, size=len(data))


def _nearest(data: GroupedData, rng: np.random.Generator) -> IntArray:
    """Return the nearest of a few members that are drawn from each group."""
    groups, rows = data.groups, data.observations.as_vectors()
    spreads = rows.std(axis=0)
    rows = rows / np.where(spreads > 0, spreads, 1.0)
    begins = np.cumsum(groups.sizes) - groups.sizes
    distances = np.empty((data.n_pieces, len(rows)))
    for piece in range(data.n_pieces):
        chosen = begins + (rng.random(len(groups)) * groups.sizes).astype(int)
        distances[piece] = ((rows - rows[chosen][groups.group]) ** 2).sum(axis=1)
    return distances.argmin(axis=0)


def merges(
    run: Run, evaluated: EvaluatedMixture, rng: np.random.Generator
) -> Generator[State, None, list[Change]]:
    """Merge each component with its nearest neighbour; yield the state, return the changes."""
    bank, weights = evaluated.mixture.bank, evaluated.mixture.weights
    groups = Groups.of(evaluated, evaluated.pairs()).with_at_least(bank.family.min_observations)
    if not len(groups):
        return []
    by_weight = [sorted(pair, key=lambda k: -weights[k]) for pair in groups.places]
    start = bank.family.bank([bank.components[stays] for stays, _ in by_weight]).freeze(True)
    membership = Hard(groups.group, len(groups), groups.fitting_weight)
    data, assigned = TrainingData(groups.observations), Kept(membership)
    together = MixtureState(start, groups.weights)
    statistics = summarise(together, data, assigned, run.workers)
    kept = np.zeros(len(start), dtype=bool)
    few = membership.sizes < membership.least_size(bank.family.min_observations)
    fitted = maximise(together, data, statistics, assigned, kept, few, rng, run.workers)
    joint = fitted.log_densities_at(groups.observations, membership)
    joint = joint + np.log(groups.weights[groups.group])
    step = Step(
        "EM", 1, 1.0, float(joint.mean()), membership.counts,
        n_observations=len(joint),
    )  # fmt: skip
    yield together.with_bank(fitted).at(step)
    return [
        Change(
            gain,
            ((stays, component, weight),),
            (goes,),
            (Move("merge", (stays, goes), gain),),
        )
        for gain, (stays, goes), component, weight in zip(
            groups.gains(joint, fitted.log_prior).tolist(), by_weight, fitted.components,
            groups.weights.tolist(), strict=True,
        )
    ]  # fmt: skip
