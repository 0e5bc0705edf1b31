"""Moves: components change places at once, which no step of one observation by one finds.

A move is made between two steps: it is given a mixture, and returns another or the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..families.base import Bank
from .evidence import Evidence, Start
from .history import Step
from .pricing import View, fewest
from .proposals import Proposals
from .randomness import Randomness
from .starts import fit_start, random_split
from .weights import uniform
from .workers import Workers

SEEN = 20_000  # observations by which moves are judged, at most
SEEN_OF_EACH = 500  # observations of a component by which changes to it are priced, at most
LEAST_GAIN = 1e-4  # of the mean score, for a move to be worth it
NEGLIGIBLE = 1e-3  # of that, for steps to be worth it
AFRESH, CHALLENGED = "explore afresh", "explore as the paper does"
SOUND_WITHIN = 3  # times that all explore, until no component is of too few observations


class Scene(NamedTuple):
    """Where a move is made: what there is to learn from, with what, and by which loop."""

    evidence: Evidence
    workers: Workers
    rng: np.random.Generator
    learn: Callable[..., Iterator[Any]]
    origin: Start
    randomness: Randomness
    max_iter: int

    def run(
        self, evidence: Evidence, recipes: Sequence[Any], start: Start, length: int
    ) -> Iterator[Any]:
        """Learn from some of the evidence, in so many steps of each recipe at most."""
        randomness = Randomness.from_seed(int(self.rng.integers(2**63)))
        return self.learn(evidence, recipes, start, randomness, max_iter=length)

    def outcome(self, recipes: Sequence[Any]) -> Any:
        """Return what other recipes come to from where the fit began, as it would by them."""
        for progress in self.learn(
            self.evidence, recipes, self.origin, self.randomness, max_iter=self.max_iter
        ):
            kept = progress.kept
        return kept


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

    Once the score has settled, changes are proposed (see `Proposals`), the most promising first.
    Each is tried for a few steps, and made if it comes to a better score than no change would in
    as many steps. If none does, though some were tried, what a rival comes to from where the fit
    began is taken if it is better; this is asked once. If it is not, all components explore afresh
    and are rearranged in the same way, until they are better, which is taken, or come to the same
    score.

    So the fit never ends lower than the rival, but where the rival's components are not sound, or
    where nothing even seemed worth trying. That tells little of sequences, whose splits settle
    slowly, and where each split is drawn once: then the rival is asked in any case.

    A search takes what `Proposals` take, and 3 (`tries` + 1) trials, each in `length` steps on
    20,000 observations at most. A move takes one search; one that explores afresh, `restarts` times
    as many steps as `explore` has, three times over at most, and 2 K searches at most. The rival
    takes its own steps once, no more of each recipe than the fit's `max_iter`. No component is made
    of fewer observations than twice the number of columns, and one; nor do more lean on a floor
    than did before.

    Parameters
    ----------
    settle : Recipe
        How changes are tried; the score is its.
    explore : Recipe
        How components explore afresh.
    rival : sequence of recipes
        What the fit should be no worse than.
    tolerance : float
        The score has settled when it changes by less.
    tries : int
        How many changes are tried of each kind.
    length : int
        In how many steps.
    draws : int
        How often a component is split at random.
    restarts : int
        How often all explore afresh before the search is given up.
    """

    settle: Any
    explore: Any
    rival: Sequence[Any]
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
        if better is None and (tried or self.draws == 1 or seen.evidence.data.mean_size > 1):
            better = self._challenged(here, steps, seen)
        if better is None and tried:
            better = self._afresh(here, seen)
        if better is None:
            return Start(here.bank, here.weights), ""
        return better.mixture, better.told

    def _search(self, here: Any, scene: Scene) -> tuple[Trial | None, bool]:
        """Return the first change that is worth it, if there is one; and whether any was tried."""
        now = Start(here.bank, here.weights)
        view = View.of(now, scene.evidence).thinned(SEEN_OF_EACH)
        tried = False
        for change in Proposals(view, self.tries, self.draws, scene.rng, scene.workers):
            tried = True
            state = self._settled(change.applied(now), scene, here)
            trial = Trial(state, change.places, change.told)
            if self._is_better(trial, here, scene):
                return trial, tried
        return None, tried

    def _challenged(self, here: Any, steps: Sequence[Step], scene: Scene) -> Trial | None:
        """Return what the rival comes to if that is better, and if it was not asked before."""
        if any(step.move in (AFRESH, CHALLENGED) for step in steps):
            return None
        outcome = scene.outcome(self.rival)
        there = self._settled(Start(outcome.bank, outcome.weights), scene)
        trial = Trial(there, set(range(len(here.bank.components))), CHALLENGED)
        return trial if self._is_better(trial, here, scene, gain=0.0) else None

    def _afresh(self, here: Any, scene: Scene) -> Trial | None:
        """Return a better mixture that all come to if they explore afresh, if there is one."""
        everywhere = set(range(len(here.bank.components)))
        for _ in range(self.restarts):
            there = self._explored(here, scene)
            for _ in range(2 * len(everywhere)):
                trial = Trial(there, everywhere, AFRESH)
                if self._is_better(trial, here, scene):
                    return trial
                better, _ = self._search(there, scene)
                if better is None:
                    break
                there = self._settled(better.mixture, scene)
                if _are_level(there, here):
                    break
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

    def _settled(self, mixture: Start, scene: Scene, before: Any = None) -> Any:
        """Return the state a few steps on; or sooner, if it will not be better than before."""
        lately = -np.inf
        for progress in scene.run(scene.evidence, [self.settle], mixture, self.length):
            state, score = progress.state, progress.state.step.score
            still = (score - lately) * (self.length - state.step.iteration)  # to be gained
            if still < LEAST_GAIN * NEGLIGIBLE * state.step.size:
                break
            if before is not None and score + still < _reached(before, LEAST_GAIN):
                break
            lately = score
        return state

    def _is_better(self, trial: Trial, before: Any, scene: Scene, gain: float = LEAST_GAIN) -> bool:
        """Whether a trial comes to a better score, and all its components are sound."""
        higher = trial.state.step.score > _reached(before, gain)
        return higher and self._is_sound(trial.state, sorted(trial.places), before, scene)

    @staticmethod
    def _is_sound(state: Any, places: Sequence[int], before: Any, scene: Scene) -> bool:
        """Whether components have observations enough, and no more lean on a floor than before."""
        evidence = scene.evidence
        sizes = state.step.counts[places] * (len(evidence) / evidence.total)
        enough = bool(sizes.min() >= fewest(state.bank.family, evidence.data))
        return enough and _leaning(state.bank, places) <= _leaning(before.bank, places)


def _leaning(bank: Bank, places: Sequence[int]) -> int:
    """Return how many of the components in some places lean on a floor."""
    return sum(one.is_degenerate for one in bank.chosen(places).components)


def _are_level(one: Any, other: Any) -> bool:
    """Whether two states have come to the same score, and so to the same mixture most likely."""
    return bool(abs(one.step.score - other.step.score) < LEAST_GAIN * other.step.size)


def _reached(state: Any, gain: float) -> float:
    """Return the score that is better by so much than that of a state."""
    return float(state.step.score + gain * state.step.size)
