"""Moves: components change places at once, which no step of one observation by one finds.

A move is made between two steps: it is given a mixture, and returns another or the same.
"""

from collections.abc import Callable, Iterator, Sequence
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
from .starts import fit_start, random_split
from .weights import uniform
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
SOUND_WITHIN = 3  # times that all explore, until no component is of too few observations


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


@dataclass(frozen=True)
class Rearrange:
    """Take a component from where it is missed least to where it is needed most.

    Once the score has settled, changes are priced (see `pricing`): components are merged with
    their neighbour or removed, and others are split in two, by a small BEEM on their own
    observations or by setting their least likely ones apart (see `dividing`). Splits and what makes
    room for them are put together, the most promising first; each is tried for a few steps, and
    made if it comes to a better score than no change would in as many steps. If none does, what
    two neighbours have is shared out anew in the same way, and then what three have. If that
    does not help either, and there was something to be tried, all components explore afresh and are
    rearranged in the same way, a few times once in a run; the best mixture is taken.

    A search takes K merges and (`draws` + 1) K splits, as many of pairs and of triples, all of a
    kind at once, on 500 observations of a component at most, in `EXPLORE` and `SETTLE` steps; and 3
    (`tries` + 1) trials, each in `length` steps on 20,000 observations at most. A move takes one
    search; those after exploring afresh take `restarts` times `explore`, and at most 2 K searches
    each. No component is made of fewer observations than twice the number of columns, and one; nor
    do more lean on a floor than did before.

    Parameters
    ----------
    settle : Recipe
        How changes are tried; the score is its.
    explore : Recipe
        How components explore afresh.
    tolerance : float
        The score has settled when it changes by less.
    tries : int
        How many changes are tried of each kind.
    length : int
        In how many steps.
    draws : int
        How often a component is split at random.
    restarts : int
        How often all explore afresh.
    """

    settle: Any
    explore: Any
    tolerance: float
    tries: int
    length: int
    draws: int
    restarts: int

    def __call__(
        self, mixture: Start, steps: Sequence[Step], scene: Scene
    ) -> tuple[Start, str | None]:
        if len(mixture.bank.components) == 1:
            return mixture, ""
        if not has_settled(steps, self.tolerance):
            return mixture, None
        seen = scene._replace(evidence=scene.evidence.thinned(SEEN))
        here = self._settled(mixture, seen)
        better, tried = self._search(here, seen)
        if better is None and tried:
            better = self._afresh(here, seen)
        if better is None:
            return Start(here.bank, here.weights), ""
        return better.mixture, better.told

    def _search(self, here: Any, scene: Scene) -> tuple[Trial | None, bool]:
        """Return the first change that is worth it, if there is one; and whether any was tried."""
        now = Start(here.bank, here.weights)
        view = View.of(now, scene.evidence).thinned(SEEN_OF_EACH)
        merges = view.merged(scene.rng, scene.workers)
        close = self._close_pairs(view, merges)
        tried = False
        for changes in self._changes(view, merges, close, scene):
            for change in changes:
                tried = True
                state = self._settled(change.applied(now), scene, here)
                trial = Trial(state, change.places, change.told)
                if self._is_better(trial, here, scene):
                    return trial, tried
        return None, tried

    def _afresh(self, here: Any, scene: Scene) -> Trial | None:
        """Return a better mixture that all come to if they explore afresh, if there is one."""
        everywhere = set(range(len(here.bank.components)))
        for _ in range(self.restarts):
            there = self._explored(here, scene)
            for _ in range(2 * len(everywhere)):
                better, _ = self._search(there, scene)
                if better is None:
                    break
                there = self._settled(better.mixture, scene)
            trial = Trial(there, everywhere, "explore afresh")
            if self._is_better(trial, here, scene):
                return trial
        return None

    def _explored(self, here: Any, scene: Scene) -> Any:
        """Return what all come to if they explore from a random split; sound, if that can be."""
        data, sample_weight, known = scene.evidence.everything
        bank, rng = here.bank, scene.rng
        for _ in range(SOUND_WITHIN):
            split = random_split(data, len(bank.components), rng, sample_weight)
            fresh = fit_start(data, bank.family, split, uniform, rng, scene.workers, known)
            start = Start(bank.replaced(dict(enumerate(fresh.bank.components))), here.weights)
            for progress in scene.run(scene.evidence, [self.explore], start, self.explore.length):
                kept = progress.kept
            there = self._settled(Start(kept.bank, kept.weights), scene)
            if self._is_sound(there, range(len(bank.components)), here, scene):
                break
        return there

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

    def _is_better(self, trial: Trial, rival: Any, scene: Scene) -> bool:
        """Whether a trial comes to a better score, and all its components are sound."""
        higher = trial.state.step.score > _reached(rival, LEAST_GAIN)
        return higher and self._is_sound(trial.state, sorted(trial.places), rival, scene)

    @staticmethod
    def _is_sound(state: Any, places: Sequence[int], before: Any, scene: Scene) -> bool:
        """Whether components have observations enough, and no more lean on a floor than before."""
        evidence = scene.evidence
        sizes = state.step.counts[places] * (len(evidence) / evidence.total)
        enough = bool(sizes.min() >= fewest(state.bank.family, evidence.data))
        return enough and leaning(state.bank, places) <= leaning(before.bank, places)

    def _changes(
        self, view: View, merges: list[Change], close: list[Places], scene: Scene
    ) -> Iterator[list[Change]]:
        """Yield the most promising changes of each kind; two share anew at least once."""
        if view.n_components > 2:  # of two, to remove one and split the other is to share out anew
            yield self._ranked(*self._relocations(view, merges, scene), view, "moved")
        closest = [tuple(sorted(one.places)) for one in sorted(merges, key=_loss)[:1]]
        for groups in (close or closest, view.neighbours(3)):
            splits = self._splits(view, groups, scene)
            yield self._ranked(splits, splits, view, "shared out anew")

    def _relocations(
        self, view: View, merges: list[Change], scene: Scene
    ) -> tuple[list[Change], list[Change]]:
        """Return changes that take a component from somewhere, and put it somewhere else.

        Those that come first all take the one that is missed least; the others can be made
        together.
        """
        rooms = sorted([*merges, *view.removed()], key=_loss)
        splits = self._splits(view, [(k,) for k in range(view.n_components)], scene)
        first, apart = [], []
        used: set[int] = set()
        for split in sorted(splits, key=_loss):
            if room := _clear_of(split.places, rooms):
                first.append(room & split)
            if not split.places & used and (room := _clear_of(split.places | used, rooms)):
                apart.append(room & split)
                used |= apart[-1].places
        return first, apart

    def _close_pairs(self, view: View, merges: list[Change]) -> list[Places]:
        """Return pairs of components that overlap, or that are worth little more than one.

        In many dimensions components hardly overlap even if they are wrong.
        """
        little = ALIKE * _n_parameters(view.mixture.bank)
        alike = [tuple(sorted(one.places)) for one in merges if _loss(one) < little]
        return sorted({*view.neighbours(2), *alike})

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

    def _ranked(
        self, changes: list[Change], jointly: list[Change], view: View, kind: str
    ) -> list[Change]:
        """Return the most promising: all together that gain and can be, then one by one."""
        each = LOSS_OF_EACH[kind] * view.evidence.data.mean_size
        most = _n_parameters(view.mixture.bank) + each * view.total
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


def leaning(bank: Bank, places: Sequence[int]) -> int:
    """Return how many of the components in some places lean on a floor."""
    return sum(one.leans for one in bank.chosen(places).components)


def _reached(state: Any, gain: float) -> float:
    """Return the score that is better by so much than that of a state."""
    return float(state.step.score + gain * state.step.size)
