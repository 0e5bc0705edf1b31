"""Fits of more and more components to random halves of the observations."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...data import FloatArray, IntArray, without_covariates
from ..auto import AutoSettings, settings_of
from ..engine.loop import Run
from ..engine.randomness import Randomness
from ..engine.state import MixtureState, Move, State
from ..engine.training_data import TrainingData
from ..parts.assignment import responsibilities
from ..recipe import Recipe
from ..recipes import CEM, EM
from .agreement import AgreementCurve, HalfFits
from .driver import as_trial
from .moves.pricing import EvaluatedMixture
from .moves.proposals import proposed_merges
from .moves.splits import splits
from .numbers import Numbers
from .restarts import RestartRun

# Of the observations into two halves. Two are enough where both choose one cluster, or several on
# which they agree by so much: so in 98 of 187 tables, all of which had the same number by four. Of
# 142 in which both choose the same number, two had another by four.
SPLITS, FEWEST_SPLITS, CLEAR_AGREEMENT = 4, 2, 0.95
FEWEST = 24  # numbers of components, beyond which most must be found again
TRIAL_LENGTH = 5  # iterations of EM, after which the better of two starts goes on
# Starts of their own that lose in a row, after which a half goes on from splits alone. Of 55 sets
# of `benchmarks choice` (real, mixed, shapes; one seed), two got other numbers, and higher adjusted
# Rand indices; after 3 losses, five did, and digits and zigzag lower ones.
MOST_LOSSES = 5
PATIENCE = 3  # numbers in a row that end a path
LOW_AGREEMENT = 0.65  # most components are not found again; fifty clusters had 0.7 from 24 on
MOST_FOR_DENSITY = 50  # numbers of components that describe the density, where they are merged
LEAST_OBSERVATIONS = 5  # of a half, for each component

Start = Callable[[TrainingData, int, MixtureState | None, int], MixtureState]
Recipes = Callable[[int], Sequence[Recipe]]


@dataclass
class GrowingFit:
    """Fits of more and more components to the same observations, each the best of a few.

    Parameters
    ----------
    run : Run
        The observations.
    start : Start
        From observations, a number of components, a split of the fit with one component less (or
        None) and a seed to a mixture to begin with.
    seed : int
    tolerance : float
        Change of the objective per observation at which EM ends.
    recipes : function, optional
        The recipes that fit a number of components, from one start; EM, from the better of two
        starts, if absent.
    fits : dict
        The fit of each number of components.
    n_lost : int
        How many starts of their own were worse than a split, one after the other.
    """

    run: Run
    start: Start
    seed: int
    tolerance: float = AutoSettings.search_tolerance
    recipes: Recipes | None = None
    fits: dict[int, RestartRun] = field(default_factory=dict)
    n_lost: int = 0

    def grow(self, n_components: int) -> Generator[State, None, RestartRun]:
        """Fit a number of components, from a start of its own and from a split of the last fit.

        Where starts of their own have lost to splits a few times, none is made.
        """
        if self.recipes is not None:
            best = self._begun(n_components, None)
            for phase, recipe in enumerate(self.recipes(n_components)):
                yield from self._advance(best, recipe, self.run.max_iter, phase)
            return self._noted(n_components, best)
        divided: list[MixtureState] = []
        if fewer := self.fits.get(n_components - 1):
            divided = yield from self.run.log.recorded(self._split(fewer.mixture))
        own = [None] if not divided or self.n_lost < MOST_LOSSES else []
        racers = [self._begun(n_components, one) for one in (*own, *divided)]
        best = racers[0]
        if len(racers) > 1:
            for racer in racers:
                yield from self._advance(racer, self._em(racer), TRIAL_LENGTH)
            best = max(racers, key=lambda racer: racer.objective)
            self.n_lost = 0 if best is racers[0] else self.n_lost + 1
        yield from self._advance(best, self._em(best), self.run.max_iter)
        return self._noted(n_components, best)

    def improve(self, n_components: int) -> Generator[State, None, bool]:
        """Fit a number of components again, from a merge of the fit with one component more.

        The better of the two fits is kept. Returns whether that is the new one.
        """
        more = self.fits[n_components + 1]
        merged = yield from self.run.log.recorded(self._merge(more.mixture))
        return merged is not None and (yield from self.adopt(n_components, merged))

    def adopt(self, n_components: int, mixture: MixtureState) -> Generator[State, None, bool]:
        """Fit a number of components again, from another mixture of so many components.

        The better of the two fits is kept. Returns whether that is the new one.
        """
        again = self._begun(n_components, mixture)
        yield from self._advance(again, self._em(again), self.run.max_iter)
        is_better = again.objective > self.fits[n_components].objective
        if is_better:
            self._noted(n_components, again)
        return is_better

    def _noted(self, n_components: int, fit: RestartRun) -> RestartRun:
        self.fits[n_components] = fit
        return fit

    def _split(self, mixture: MixtureState) -> Generator[State, None, list[MixtureState]]:
        """Return the mixture after the split that gains most; none if no split is sound."""
        rng, priced = self._priced(mixture)
        places = [(one,) for one in range(priced.n_components)]
        states = splits(self.run, priced, places, settings_of(self.run).draws, rng)
        found = yield from as_trial(states, Move("propose"), Move("split"))
        best = sorted(found, key=lambda change: change.gain)[-1:]
        return [change.applied(mixture) for change in best]

    def _merge(self, mixture: MixtureState) -> Generator[State, None, MixtureState | None]:
        """Return the mixture after the merge that loses least; None if there is none."""
        rng, priced = self._priced(mixture)
        found = yield from proposed_merges(self.run, priced, rng)
        best = max(found, key=lambda change: change.gain, default=None)
        return None if best is None else best.applied(mixture)

    def _priced(self, mixture: MixtureState) -> tuple[np.random.Generator, EvaluatedMixture]:
        """Evaluate a mixture on a few members of each component, where moves are priced."""
        rng, settings = self.run.generator(len(mixture.bank.components)), settings_of(self.run)
        evaluated = EvaluatedMixture.of(mixture, self.run.data, settings)
        return rng, evaluated.thinned(settings.members_in_proposals)

    def _begun(self, n_components: int, split: MixtureState | None) -> RestartRun:
        run, log = self.run, self.run.log
        mixture = log.remembered(lambda: self.start(run.data, n_components, split, self.seed))
        return RestartRun(replace(run, origin=mixture), mixture)

    def _em(self, racer: RestartRun) -> Recipe:
        is_weighted = racer.mixture.bank.family.weighted
        return EM(self.tolerance, extra_step=False) if is_weighted else CEM("keep")

    @staticmethod
    def _advance(
        racer: RestartRun, recipe: Recipe, max_iter: int, phase: int = 0
    ) -> Generator[State, None, None]:
        racer.run = replace(racer.run, max_iter=max_iter)
        yield from racer.advance(recipe, phase)
        racer.judge(recipe)


@dataclass
class Half:
    """Fits to one half of the observations.

    Parameters
    ----------
    fit : GrowingFit
    others : array of int, shape (n - h,)
        Which of all observations are those of the other half.
    """

    fit: GrowingFit
    others: IntArray


@dataclass
class Halves:
    """Fits of more and more components to both halves of several random splits.

    Parameters
    ----------
    run : Run
        All observations that are looked at.
    start : Start
        As of `Half`.
    numbers : Numbers
        The numbers of components; if they are open, fits end when more components make no sense.
        One component is fitted in any case, unless known labels need more.
    for_density : bool
        Whether they then end by the held-out likelihood alone.
    tolerance : float
        As of `GrowingFit`.
    recipes : function, optional
        As of `GrowingFit`.
    """

    run: Run
    start: Start
    numbers: Numbers
    for_density: bool = False
    tolerance: float = AutoSettings.search_tolerance
    recipes: Recipes | None = None

    def follow(self) -> Generator[State, None, list[HalfFits]]:
        """Fit the numbers in turn, up and down, for each split; return the fits.

        On the way up, a component of the last fit is split; on the way down, two of the fit with
        one component more are merged. If the numbers are open, the first split tells how far the
        others go. Splits end once they clearly choose the same number. All states are yielded as
        those of trials.
        """
        first, *others = self._splits()
        fits = yield from self._path(0, first, self._all_numbers(), self.numbers.is_open)
        if self.numbers.is_open and not self.for_density:
            fits = _promising(fits)
        paths = [fits]
        for place, split in enumerate(others, start=1):
            if place >= FEWEST_SPLITS and self._is_clear(paths):
                break
            numbers = [one.n_components for one in fits]
            paths.append((yield from self._path(place, split, numbers)))
        return _joined(paths)

    def _is_clear(self, paths: Sequence[list[HalfFits]]) -> bool:
        """Whether each split by itself chooses the number that all of them clearly choose."""
        if self.for_density:
            return False
        curves = (AgreementCurve.of(one, self.numbers.is_candidate) for one in paths)
        both = AgreementCurve.of(_joined(paths), self.numbers.is_candidate)
        if {one.chosen for one in curves} != {both.chosen}:
            return False
        return both.chosen == 1 or both.median[both.place(both.chosen)] >= CLEAR_AGREEMENT

    def _path(
        self, place: int, split: tuple[Half, Half], numbers: Iterable[int], is_open: bool = False
    ) -> Generator[State, None, list[HalfFits]]:
        """Fit the numbers in turn to both halves of a split."""
        found: list[HalfFits] = []
        move = Move("half", (place,))
        for k in numbers:
            if k > self.most or (is_open and self._is_over(found)):
                break
            for half in split:
                yield from as_trial(half.fit.grow(k), move)
            if self.recipes is None and k > 1:
                mixtures = [half.fit.fits[k].mixture for half in reversed(split)]
                for half, other in zip(split, mixtures, strict=True):
                    yield from as_trial(half.fit.adopt(k, other), move)
            found.append(self._compared(k, split))
        if self.recipes is None:
            yield from self._descend(found, split, move)
        return found

    def _all_numbers(self) -> Iterable[int]:
        """Return the numbers to fit: one, with which others are compared, and those asked for."""
        first = () if self.run.data.known_labels is not None else (1,)
        return dict.fromkeys((*first, *self.numbers))

    def _descend(
        self, found: list[HalfFits], split: tuple[Half, Half], move: Move
    ) -> Generator[State, None, None]:
        """Fit all numbers but the largest again, from merges of the fits with one more."""
        for at, fits in reversed([*enumerate(found[:-1])]):
            if (k := fits.n_components) == 1:
                break
            n_better = 0
            for half in split:
                n_better += yield from as_trial(half.fit.improve(k), move)
            if n_better:
                found[at] = self._compared(k, split)

    @property
    def most(self) -> int:
        """The largest number of components that halves have observations enough for."""
        n = len(self.run.data) // 2
        n_distinct = self.run.data.observations.count_distinct(n) // 2
        return min(max(n // LEAST_OBSERVATIONS, 1), n_distinct)

    def _splits(self) -> Iterable[tuple[Half, Half]]:
        n = len(self.run.data)
        rng = self.run.randomness.starter()
        for _ in range(SPLITS):
            order = rng.permutation(n)
            first, second = np.sort(order[: n // 2]), np.sort(order[n // 2 :])
            yield self._half(first, second, rng), self._half(second, first, rng)

    def _half(self, rows: IntArray, others: IntArray, rng: np.random.Generator) -> Half:
        seed = int(rng.integers(2**63))
        randomness = Randomness.from_seed(seed)
        run = replace(self.run, data=self.run.data.take(rows), randomness=randomness)
        return Half(GrowingFit(run, self.start, seed, self.tolerance, self.recipes), others)

    def _compared(self, k: int, split: tuple[Half, Half]) -> HalfFits:
        """Evaluate the fits of a number of components to both halves on all observations."""
        data = self.run.data
        n = len(data)
        weights = np.ones(n) if data.sample_weight is None else data.sample_weight
        found = np.empty((1, 2, n, k), dtype=np.float32)
        held_out = np.empty((1, 2))
        degenerate: list[bool] = []
        for h, half in enumerate(split):
            mixture = half.fit.fits[k].mixture.without_background()
            log_probs, log_weights, _ = mixture.evaluate(data.observations, is_rounded=False)
            found[0, h], scores = responsibilities(log_probs, log_weights)
            others = half.others
            held_out[0, h] = scores[others] @ weights[others] / weights[others].sum()
            degenerate += [bool(one.is_degenerate) for one in mixture.bank.components]
        return HalfFits(k, found, held_out, weights, np.array([np.mean(degenerate)]))

    def _is_over(self, fits: list[HalfFits]) -> bool:
        """Whether more components need not be tried, given the fits of the first split.

        That is so if some numbers in a row cannot be chosen, and either most components are at the
        variance floor, or the held-out likelihood rises no more, or many components have been
        tried and most are not found again.
        """
        several = [one for one in fits if one.n_components > 1]
        if len(several) <= PATIENCE:
            return False
        is_floor = not fits[0].is_degenerate and all(
            one.is_degenerate for one in several[-PATIENCE:]
        )
        if is_floor and not self.for_density:
            return True
        curve, last = AgreementCurve.of(several), slice(-PATIENCE, None)
        found, tolerance = curve.median, curve.tolerance
        lowest = np.maximum(found.max() - tolerance, curve.least)
        is_rising = _rises(curve.held_out)
        if self.for_density:
            return not is_rising or curve.numbers[-1] >= MOST_FOR_DENSITY
        is_too_low = (found[last] < lowest[last]).all()
        is_lost = curve.numbers[-1] >= FEWEST and (found[last] < LOW_AGREEMENT).all()
        return bool(is_too_low and (is_lost or not is_rising))


def _joined(paths: Sequence[list[HalfFits]]) -> list[HalfFits]:
    """Return the fits of each number of components, of all splits."""
    return [HalfFits.joined(same_number) for same_number in zip(*paths, strict=True)]


def _promising(fits: list[HalfFits]) -> list[HalfFits]:
    """Return the fits to the first split whose numbers are worth fitting to the other splits.

    The largest is a few above the last number that agrees about as much as any.
    """
    several = [one for one in fits if one.n_components > 1]
    if not several:
        return fits
    curve = AgreementCurve.of(several)
    is_near = curve.median >= curve.highest - 2 * curve.tolerance
    last = int(curve.numbers[is_near].max()) + PATIENCE
    return [one for one in fits if one.n_components <= last]


def _rises(held_out: FloatArray) -> bool:
    """Whether the last few of several numbers have a higher likelihood (m, S, 2), not by chance."""
    mean = held_out.mean(axis=(1, 2))
    before = int(mean[:-PATIENCE].argmax())
    last = len(mean) - PATIENCE + int(mean[-PATIENCE:].argmax())
    if not np.isfinite(held_out[[before, last]]).all():  # some densities are zero
        return False
    gains = (held_out[last] - held_out[before]).ravel()
    return bool(gains.mean() > gains.std(ddof=1) / np.sqrt(len(gains)))


def responsibilities_of(mixture: MixtureState, data: TrainingData) -> FloatArray:
    """Return the responsibilities (n, K) of components, without a background and covariates."""
    bank = mixture.family.bank(mixture.components)
    log_probs = bank.log_prob(without_covariates(data.observations))
    return responsibilities(log_probs, np.log(mixture.weights))[0]
