"""Moves: components change places at once, which no step of one observation by one finds.

A move is made between two steps: it is given a mixture, and returns another or the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any, NamedTuple

import numpy as np

from ..data import FloatArray, Hard, IntArray
from ..families.base import Family
from .assignment import best_component, classification, log_likelihood
from .evidence import Evidence, Start
from .history import Step
from .initialisation import fit_start, random_split
from .known_labels import confined
from .randomness import Randomness
from .weights import learned
from .workers import Workers

Learn = Callable[..., Iterator[Any]]


class Scene(NamedTuple):
    """Where a move is made: what there is to learn from, with what, and by which loop."""

    evidence: Evidence
    workers: Workers
    rng: np.random.Generator
    learn: Learn


Move = Callable[[Start, Sequence[Step], Scene], tuple[Start, str | None]]


def stay(mixture: Start, steps: Sequence[Step], scene: Scene) -> tuple[Start, str | None]:
    """Move nothing."""
    return mixture, None


LEAST_SHARE = 0.01  # of an observation, for it to count as a component's
SEEN, SEEN_OF_EACH = 20_000, 500  # observations by which moves are judged, and priced, at most
LEAST_GAIN = 1e-5  # of the mean score, for a move to be worth it


class Part(NamedTuple):
    """What some components have of the observations.

    Parameters
    ----------
    rows : array of int
        Which observations these are: some of them evenly taken, if they are many.
    evidence : Evidence
        The observations, weighted by these components' shares where the family takes weights.
    thinning : float
        How many observations each of them stands for.
    """

    rows: IntArray
    evidence: Evidence
    thinning: float

    @property
    def total(self) -> float:
        """How many observations there are of these components."""
        return self.evidence.total * self.thinning


class Change(NamedTuple):
    """New components in the places of old ones.

    Parameters
    ----------
    gain : float
        By how much the log-likelihood of all observations rises at once.
    components : dict
        What comes to a place: a component and its weight. Place `FREE` is any that is free.
    freed : tuple of int
        Places that nothing comes to.
    told : str
        The change in words.
    """

    gain: float
    components: list[tuple[int, Family, float]]
    freed: tuple[int, ...]
    told: str

    @property
    def concerned(self) -> set[int]:
        """The places that change."""
        return {*self.freed, *(place for place, _, _ in self.components)} - {FREE}

    def __and__(self, other: "Change") -> "Change":
        """Return both changes together."""
        return Change(
            self.gain + other.gain,
            [*self.components, *other.components],
            (*self.freed, *other.freed),
            f"{self.told}, {other.told}",
        )


FREE = -1


@dataclass(frozen=True)
class View:
    """A mixture, and what it makes of some observations.

    Parameters
    ----------
    mixture : Start
    evidence : Evidence
    joint : array, shape (n, K)
        Log density of each observation under each component, log weight included.
    """

    mixture: Start
    evidence: Evidence
    joint: FloatArray

    @classmethod
    def of(cls, mixture: Start, evidence: Evidence) -> "View":
        """Look at observations through a mixture."""
        values = confined(mixture.bank.log_prob(evidence.data), evidence.known)
        return cls(mixture, evidence, values + np.log(mixture.weights))

    @property
    def n_components(self) -> int:
        """Number of components, noise not counted."""
        return len(self.mixture.bank.components)

    @property
    def weighted(self) -> bool:
        """Whether observations are shared out, or labelled."""
        return self.mixture.bank.family.weighted

    def scores(self, joint: FloatArray) -> FloatArray:
        """Return the log-likelihood of observations, together with labels if these are hard."""
        score = log_likelihood if self.weighted else classification
        return score(joint, np.zeros(joint.shape[1]))

    def neighbours(self) -> IntArray:
        """Return whom most observations of each component have as second best, shape (K,)."""
        nothing = np.zeros(self.joint.shape[1])
        best = best_component(self.joint, nothing)
        others = self.joint.copy()
        others[np.arange(len(best)), best] = -np.inf
        counts = np.zeros((len(nothing), len(nothing)))
        np.add.at(counts, (best, best_component(others, nothing)), 1)
        counts = counts[: self.n_components, : self.n_components]
        np.fill_diagonal(counts, -1)
        return counts.argmax(axis=1)

    def part(self, components: Sequence[int]) -> Part:
        """Return what some components have of the observations whose label is not known."""
        own = self.joint[:, components]
        if self.weighted:
            with np.errstate(invalid="ignore"):
                shares = np.exp(self.scores(own) - self.scores(self.joint))
        else:
            best = best_component(self.joint, np.zeros(self.joint.shape[1]))
            shares = np.isin(best, components).astype(float)
        mine = shares > LEAST_SHARE
        if self.evidence.known is not None:
            mine &= self.evidence.known < 0
        rows = np.flatnonzero(mine)
        most = SEEN_OF_EACH * len(components)
        seen = rows if len(rows) <= most else rows[np.linspace(0, len(rows) - 1, most).astype(int)]
        data, weights, _ = self.evidence.part(seen)
        if self.weighted:
            weights = shares[seen] if weights is None else weights * shares[seen]
        return Part(seen, Evidence(data, weights), len(rows) / max(len(seen), 1))

    def gain(self, part: Part, values: dict[int, FloatArray]) -> float:
        """Return how much the log-likelihood rises if some joint values are others.

        One more component is in place `FREE`.
        """
        joint = np.full((len(part.rows), self.joint.shape[1] + 1), -np.inf)
        joint[:, :-1] = self.joint[part.rows]
        before = self.scores(joint)
        for place, column in values.items():
            joint[:, place] = column
        possible = before > -np.inf
        rise = self.scores(joint)[possible] - before[possible]
        own = self.evidence.sample_weight
        return part.thinning * float(rise.sum() if own is None else own[part.rows][possible] @ rise)


@dataclass(frozen=True)
class Rearrange:
    """Take a component from where it is missed least to where it is needed most.

    Parameters
    ----------
    """

    explore: tuple[Any, ...]
    settle: Any
    tolerance: float = 1e-3
    tries: int = 5
    length: int = 10

    def __call__(
        self, mixture: Start, steps: Sequence[Step], scene: Scene
    ) -> tuple[Start, str | None]:
        if len(mixture.bank.components) == 1:
            return mixture, ""
        if len(steps) < 2 or abs(steps[-1].score - steps[-2].score) > self.tolerance * steps[-1].size:
            return mixture, None
        seen = scene.evidence.thinned(SEEN)
        rival = self._settled(mixture, seen, scene)
        view = View.of(Start(rival.bank, rival.weights), seen)
        for stage in (self._relocations, self._new_borders):
            for change in _ranked(stage(view, scene), self.tries):
                trial = self._settled(_changed(view.mixture, change), seen, scene, rival.step.score)
                if trial.step.score > rival.step.score + LEAST_GAIN * trial.step.size:
                    return Start(trial.bank, trial.weights), change.told
        return view.mixture, ""

    def _settled(self, mixture: Start, seen: Evidence, scene: Scene, goal: float | None = None) -> Any:
        """Return the state a few steps on, or sooner if there is no hope to reach the goal."""
        randomness = Randomness.from_seed(int(scene.rng.integers(2**63)))
        last = -np.inf
        for progress in scene.learn(
            seen, (self.settle,), mixture, randomness, max_iter=self.length
        ):
            state = progress.state
            left = self.length - state.step.iteration
            if goal is not None and (state.step.score - last) * left < goal - state.step.score:
                break
            last = state.step.score
        return state

    def _relocations(self, view: View, scene: Scene) -> Iterator[Change]:
        """Yield changes that take a component from somewhere, and put it somewhere else."""
        freeing = [one for pair in _pairs(view) for one in self._merged(view, pair)]
        freeing += [_without(view, k) for k in range(view.n_components)]
        freeing.sort(key=lambda change: -change.gain)
        for k in range(view.n_components):
            for split in self._split(view, (k,), scene):
                fitting = (one for one in freeing if not one.concerned & split.concerned)
                if (free := next(fitting, None)) is not None:
                    yield free & split

    def _new_borders(self, view: View, scene: Scene) -> Iterator[Change]:
        """Yield changes that share out anew what two neighbours have."""
        for pair in _pairs(view):
            yield from self._split(view, pair, scene)

    def _merged(self, view: View, pair: tuple[int, ...]) -> Iterator[Change]:
        """Yield the change that puts one component in the place of two."""
        part, (bank, weights) = view.part(pair), view.mixture
        keeps, frees = sorted(pair, key=lambda k: -weights[k])
        if len(part.rows) < bank.family.min_observations:
            return
        component = bank.components[keeps].fit(
            part.evidence.data, weights=part.evidence.sample_weight, rng=np.random.default_rng(0)
        )
        weight = weights[keeps] + weights[frees]
        values = component.log_prob(part.evidence.data) + np.log(weight)
        gain = view.gain(part, {keeps: values, frees: np.full(len(values), -np.inf)})
        yield Change(gain, [(keeps, component, weight)], (frees,), f"merge {keeps} and {frees}")

    def _split(self, view: View, places: tuple[int, ...], scene: Scene) -> Iterator[Change]:
        """Yield the change that puts two components in the place of one, or of two."""
        part, (bank, weights) = view.part(places), view.mixture
        fewest = max(bank.family.min_observations, part.evidence.data.n_features + 1)
        if part.total < 2 * fewest or len(part.rows) < 2 * bank.family.min_observations:
            return
        rng = scene.rng
        halves = random_split(part.evidence.data, 2, rng, part.evidence.sample_weight)
        start = fit_start(
            part.evidence.data, bank.components[places[0]], halves, learned, rng, scene.workers
        )
        for progress in scene.learn(
            part.evidence, self.explore, start, Randomness.from_seed(int(rng.integers(2**63))),
            max_iter=self.length,
        ):
            two = progress.kept
        if (two.weights * part.total).min() < fewest:
            return
        weight = weights[list(places)].sum() * two.weights
        values = two.bank.log_prob(part.evidence.data) + np.log(weight)
        into = (*places, FREE)[:2]
        gain = view.gain(part, dict(zip(into, values.T, strict=True)))
        components = list(zip(into, two.bank.components, weight, strict=True))
        told = f"split {places[0]}" if len(places) == 1 else f"split {places[0]} and {places[1]} anew"
        yield Change(gain, components, (), told)


def _pairs(view: View) -> list[tuple[int, ...]]:
    return sorted({tuple(sorted((k, int(other)))) for k, other in enumerate(view.neighbours())})


def _ranked(changes: Iterator[Change], most: int) -> list[Change]:
    """Return the most promising changes: all that go together and gain, then one by one."""
    ranked = sorted(changes, key=lambda change: -change.gain)[:most]
    together: list[Change] = []
    for change in ranked:
        if change.gain > 0 and not any(change.concerned & other.concerned for other in together):
            together.append(change)
    return [reduce(and_, together), *ranked] if len(together) > 1 else ranked


def _without(view: View, place: int) -> Change:
    """Return the change that leaves a component's observations to the others."""
    part = view.part((place,))
    weight = view.mixture.weights[place]
    gain = view.gain(part, {place: np.full(len(part.rows), -np.inf)})
    gain -= view.evidence.total * np.log1p(-weight)
    return Change(gain, [], (place,), f"re-seed {place}")


def _changed(mixture: Start, change: Change) -> Start:
    """Return the mixture after a change."""
    bank, weights = mixture.bank, mixture.weights.copy()
    weights[list(change.freed)] = 0
    free = list(change.freed)
    components = {}
    for place, component, weight in change.components:
        taken = free.pop() if place == FREE else place
        components[taken] = component
        weights[taken] = weight
    return Start(bank.replaced(components), weights / weights.sum())
