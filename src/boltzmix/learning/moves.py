"""Moves: components change places at once, which no step of one observation by one finds.

A move is made between two steps: it is given a mixture, and returns another or the same.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any, NamedTuple

import numpy as np

from ..families.base import Bank
from .dividing import Division
from .evidence import Evidence, Start
from .history import Step
from .pricing import Change, Holdings, Places, View, fewest
from .randomness import Randomness
from .workers import Workers

SEEN = 20_000  # observations by which moves are judged, at most
SEEN_OF_EACH = 500  # observations of a component by which changes to it are priced, at most
LEAST_GAIN = 1e-4  # of the mean score, for a move to be worth it
NEGLIGIBLE = 1e-3  # of that, for steps to be worth it
ALIKE = 6  # nats for each parameter of a component, that two are not worth more than one
# nats by which a change may lower the likelihood at once and still be tried: one for each parameter
# of a component, and so many for each observation
LOSS_OF_EACH = {"moved": 3e-3, "shared out anew": 5e-4}
FEW_PARAMETERS = 6  # where a family does not say how many it has
TAIL = 0.1  # of a component's observations, the least likely ones, which may be another cluster
EXPLORE, SETTLE = 12, 8  # steps in which components are split; in four columns, one more to explore
DETOUR_LENGTH = 3  # moves in a row that may follow one that is not worth it


class Scene(NamedTuple):
    """Where a move is made: what there is to learn from, with what, and by which loop."""

    evidence: Evidence
    workers: Workers
    rng: np.random.Generator
    learn: Callable[..., Iterator[Any]]

    def run(
        self, evidence: Evidence, recipes: Sequence[Any], start: Start, length: int
    ) -> Iterator[Any]:
        """Learn from some of the evidence, in so many steps of each recipe at most."""
        randomness = Randomness.from_seed(int(self.rng.integers(2**63)))
        return self.learn(evidence, recipes, start, randomness, max_iter=length)


Move = Callable[[Start, Sequence[Step], Scene], tuple[Start, str | None]]


def has_settled(steps: Sequence[Step], tolerance: float) -> bool:
    """Whether the score changed by less than a tolerance at the last step."""
    last = [step.score for step in steps[-2:]]
    return len(last) == 2 and abs(last[1] - last[0]) <= tolerance * steps[-1].size


def stay(mixture: Start, steps: Sequence[Step], scene: Scene) -> tuple[Start, str | None]:
    """Move nothing."""
    return mixture, None


class Trial(NamedTuple):
    """What a change of some places came to in a few steps."""

    state: Any
    places: set[int]
    told: str

    @property
    def mixture(self) -> Start:
        """Components and weights."""
        return Start(self.state.bank, self.state.weights)

    def then(self, other: "Trial") -> "Trial":
        """Return what this and then the other change came to."""
        return Trial(other.state, self.places | other.places, f"{self.told}, then {other.told}")


@dataclass(frozen=True)
class Rearrange:
    """Take a component from where it is missed least to where it is needed most.

    Once the score has settled, changes are priced (see `pricing`): components are merged with
    their neighbour or removed, and others are split in two, by a small BEEM on their own
    observations or by setting their least likely ones apart (see `dividing`). Splits and what makes
    room for them are put together, the most promising first; each is tried for a few steps, and
    made if it comes to a better score than no change would in as many steps. If none does, what
    two neighbours have is shared out anew in the same way, and then what three have. If that
    does not help either, the changes that came closest are followed by others, which may together
    be worth it.

    A search takes K merges and (`draws` + 1) K splits, as many of pairs and of triples, all of a
    kind at once, on 500 observations of a component at most, in `EXPLORE` and `SETTLE` steps; and 3
    (`tries` + 1) trials, each in `length` steps on 20,000 observations at most. A move takes one
    search, and `detours` times `DETOUR_LENGTH` more at most. No component is made of fewer
    observations than twice the number of columns, and one, nor one that leans on a floor.

    Parameters
    ----------
    settle : Recipe
        How changes are tried; the score is its.
    tolerance : float
        The score has settled when it changes by less.
    tries : int
        How many changes are tried of each kind.
    length : int
        In how many steps.
    draws : int
        How often a component is split at random.
    detours : int
        How many changes that are not worth it are followed.
    """

    settle: Any
    tolerance: float
    tries: int
    length: int
    draws: int
    detours: int

    def __call__(
        self, mixture: Start, steps: Sequence[Step], scene: Scene
    ) -> tuple[Start, str | None]:
        if len(mixture.bank.components) == 1:
            return mixture, ""
        if not has_settled(steps, self.tolerance):
            return mixture, None
        seen = scene._replace(evidence=scene.evidence.thinned(SEEN))
        here = self._settled(mixture, seen)
        better, worse = self._search(here, seen)
        if better is None:
            better = self._by_detour(here, worse, seen)
        if better is None:
            return Start(here.bank, here.weights), ""
        return better.mixture, better.told

    def _search(self, here: Any, scene: Scene) -> tuple[Trial | None, list[Trial]]:
        """Return the first change that is worth it, if there is one; and those that are not."""
        now = Start(here.bank, here.weights)
        view = View.of(now, scene.evidence).thinned(SEEN_OF_EACH)
        worse: list[Trial] = []
        for changes, kind in [
            (self._relocations, "moved"),
            (self._new_borders, "shared out anew"),
            (self._new_corners, "shared out anew"),
        ]:
            for change in self._ranked(changes(view, scene), view, LOSS_OF_EACH[kind]):
                state = self._settled(change.applied(now), scene, here)
                trial = Trial(state, change.places, change.told)
                if self._is_better(trial, here, scene):
                    return trial, worse
                worse.append(trial)
        return None, worse

    def _by_detour(self, here: Any, worse: list[Trial], scene: Scene) -> Trial | None:
        """Return what changes that are not worth it lead to, if that is."""
        apart = [trial for trial in worse if trial.state.step.score < _reached(here, -LEAST_GAIN)]
        apart.sort(key=lambda trial: -trial.state.step.score)
        for trial in apart[: self.detours]:
            there = self._settled(trial.mixture, scene)
            if there.step.score > _reached(here, -LEAST_GAIN):
                continue
            for _ in range(DETOUR_LENGTH):
                better, _ = self._search(there, scene)
                if better is None:
                    break
                trial = trial.then(better)
                if self._is_better(trial, here, scene):
                    return trial
                there = self._settled(trial.mixture, scene)
        return None

    def _settled(self, mixture: Start, scene: Scene, rival: Any = None) -> Any:
        """Return the state a few steps on; or sooner, if it will not be better than its rival."""
        before = -np.inf
        for progress in scene.run(scene.evidence, [self.settle], mixture, self.length):
            state, score = progress.state, progress.state.step.score
            still = (score - before) * (self.length - state.step.iteration)  # to be gained
            if still < LEAST_GAIN * NEGLIGIBLE * state.step.size:
                break
            if rival is not None and score + still < _reached(rival, LEAST_GAIN):
                break
            before = score
        return state

    @staticmethod
    def _is_better(trial: Trial, rival: Any, scene: Scene) -> bool:
        """Whether a trial comes to a better score, and all its components are sound."""
        state, places, evidence = trial.state, sorted(trial.places), scene.evidence
        sizes = state.step.counts[places] * (len(evidence) / evidence.total)
        return bool(
            state.step.score > _reached(rival, LEAST_GAIN)
            and sizes.min() >= fewest(state.bank.family, evidence.data)
            and not any(one.leans for one in state.bank.chosen(places).components)
        )

    def _relocations(self, view: View, scene: Scene) -> Iterator[Change]:
        """Yield changes that take a component from somewhere, and put it somewhere else."""
        making_room = [*view.merged(scene.rng, scene.workers), *view.removed()]
        making_room.sort(key=lambda change: -change.gain)
        for split in self._splits(view, [(k,) for k in range(view.n_components)], scene):
            room = next((one for one in making_room if not split.places & one.places), None)
            if room is not None:
                yield room & split

    def _new_borders(self, view: View, scene: Scene) -> list[Change]:
        """Return changes that share out anew what two neighbours have.

        In many dimensions components hardly overlap even if they are wrong, so those are
        neighbours too that are worth little more together than one of them.
        """
        little = -ALIKE * _n_parameters(view.mixture.bank)
        merges = view.merged(scene.rng, scene.workers)
        alike = [tuple(sorted(one.places)) for one in merges if one.gain > little]
        return self._splits(view, sorted({*view.neighbours(2), *alike}), scene)

    def _new_corners(self, view: View, scene: Scene) -> list[Change]:
        """Return changes that share out anew what three neighbours have."""
        return self._splits(view, view.neighbours(3), scene)

    def _splits(self, view: View, groups: Sequence[Places], scene: Scene) -> list[Change]:
        """Return the best sound split of each group; a single component is split in two."""
        n_pieces = max((2, *map(len, groups)))
        own = Holdings.of(view, groups).with_at_least(n_pieces * view.fewest)
        if not own.groups:
            return []
        division = Division(own, self.draws + 1, n_pieces, scene.rng, scene.workers)
        division.explore(
            steps=EXPLORE + view.evidence.data.n_features // 4,
            tail=TAIL if n_pieces > len(own.groups[0]) else 0.0,
        )
        best = division.best()
        best.settle(SETTLE)
        pieces = best.pieces()
        return [change for change in map(pieces.change, range(len(own.groups))) if change]

    def _ranked(self, changes: Iterable[Change], view: View, loss_of_each: float) -> list[Change]:
        """Return the most promising: all together that gain and can be, then one by one."""
        each = loss_of_each * view.evidence.data.mean_size
        least = -_n_parameters(view.mixture.bank) - each * view.total
        hopeful = (change for change in changes if change.gain > least)
        ranked = sorted(hopeful, key=lambda change: -change.gain)[: self.tries]
        together: list[Change] = []
        for change in ranked:
            if change.gain > 0 and not any(change.places & other.places for other in together):
                together.append(change)
        return [reduce(and_, together), *ranked] if len(together) > 1 else ranked


def _n_parameters(bank: Bank) -> float:
    """Return the number of parameters of a component, or a few where it is not known."""
    try:
        return bank.n_parameters / len(bank.components)
    except NotImplementedError:
        return FEW_PARAMETERS


def _reached(state: Any, gain: float) -> float:
    """Return the score that is better by so much than that of a state."""
    return float(state.step.score + gain * state.step.size)
