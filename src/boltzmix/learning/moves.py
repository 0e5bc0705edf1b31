"""Moves: components change places at once, which no step of one observation by one finds.

A move is made between two steps: it is given a mixture, and returns another or the same.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any, NamedTuple

import numpy as np

from .evidence import Evidence, Start
from .history import Step
from .dividing import Division
from .pricing import Change, Holdings, Places, View
from .randomness import Randomness
from .workers import Workers

SEEN = 20_000  # observations by which moves are judged, at most
SEEN_OF_EACH = 500  # observations of a component by which changes to it are priced, at most
LEAST_GAIN = 1e-4  # of the mean score, for a move to be worth it
SEARCHES = 3  # how often it is looked for moves while there is hope
HOPELESS = 5e-3  # of the mean score, by which a change may lower it at once and still be tried
TAIL = 0.1  # of a component's observations, the least likely ones, which may be another cluster
EXPLORE = 12
SETTLE = 8


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


@dataclass
class Rearrange:
    """Take a component from where it is missed least to where it is needed most.

    Once the score has settled, changes are priced (see `pricing`): components are merged with
    their neighbour or removed, and others are split in two, by a small BEEM on their own
    observations or by setting their least likely ones apart. Splits and what makes room for them
    are put together, the most promising first; each is tried for a few steps, and made if it comes
    to a better score than no change would in as many steps. If none does, what two neighbours
    have is shared out anew in the same way. If that helps neither, it is looked again with other
    random numbers, three times in all, but only while some change comes close.

    A search takes at most K merges, 4 K splits and K pairs shared out anew three times, each on 500
    observations of a component at most, in `length` steps of each recipe; and 2 (`tries` + 1)
    trials, each in `length` steps on 20,000 observations at most. Splits of components that have
    not changed since the search before are not made again at first. No component is made of fewer
    observations than twice the number of columns, and one, nor one that leans on a floor.

    Parameters
    ----------
    explore : tuple of two recipes
        How a component is split, and how the halves are then fitted.
    settle : Recipe
        How changes are tried; the score is its.
    tolerance : float
        The score has settled when it changes by less.
    tries : int
        How many changes are tried of each kind.
    length : int
        In how many steps.
    """

    settle: Any
    tolerance: float
    tries: int
    length: int
    draws: int

    def __call__(
        self, mixture: Start, steps: Sequence[Step], scene: Scene
    ) -> tuple[Start, str | None]:
        if len(mixture.bank.components) == 1:
            return mixture, ""
        if not has_settled(steps, self.tolerance):
            return mixture, None
        seen = scene.evidence.thinned(SEEN)
        rival = self._settled(mixture, seen, scene)
        now = Start(rival.bank, rival.weights)
        view = View.of(now, seen).thinned(SEEN_OF_EACH)
        for _ in range(SEARCHES):
            hopeful = False
            for changes in (self._relocations, self._new_borders, self._new_corners):
                for change in _ranked(changes(view, scene), view, self.tries):
                    hopeful = True
                    trial = self._settled(change.applied(now), seen, scene, rival)
                    if self._is_better(trial, rival, change, view):
                        return Start(trial.bank, trial.weights), change.told
            if not hopeful:
                break
        return now, ""

    def _settled(self, mixture: Start, seen: Evidence, scene: Scene, rival: Any = None) -> Any:
        """Return the state a few steps on; or sooner, if it will not come up to its rival."""
        before = -np.inf
        for progress in scene.run(seen, [self.settle], mixture, self.length):
            state, score = progress.state, progress.state.step.score
            left = self.length - state.step.iteration
            if rival is not None and score + (score - before) * left < _wanted(rival):
                break
            before = score
        return state

    @staticmethod
    def _is_better(trial: Any, rival: Any, change: Change, view: View) -> bool:
        places = sorted(change.places)
        return bool(
            trial.step.score > _wanted(rival)
            and trial.step.counts[places].min() >= view.fewest
            and not any(trial.bank.components[place].leans for place in places)
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
        """Return changes that share out anew what two neighbours have."""
        return self._splits(view, view.neighbours(2), scene)

    def _new_corners(self, view: View, scene: Scene) -> list[Change]:
        """Return changes that share out anew what three neighbours have."""
        return self._splits(view, view.neighbours(3), scene)

    def _splits(self, view: View, groups: Sequence[Places], scene: Scene) -> list[Change]:
        """Return the best sound split of each group."""
        if not groups:
            return []
        n_pieces = max(len(groups[0]), 2)
        own = Holdings.of(view, groups)
        fewest = np.minimum(own.totals, own.sizes) / n_pieces
        groups = [members for members, size in zip(groups, fewest) if size >= view.fewest]
        if not groups:
            return []
        own = Holdings.of(view, groups).repeated(self.draws + 1)
        labels = scene.rng.integers(n_pieces, size=len(own.rows))
        hot = np.ones(len(own.groups), dtype=bool)
        if len(groups[0]) == 1:
            hot[:len(groups)] = False
            first = own.group < len(groups)
            labels[first] = own.outlying(first, TAIL)
        pieces = Division(own, n_pieces, scene.rng, scene.workers).run(labels, hot, EXPLORE, SETTLE)
        changes = []
        gains = pieces.gains.reshape(-1, len(groups))
        for g in range(len(groups)):
            for draw in np.argsort(-gains[:, g], kind="stable"):
                change = pieces.change(draw * len(groups) + g)
                if change is not None:
                    changes.append(change)
                    break
        return changes


def _wanted(rival: Any) -> float:
    """Return the score from which on a change is better than none."""
    return float(rival.step.score + LEAST_GAIN * rival.step.size)


def _ranked(changes: Iterable[Change], view: View, most: int) -> list[Change]:
    """Return the most promising changes: all together that gain and can be, then one by one."""
    least = -HOPELESS * view.total * view.evidence.data.mean_size
    hopeful = (change for change in changes if change.gain > least)
    ranked = sorted(hopeful, key=lambda change: -change.gain)[:most]
    together: list[Change] = []
    for change in ranked:
        if change.gain > 0 and not any(change.places & other.places for other in together):
            together.append(change)
    return [reduce(and_, together), *ranked] if len(together) > 1 else ranked
