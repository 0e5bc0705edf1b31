"""Mixtures that choose their number of components."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import cache, partial
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from . import kernels
from .comparison import (
    AGREEMENT,
    DEFAULT_CRITERION,
    FOLDS,
    HELD_OUT,
    Candidate,
    Comparison,
    check_criterion,
    cross_validate,
    measure,
)
from .data import DATA, Data, InputError, IntArray, check_magnitudes, marked, without_covariates
from .estimator import BaseMixture
from .families import Family
from .fit_input import FitInput
from .inputs import check_remote, observe, read_labels, read_numbers, weigh
from .learning import (
    EM,
    AgreementCurve,
    HalfFits,
    Halves,
    MixtureState,
    Numbers,
    Randomness,
    Recipe,
    Run,
    State,
    TrainingData,
    Workers,
    choose,
    find_unstable,
    responsibilities_of,
    settings_of,
    tolerance_for,
)
from .learning.engine.log import NO_LOG, Log
from .merging import in_clusters, merge_order

Arguments = tuple[Any, Any, Any, Any]  # X, y, sample_weight and labels, as of `fit`

MOST_COMPONENTS = 1_000  # that are tried, where their number is open
MOST_IN_HALVES = 4_000  # observations that are halved
NOMINAL_NUMBER = 9  # of components, for what a family chooses once for all numbers


class ChoosingMixture(BaseMixture):
    """A mixture whose number of components may be chosen among several."""

    criterion: str = DEFAULT_CRITERION
    init: Any
    algorithm: Any
    n_clusters: Any = None
    comparison_: Comparison

    def _check_number(self) -> None:
        check_criterion(self.criterion)
        read_numbers(self.n_components)

    def _fit(
        self, X: Any, y: Any, sample_weight: Any, labels: Any, log: Log = NO_LOG
    ) -> MixtureState:
        self.__dict__.pop("comparison_", None)
        self._check_number()
        if isinstance(self.n_components, Integral) and self.n_clusters != "auto":
            return super()._fit(X, y, sample_weight, labels, log)
        began = kernels.clock.working_time()
        self.comparison_ = self._compared(X, y, sample_weight, labels, log)
        self._become(self.comparison_.best)
        self.fit_time_ = kernels.clock.working_time() - began
        return self._state

    def _compared(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        labels: Any = None,
        log: Log = NO_LOG,
    ) -> Comparison:
        """Fit several numbers of components, each as a mixture of that number is fitted.

        Parameters
        ----------
        X, y, sample_weight, labels : as of `fit`
        log : Log
            The record of the fit, for a checkpoint.
        """
        self._check_parameters()
        X, y = self._with_covariates(X, y)
        data = observe(self._family(), X, y)
        check_remote(data, sample_weight, labels)
        numbers = self._numbers(data, labels)
        seed = log.remembered(self._seed, always=True)
        given = (X, y, sample_weight, labels)
        if self.criterion != AGREEMENT and self.n_clusters != "auto":
            candidates = self._fit_each(numbers, given, seed, log)
            return Comparison(candidates, self.criterion, (X, y, sample_weight), noun=data.noun)
        return self._choose_by_halves(numbers, data, given, seed, log)

    def _become(self, model: Self) -> None:
        """Take over the fitted attributes of another mixture."""
        parameters = self.get_params(deep=False)
        fitted = {name: one for name, one in vars(model).items() if name not in parameters}
        self.__dict__.update(fitted)

    def _numbers(self, data: Data, labels: Any) -> Numbers:
        """Return the numbers of components to compare; raise if the data allow fewer."""
        n = len(data)
        if n == 0:
            raise InputError(f"{DATA} is empty: there is nothing to learn from.")
        known = read_labels(labels, n, n)
        least = 1 if known is None else int(known.max()) + 1
        numbers = read_numbers(self.n_components)
        if numbers is None:
            most = max(min(n, MOST_COMPONENTS), least)
            patience = self._settings.path_patience
            return Numbers((least,), data.count_distinct(most), True, patience)
        if numbers[0] < least:
            raise InputError(
                f"labels go up to {least - 1}, so {marked('n_components')} must be at least"
                f" {least}, not {numbers[0]}."
            )
        most = data.count_distinct(numbers[-1])
        if numbers[-1] > most:
            raise InputError(
                f"{marked('n_components')} goes up to {numbers[-1]}, but {DATA} has only {most}"
                f" distinct observations: use at most {most}."
            )
        return Numbers(numbers, most)

    def _fit_each(self, numbers: Numbers, given: Arguments, seed: int, log: Log) -> list[Candidate]:
        """Fit each number by itself; if it is open, until more components are no better."""
        candidates: list[Candidate] = []
        values: dict[int, float] = {}
        for k in numbers:
            if numbers.is_over(values):
                break
            if numbers.is_candidate(k):
                found = self._fitted(k, given, seed, log)
                candidates.append(found)
                values[k] = found.criterion(self.criterion)
        return candidates

    def _choose_by_halves(
        self, numbers: Numbers, data: Data, given: Arguments, seed: int, log: Log
    ) -> Comparison:
        """Choose by fits to halves; fit what is chosen, or all numbers that were named.

        Halves are fitted by one component, too, with which the others are compared.
        Without merges, the agreement of the halves chooses the number of components. With merges,
        components describe the density, and their clusters are what halves should agree on.
        """
        sample = self._sampled(data, given)
        with self._workers() as workers:
            run = Run(
                sample, Randomness.from_seed(seed), workers, self.max_iter, log=log,
                settings=self._settings.for_halves,
            )  # fmt: skip
            states = self._fits_to_halves(run, numbers, seed)
            fits = {one.n_components: one for one in self._watched(states, log)}
        fewest = int(self.n_clusters) if isinstance(self.n_clusters, Integral) else 1
        curve = AgreementCurve.of(
            [*fits.values()], lambda k: k >= fewest and numbers.is_candidate(k)
        )
        chosen = curve.chosen if self.n_clusters is None else max(curve.densest, fewest)
        clusters = None if self.n_clusters is None else _agreement_of_clusters(fits.get(chosen))
        model = clone(self)
        if clusters is not None and self.n_clusters == "auto":
            model.n_clusters = clusters.chosen
        wanted = [chosen] if numbers.is_open else numbers.candidates
        candidates = {k: model._fitted(k, given, seed, log) for k in wanted}
        if chosen in candidates.keys() & fits.keys():
            best = candidates[chosen].model
            seen = responsibilities_of(best._state, sample)
            if clusters is None:
                agreement = fits[chosen].by_component(seen)
                curve = replace(curve, by_component=agreement)
            else:
                merged = fits[chosen].in_clusters(best.n_clusters_)
                agreement = merged.by_component(in_clusters(seen, best.clusters_))
                clusters = replace(clusters, by_component=agreement)
            sizes = np.bincount(best.labels_[best.labels_ >= 0], minlength=best.n_clusters_)
            best.problems_ += find_unstable(agreement, sizes)
        return Comparison(
            [*candidates.values()],
            AGREEMENT if self.n_clusters is None else HELD_OUT,
            given[:3],
            {repr(self._family()): curve},
            clusters,
            data.noun,
        )

    def _merged(self, fit_input: FitInput) -> IntArray | None:
        """Return the cluster of each component (K,), the largest first, if components are merged.

        The responsibilities of a sample of the observations tell which overlap.
        """
        if self.n_clusters is None or self.n_clusters >= self.n_components_:
            return None
        sample = fit_input.data.thinned(self._settings.observations_in_trials)
        found = responsibilities_of(self._state, sample)
        clusters = merge_order(found, sample.sample_weight)[self.n_clusters - 1]
        order = np.argsort(-np.bincount(clusters, self.weights_), kind="stable")
        return np.argsort(order)[clusters]

    def _sampled(self, data: Data, given: Arguments) -> TrainingData:
        """Return at most so many observations, from which halves are made."""
        known = read_labels(given[3], len(data), len(data))
        data, weights, has_weight = weigh(without_covariates(data), given[2])
        check_magnitudes(data.numbers(), self._family().largest_number)
        known = None if known is None else known[has_weight]
        return TrainingData(data, weights, known).sample(MOST_IN_HALVES)

    def _fits_to_halves(
        self, run: Run, numbers: Numbers, seed: int
    ) -> Generator[State, None, list[HalfFits]]:
        """Fit all numbers to halves of a sample, by the family that it chooses."""
        sample, workers, settings = run.data, run.workers, settings_of(run)
        chosen = yield from choose(run, self._family(), NOMINAL_NUMBER)

        @cache
        def prepared(k: int) -> tuple[Self, Family]:
            family = chosen.prepare(sample.observations, k, sample.sample_weight)
            return self._with(k), family

        def start(
            half: TrainingData, k: int, split: MixtureState | None, seed: int
        ) -> MixtureState:
            model, family = prepared(k)
            model.init = self.init if split is None else responsibilities_of(split, half)
            return model._starts_of(FitInput(half, family, slice(None)), EM(), seed, workers)[0]()

        def recipes(k: int) -> Sequence[Recipe]:
            model, family = prepared(k)
            return model._recipes(family, sample.observations)

        halves = Halves(
            run,
            start,
            numbers,
            for_density=self.n_clusters is not None,
            tolerance=tolerance_for(sample.observations, settings.search_tolerance, settings),
            recipes=recipes if chosen.joint else None,
        )
        return (yield from halves.follow())

    def _fitted(self, k: int, given: Arguments, seed: int, log: Log) -> Candidate:
        """Return the candidate of K components, fitted as a mixture of K components is."""
        X, y, sample_weight, labels = given
        model = self._with(k).set_params(random_state=seed)
        learned = model._fit(X, y, sample_weight, labels, log)
        family = self._family()
        data, _ = model._training_data(family, observe(family, X, y), sample_weight, None)
        with self._workers() as workers:
            measured = partial(self._candidate, data, learned, workers, model.fit_time_)
            found = log.remembered(measured)
        return replace(found, model=model)

    def _candidate(
        self, data: TrainingData, mixture: MixtureState, workers: Workers, seconds: float
    ) -> Candidate:
        """Return a candidate, without its fitted mixture.

        `mixture` is as it was learned, with a background if the family has one.
        """
        shown = mixture if self.noise else mixture.without_background()
        measures = measure(mixture, data, workers, shown)
        found = Candidate.of(repr(self._family()), shown, measures, seconds)
        if self.criterion != "cv":
            return found
        score = cross_validate(shown, data, FOLDS, workers, int(self.max_iter))
        return replace(found, cross_validated=score)

    def _with(self, n_components: int) -> Self:
        """Return a copy of this mixture, not fitted, with another number of components."""
        copy: Self = clone(self).set_params(n_components=n_components, verbose=self.verbose)
        return copy


def _agreement_of_clusters(fits: HalfFits | None) -> AgreementCurve:
    """Return how far halves agree on merged components, for each number of clusters."""
    if fits is None:
        return AgreementCurve.of([])
    return AgreementCurve.of([fits.in_clusters(c + 1) for c in range(fits.n_components)])
