"""Moves: components change places at once, which no step of one observation by one finds.

A move is made between two steps: it is given a mixture, and returns another or the same.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from typing import Any, NamedTuple

import numpy as np

from ..data import FloatArray, Hard, IntArray
from .evidence import Evidence, Start
from .history import Step
from .pricing import LEAST_SHARE, Change, Part, View
from .randomness import Randomness
from .starts import fit_start, random_split
from .weights import learned
from .workers import Workers

SEEN = 20_000  # observations by which moves are judged, at most
LEAST_GAIN = 1e-4  # of the mean score, for a move to be worth it
STALE = 0.05  # nats by which what a component makes of its own may differ before it is split anew
DRAWS = 3  # how often a component is split at random in a search
SEARCHES = 3  # how often it is looked for moves while there is hope
HOPELESS = 5e-3  # of the mean score, by which a change may lower it at once and still be tried
LUCK = 4.0  # times what a split gained at first, it may gain if it is made again
TAIL = 0.1  # of a component's observations, the least likely ones, which may be another cluster


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


class Priced(NamedTuple):
    """Splits that were priced, and what the components concerned made of everybody then."""

    columns: FloatArray
    changes: list[Change]

    def holds(self, now: FloatArray, rows: IntArray) -> bool:
        """Whether the components have hardly changed, by what they make of some observations."""
        with np.errstate(invalid="ignore"):
            moved = np.nan_to_num(now - self.columns[rows])
        return bool(np.abs(moved).mean() < STALE)


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

    explore: tuple[Any, Any]
    settle: Any
    tolerance: float
    tries: int
    length: int
    _priced: dict[tuple[int, ...], Priced] = field(default_factory=dict)

    def __call__(
        self, mixture: Start, steps: Sequence[Step], scene: Scene
    ) -> tuple[Start, str | None]:
        if len(mixture.bank.components) == 1:
            return mixture, ""
        if not has_settled(steps, self.tolerance):
            return mixture, None
        seen = scene.evidence.thinned(SEEN)
        rival = self._settled(mixture, seen, scene)
        view = View.of(Start(rival.bank, rival.weights), seen)
        for _ in range(SEARCHES):
            hopeful = False
            for changes in (self._relocations, self._new_borders):
                for change in _ranked(changes(view, scene), view, self.tries):
                    hopeful = True
                    trial = self._settled(change.applied(view.mixture), seen, scene, rival)
                    if self._is_better(trial, rival, change, view):
                        return Start(trial.bank, trial.weights), change.told
            if not hopeful:
                break
            self._priced.clear()
        return view.mixture, ""

    def _settled(self, mixture: Start, seen: Evidence, scene: Scene, rival: Any = None) -> Any:
        """Return the state a few steps on; or sooner, if it will not come up to its rival."""
        before = -np.inf
        for progress in scene.run(seen, [self.settle], mixture, self.length):
            state, score = progress.state, progress.state.step.score
            left = self.length - state.step.iteration
            if rival is not None and (score - before) * left < rival.step.score - score:
                break
            before = score
        return state

    @staticmethod
    def _is_better(trial: Any, rival: Any, change: Change, view: View) -> bool:
        places = sorted(change.places)
        return bool(
            trial.step.score > rival.step.score + LEAST_GAIN * trial.step.size
            and trial.step.counts[places].min() >= view.fewest
            and not any(trial.bank.components[place].leans for place in places)
        )

    def _relocations(self, view: View, scene: Scene) -> Iterator[Change]:
        """Yield changes that take a component from somewhere, and put it somewhere else."""
        making_room = [one for pair in view.pairs() for one in view.merged(pair, scene.rng)]
        making_room += [view.removed(k) for k in range(view.n_components)]
        making_room.sort(key=lambda change: -change.gain)
        for k in range(view.n_components):
            room = next((one for one in making_room if k not in one.places), None)
            if room is not None:
                for split in self._splits(view, (k,), -room.gain - _allowance(view), scene):
                    yield room & split

    def _new_borders(self, view: View, scene: Scene) -> Iterator[Change]:
        """Yield changes that share out anew what two neighbours have."""
        for pair in view.pairs():
            if view.overlap(pair) > LEAST_SHARE:
                yield from self._splits(view, pair, -np.inf, scene)

    def _splits(
        self, view: View, places: tuple[int, ...], needed: float, scene: Scene
    ) -> list[Change]:
        """Return splits of what one or two components have; those of before, if they hold.

        Where the first ones are far from the gain that is needed, there are no more.
        """
        part, columns = view.part(places), view.joint[:, places]
        if 2 * view.fewest > min(part.total, len(part.rows)):
            return []
        before = self._priced.get(places)
        if before is not None and before.holds(columns[part.rows], part.rows):
            return before.changes
        changes = []
        for halves, recipes in self._halves(view, places, part, scene):
            start = fit_start(
                part.evidence.data, view.mixture.bank.components[places[0]], halves, learned,
                scene.rng, scene.workers,
            )  # fmt: skip
            for progress in scene.run(part.evidence, recipes, start, self.length):
                two = progress.kept
            sound = not any(component.leans for component in two.bank.components)
            if sound and two.weights.min() * part.total >= view.fewest:
                changes.append(view.divided(places, part, Start(two.bank, two.weights)))
            if LUCK * max((change.gain for change in changes), default=0.0) < needed:
                break
        self._priced[places] = Priced(columns, changes)
        return changes

    def _halves(
        self, view: View, places: tuple[int, ...], part: Part, scene: Scene
    ) -> Iterator[tuple[Hard, tuple[Any, ...]]]:
        """Yield first halves of a part, and what recipes shall make of them."""
        data, weights, _ = part.evidence.everything
        for _ in range(DRAWS):
            yield random_split(data, 2, scene.rng, weights), self.explore
        if len(places) == 1:
            values = view.mixture.bank.components[places[0]].log_prob(data)
            n_far = max(int(TAIL * len(data)), view.fewest)
            labels = np.zeros(len(data), dtype=np.int32)
            labels[np.argsort(values, kind="stable")[:n_far]] = 1
            yield Hard(labels, 2, weights), self.explore[1:]


def _ranked(changes: Iterable[Change], view: View, most: int) -> list[Change]:
    """Return the most promising changes: all together that gain and can be, then one by one."""
    hopeful = (change for change in changes if change.gain > -_allowance(view))
    ranked = sorted(hopeful, key=lambda change: -change.gain)[:most]
    together: list[Change] = []
    for change in ranked:
        if change.gain > 0 and not any(change.places & other.places for other in together):
            together.append(change)
    return [reduce(and_, together), *ranked] if len(together) > 1 else ranked


def _allowance(view: View) -> float:
    """Return by how much a change may lower the likelihood at once and still be tried."""
    return HOPELESS * view.evidence.total * view.evidence.data.mean_size
