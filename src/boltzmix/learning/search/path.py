"""A path over K: fits of several numbers of components, each begun from its neighbours."""

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ... import kernels
from ..auto import PATH, AutoSettings
from ..engine.loop import Run, learn
from ..engine.state import MixtureState, Move, State, Step, T, mapped
from ..parts.stopping import either, hopeless
from ..recipe import Recipe
from ..recipes import CEM, EM
from .driver import as_trial
from .numbers import Numbers
from .pricing import ANY_FREE, Change, Priced
from .restarts import NO_COUNTS, Racer
from .splits import merges, splits

START = Move("start")

Criterion = Callable[[MixtureState], float]
Begun = tuple[MixtureState, Move]  # where a fit begins, and the move that led there


@dataclass
class PathOverK:
    """Fits of several numbers K of components, each begun from its neighbours.

    The path goes up from the smallest number: K + 1 components begin as the best split of K. Then
    it goes down, past the numbers that are close to the best one by a criterion: K components begin
    again as the best merge of K + 1, and that is kept if its objective is higher. The best number
    takes all recipes, a search by moves among them. If that raises its objective, its neighbours
    begin again from it, and so on, until the best number has been searched and nothing improves.

    Splits and merges are proposed and tried on a sample of the observations; what is kept is then
    fitted to all of them.

    Parameters
    ----------
    run : Run
        All observations, and the random numbers.
    recipes : sequence of Recipe
        What the best number takes, in turn.
    numbers : Numbers
        The numbers of components to compare.
    criterion : function
        From a mixture to the value of a criterion: the lower, the better.
    start : function
        From a number of components to a mixture to begin with.
    begun : collection of int
        Numbers that begin with `start`. All others, but the smallest, begin with a split, and only
        with `start` if no split is possible.
    tolerance : float
        Change of the objective per observation at which the EM of each number ends.
    settings : AutoSettings
    """

    run: Run
    recipes: Sequence[Recipe]
    numbers: Numbers
    criterion: Criterion
    start: Callable[[int], MixtureState]
    begun: Collection[int] = ()
    tolerance: float = PATH.search_tolerance
    settings: AutoSettings = PATH
    fits: dict[int, Racer] = field(default_factory=dict)
    values: dict[int, float] = field(default_factory=dict)
    tried: list[Step] = field(default_factory=list)

    def follow(self) -> Generator[State, None, dict[int, Racer]]:
        """Follow the path; yield all states, return the fit of each number of components."""
        for k in self.numbers:
            if self.numbers.is_over(self.values):
                break
            if k in self.begun or k == self.numbers.least:
                yield from self._timed(k, self.begin(k, self.start(k)))
            if self._falls(k):
                yield from self._timed(k, self._grow(k - 1))
        for k in sorted(self.fits, reverse=True)[:-1]:
            if k - 1 not in self.begun and self._is_near_best(k - 1):
                yield from self._timed(k - 1, self._shrink(k))
        yield from self._search_best()
        return self.fits

    def _falls(self, k: int) -> bool:
        """Whether K components are not fitted, or have a lower objective than K - 1."""
        if k == self.numbers.least:
            return False
        return k not in self.fits or self.fits[k].objective < self.fits[k - 1].objective

    def _is_near_best(self, k: int) -> bool:
        """Whether a better fit of K components might make K the best number.

        It is one less than the best number so far, or a few more.
        """
        best = self._best()
        return best - 1 <= k < best + self.numbers.patience(best)

    def _search_best(self) -> Generator[State, None, None]:
        """Search the number that is best, until the best one has been searched."""
        searched: set[int] = set()
        while (best := self._best()) not in searched:
            searched.add(best)
            before = self.fits[best].objective
            for phase, recipe in enumerate(self.recipes):
                yield from self._timed(best, self._advance(best, recipe, phase + 1))
            if self.fits[best].objective > before + self.settings.least_gain:
                yield from self._spread(best)

    def _spread(self, k: int) -> Generator[State, None, None]:
        """Begin the neighbours of a fit again from it, and theirs, while that is better."""
        for step, further in ((1, self._grow), (-1, self._shrink)):
            at = k
            while at + step in self.fits and (yield from self._timed(at + step, further(at))):
                at += step

    def _timed(self, k: int, states: Generator[State, None, T]) -> Generator[State, None, T]:
        """Yield states, and add to the seconds of K what they take."""
        began = kernels.clock.working_time()
        found = yield from states
        self.fits[k].seconds += kernels.clock.working_time() - began
        return found

    def _best(self) -> int:
        allowed = [k for k in self.fits if self.numbers.is_candidate(k)]
        return min(allowed, key=lambda k: (self.values[k], k))

    def _grow(self, k: int) -> Generator[State, None, bool]:
        """Begin K + 1 components from splits of K; return whether that is better than before."""
        found = yield from self._noted(self.run.log.recorded(self._split(k)))
        if found is None and k + 1 not in self.fits:
            found = self.start(k + 1), START
        return found is not None and (yield from self.begin(k + 1, *found))

    def _shrink(self, k: int) -> Generator[State, None, bool]:
        """Begin K - 1 components from merges of K; return whether that is better than before."""
        found = yield from self._noted(self.run.log.recorded(self._merge(k)))
        return found is not None and (yield from self.begin(k - 1, *found))

    def _split(self, k: int) -> Generator[State, None, Begun | None]:
        """Try splits of K components on a sample; return the best, if it is better than before."""
        run, priced, rng = self._sampled(k)
        places = [(one,) for one in range(priced.n_components)]
        states = splits(run, priced, places, self.settings.draws, rng)
        halves = yield from as_trial(states, Move("propose"), Move("split"))
        halves += _from_background(priced, rng)
        return (yield from self._tried(run, priced.mixture, halves, k + 1, rng))

    def _merge(self, k: int) -> Generator[State, None, Begun | None]:
        """Try merges of K components on a sample; return the best, if it is better than before."""
        run, priced, rng = self._sampled(k)
        states = merges(run, priced, rng)
        merged = yield from as_trial(states, Move("propose"), Move("merge"))
        return (yield from self._tried(run, priced.mixture, merged, k - 1, rng))

    def _sampled(self, k: int) -> tuple[Run, Priced, np.random.Generator]:
        """Return a sample of the observations, the mixture of K priced on it, and a generator."""
        settings, racer = self.settings, self.fits[k]
        rng = self.run.generator(len(racer.steps) * self.numbers.most + k)
        run = replace(self.run, data=self.run.data.thinned(settings.sample_size(k)))
        priced = Priced.of(racer.mixture, run.data, settings)
        return run, priced.thinned(settings.members_in_proposals), rng

    def _tried(
        self,
        run: Run,
        mixture: MixtureState,
        changes: Iterable[Change],
        k: int,
        rng: np.random.Generator,
    ) -> Generator[State, None, Begun | None]:
        """Try the best changes on the sample; return the best mixture, if it is better than before.

        The mixture that there is of as many components takes as many iterations on the sample.
        """
        best: tuple[MixtureState, Move] | None = None
        highest = -np.inf
        ranked = sorted(changes, key=lambda change: change.loss)[: self.settings.tries]
        if ranked and k in self.fits:
            present = yield from self._climbed(run, self.fits[k].mixture, Move("refine"), rng)
            highest = present.step.score + self.settings.least_gain * present.step.size
        for change in ranked:
            start = change.applied(mixture)
            there = yield from self._climbed(run, start, change.moves[0], rng, highest)
            if there.step.score > highest:
                highest, best = there.step.score, (there, change.moves[0])
        return best

    def _climbed(
        self,
        run: Run,
        mixture: MixtureState,
        move: Move,
        rng: np.random.Generator,
        target: float = -np.inf,
    ) -> Generator[State, None, State]:
        """Return the state a few iterations on, or sooner if it will not reach a target."""
        recipe, n_steps = self._climb, self.settings.trial_length
        is_hopeless = hopeless(n_steps, target, 0.0)
        parts = replace(recipe.parts, stopping=either(is_hopeless, recipe.parts.stopping))
        states = learn(run.on(run.data, rng, n_steps), recipe.name, parts, mixture)
        there = yield from as_trial(states, move)
        assert isinstance(there, State)
        return there

    def _noted(self, states: Generator[State, None, T]) -> Generator[State, None, T]:
        """Yield states of trials, and keep their steps for the history of the next fit."""

        def note(state: State) -> State:
            self.tried.append(replace(state.step, counts=NO_COUNTS))
            return state

        return mapped(states, note)

    @property
    def _climb(self) -> Recipe:
        """The recipe by which all numbers but the best are fitted."""
        is_weighted = self.fits[self.numbers.least].mixture.bank.family.weighted
        return EM(self.tolerance) if is_weighted else CEM("keep")

    def begin(
        self, k: int, mixture: MixtureState, move: Move = START
    ) -> Generator[State, None, bool]:
        """Fit a mixture of K to all observations; keep it if it is better than the one there is."""
        racer, present = Racer(replace(self.run, origin=mixture), mixture), self.fits.get(k)
        if present is None:
            self.fits[k] = racer
        else:
            racer.seconds, racer.steps = present.seconds, [*present.steps]
        racer.steps += self.tried
        self.tried, n_before = [], len(racer.steps)
        yield from racer.advance(self._climb, 0, (move,))
        racer.judge(self._climb)
        if present is not None and racer.objective <= present.objective:
            present.steps = [
                *racer.steps[:n_before],
                *(replace(one, trial=(move,), counts=NO_COUNTS) for one in racer.steps[n_before:]),
            ]
            return False
        self.fits[k] = racer
        self.values[k] = self.criterion(racer.mixture)
        return True

    def _advance(self, k: int, recipe: Recipe, phase: int) -> Generator[State, None, None]:
        racer = self.fits[k]
        yield from racer.advance(recipe, phase)
        racer.judge(recipe)
        self.values[k] = self.criterion(racer.mixture)


def _from_background(priced: Priced, rng: np.random.Generator) -> list[Change]:
    """Return the change that makes a component of the members of a background, if it has enough.

    A split makes components of the members of others, and would not find a small cluster far away.
    """
    n, labels = priced.n_components, priced.joint.argmax(axis=1)
    rows = np.flatnonzero(labels >= n)
    if len(rows) < max(priced.least_members, 2):
        return []
    observations, weights = priced.data.observations.take(rows), priced.sample_weight[rows]
    given = weights if priced.family.weighted else None
    component = priced.mixture.bank.components[0].fit(observations, weights=given, rng=rng)
    weight = float(weights.sum() / priced.total_weight)
    joint = component.log_prob(observations) + np.log(weight)
    gain = float(weights @ np.maximum(joint - priced.scores[rows], 0.0))
    return [Change(gain, ((ANY_FREE, component, weight),), (), (Move("outliers", (), gain),))]
