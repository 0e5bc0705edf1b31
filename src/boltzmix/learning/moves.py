"""Moves: components change places at once, which no step of one observation by one finds.

A move is made between two steps: it is given a mixture, and returns another or the same.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from typing import Any, NamedTuple

import numpy as np

from ..data import FloatArray, Hard
from .evidence import Evidence, Start
from .history import Step
from .pricing import Change, Part, View
from .randomness import Randomness
from .starts import fit_start, random_split
from .weights import learned
from .workers import Workers

SEEN = 20_000  # observations by which moves are judged, at most
LEAST_GAIN = 1e-4  # of the mean score, for a move to be worth it
STALE = 0.05  # nats by which what a component makes of its own may differ before it is split anew
DRAWS = 2  # how often a component is split at random
TAIL = 0.1  # of a component's observations, the least likely ones, which may be another cluster


class Scene(NamedTuple):
    """Where a move is made: what there is to learn from, with what, and by which loop."""

    evidence: Evidence
    workers: Workers
    rng: np.random.Generator
    learn: Callable[..., Iterator[Any]]


Move = Callable[[Start, Sequence[Step], Scene], tuple[Start, str | None]]


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
    have is shared out anew in the same way. If that helps neither, everything is priced once more
    with other random numbers, and then the search is over.

    A search takes at most 3 K splits and K merges, and as many pairs are shared out anew twice:
    each on 500 observations of a component at most, in `length` steps of each recipe. At most
    2 (`tries` + 1) changes are tried, each in `length` steps on 20,000 observations at most. A
    search that found nothing at first is made twice. Splits of components that have not changed
    since the search before are not priced again. No component is made of fewer observations than
    twice the number of columns, and one.

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
    _priced: dict[tuple[int, ...], tuple[FloatArray, list[Change]]] = field(default_factory=dict)

    def __call__(
        self, mixture: Start, steps: Sequence[Step], scene: Scene
    ) -> tuple[Start, str | None]:
        if len(mixture.bank.components) == 1:
            return mixture, ""
        last = [step.score for step in steps[-2:]]
        if len(last) < 2 or abs(last[1] - last[0]) > self.tolerance * steps[-1].size:
            return mixture, None
        seen = scene.evidence.thinned(SEEN)
        rival = self._settled(mixture, seen, scene)
        view = View.of(Start(rival.bank, rival.weights), seen)
        for search in range(2):
            for changes in (self._relocations, self._new_borders):
                for change in _ranked(changes(view, scene), self.tries):
                    trial = self._settled(change.applied(view.mixture), seen, scene, rival)
                    if self._is_better(trial, rival, change, view):
                        return Start(trial.bank, trial.weights), change.told
            if search == 0:
                self._priced.clear()
        return view.mixture, ""

    def _settled(self, mixture: Start, seen: Evidence, scene: Scene, rival: Any = None) -> Any:
        """Return the state a few steps on; or sooner, if it will not come up to its rival."""
        before = -np.inf
        for progress in self._learned(seen, (self.settle,), mixture, scene):
            state, score = progress.state, progress.state.step.score
            left = self.length - state.step.iteration
            if rival is not None and (score - before) * left < rival.step.score - score:
                break
            before = score
        return state

    @staticmethod
    def _is_better(trial: Any, rival: Any, change: Change, view: View) -> bool:
        enough = trial.step.counts[sorted(change.places)].min() >= view.fewest
        return bool(enough and trial.step.score > rival.step.score + LEAST_GAIN * trial.step.size)

    def _relocations(self, view: View, scene: Scene) -> Iterator[Change]:
        """Yield changes that take a component from somewhere, and put it somewhere else."""
        making_room = [one for pair in view.pairs() for one in view.merged(pair, scene.rng)]
        making_room += [view.removed(k) for k in range(view.n_components)]
        making_room.sort(key=lambda change: -change.gain)
        for k in range(view.n_components):
            for split in self._splits(view, (k,), scene):
                for room in making_room:
                    if not room.places & split.places:
                        yield room & split
                        break

    def _new_borders(self, view: View, scene: Scene) -> Iterator[Change]:
        """Yield changes that share out anew what two neighbours have."""
        for pair in view.pairs():
            yield from self._splits(view, pair, scene)

    def _splits(self, view: View, places: tuple[int, ...], scene: Scene) -> list[Change]:
        """Return splits of what one or two components have, those of the last search if valid."""
        part, columns = view.part(places), view.joint[:, places]
        if 2 * view.fewest > min(part.total, len(part.rows)):
            return []
        if places in self._priced:
            before, changes = self._priced[places]
            with np.errstate(invalid="ignore"):
                moved = np.nan_to_num(columns[part.rows] - before[part.rows])
            if np.abs(moved).mean() < STALE:
                return changes
        changes = []
        for halves, recipes in self._halves(view, places, part, scene):
            start = fit_start(
                part.evidence.data, view.mixture.bank.components[places[0]], halves, learned,
                scene.rng, scene.workers,
            )  # fmt: skip
            for progress in self._learned(part.evidence, recipes, start, scene):
                two = progress.kept
            if two.weights.min() * part.total >= view.fewest:
                changes.append(view.divided(places, part, Start(two.bank, two.weights)))
        self._priced[places] = columns, changes
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
            labels = np.zeros(len(data), dtype=np.int32)
            labels[np.argsort(values, kind="stable")[: max(int(TAIL * len(data)), view.fewest)]] = 1
            yield Hard(labels, 2, weights), self.explore[1:]

    def _learned(
        self, evidence: Evidence, recipes: tuple[Any, ...], start: Start, scene: Scene
    ) -> Iterator[Any]:
        randomness = Randomness.from_seed(int(scene.rng.integers(2**63)))
        return scene.learn(evidence, recipes, start, randomness, max_iter=self.length)


def _ranked(changes: Iterable[Change], most: int) -> list[Change]:
    """Return the most promising changes: all together that gain and can be, then one by one."""
    ranked = sorted(changes, key=lambda change: -change.gain)[:most]
    together: list[Change] = []
    for change in ranked:
        if change.gain > 0 and not any(change.places & other.places for other in together):
            together.append(change)
    return [reduce(and_, together), *ranked] if len(together) > 1 else ranked
