"""Mixtures that choose their number of components."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any, Self

from sklearn.base import clone

from . import kernels
from .comparison import (
    DEFAULT_CRITERION,
    FOLDS,
    Candidate,
    Comparison,
    check_criterion,
    cross_validate,
    measure,
)
from .data import Data, FloatArray
from .estimator import BaseMixture
from .given import Given
from .inputs import check_remote, observe, read_labels, read_numbers
from .learning import (
    EM,
    MixtureState,
    Numbers,
    PathOverK,
    Racer,
    Randomness,
    Recipe,
    Run,
    Workers,
    path_recipes,
)
from .learning.engine.log import NO_LOG, Log

Responsibilities = Mapping[int, FloatArray]
Measured = Callable[[MixtureState], Candidate]

MOST_COMPONENTS = 1_000  # that are tried, where their number is open
PREPARED_FOR = 9  # components, where their number is open: variance floors depend on it


class ChoosingMixture(BaseMixture):
    """A mixture whose number of components may be chosen among several."""

    criterion: str = DEFAULT_CRITERION
    init: Any
    algorithm: Any
    comparison_: Comparison

    def _check_number(self) -> None:
        check_criterion(self.criterion)
        read_numbers(self.n_components)

    def _fit(
        self, X: Any, y: Any, sample_weight: Any, labels: Any, log: Log = NO_LOG
    ) -> MixtureState:
        self.__dict__.pop("comparison_", None)
        if isinstance(self.n_components, Integral):
            return super()._fit(X, y, sample_weight, labels, log)
        began = kernels.clock.working_time()
        candidates = self._candidates(X, y, sample_weight, labels, log=log)
        self.comparison_ = Comparison(candidates, self.criterion, (X, y, sample_weight))
        self._become(self.comparison_.best)
        self.fit_time_ = kernels.clock.working_time() - began
        return self._state

    def _candidates(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        labels: Any = None,
        *,
        is_searched: bool = True,
        begun: Responsibilities | None = None,
        log: Log = NO_LOG,
    ) -> list[Candidate]:
        """Fit each number of components.

        Parameters
        ----------
        X, y, sample_weight, labels : as of `fit`
        is_searched : bool
            Whether the best number is searched.
        begun : mapping of int to array of shape (n, K), optional
            Responsibilities to begin numbers of components with.
        log : Log
            What is recorded of the fit.
        """
        self._check_parameters()
        X, y = self._with_covariates(X, y)
        family = self._family()
        data = observe(family, X, y)
        check_remote(data, sample_weight, labels)
        numbers = self._numbers(data, labels)
        takes_path = self._takes_path(labels)
        recipes = path_recipes(family, data) if takes_path else None
        seed = log.remembered(self._seed, always=True)
        if recipes is None:
            return self._fit_each(numbers, X, y, sample_weight, labels, seed, log)
        recipes = recipes if is_searched else ()
        return self._fit_path(numbers, data, sample_weight, recipes, begun or {}, seed, log)

    def _become(self, model: Self) -> None:
        """Take over the fitted attributes of another mixture."""
        parameters = self.get_params(deep=False)
        fitted = {name: one for name, one in vars(model).items() if name not in parameters}
        self.__dict__.update(fitted)

    def _numbers(self, data: Data, labels: Any) -> Numbers:
        """Return the numbers of components to compare; raise if the data allow fewer."""
        n = len(data)
        if n == 0:
            raise ValueError("X is empty: there is nothing to learn from.")
        known = read_labels(labels, n, n)
        least = 1 if known is None else int(known.max()) + 1
        numbers = read_numbers(self.n_components)
        if numbers is None:
            most = max(min(n, MOST_COMPONENTS), least)
            return Numbers((least,), data.count_distinct(most), is_open=True)
        if numbers[0] < least:
            raise ValueError(
                f"labels go up to {least - 1}, so n_components must be at least {least}, not"
                f" {numbers[0]}."
            )
        most = data.count_distinct(numbers[-1])
        if numbers[-1] > most:
            raise ValueError(
                f"n_components goes up to {numbers[-1]}, but X has only {most} distinct"
                f" observations: use at most {most}."
            )
        return Numbers(numbers, most)

    def _takes_path(self, labels: Any) -> bool:
        """Whether numbers begin from their neighbours: if algorithm and start are the default.

        Where there may be noise, clusters that few components leave to it would not be found later.
        Covariates of membership are learned after the search at each number.
        """
        if self.membership is not None:
            return False
        defaults = (
            isinstance(one, str) and one == "auto"
            for one in (getattr(self, "algorithm", None), self.init)
        )
        return labels is None and not self.noise and all(defaults)

    def _fit_path(
        self,
        numbers: Numbers,
        data: Data,
        sample_weight: Any,
        recipes: tuple[Recipe, ...],
        begun: Responsibilities,
        seed: int,
        log: Log,
    ) -> list[Candidate]:
        """Fit all numbers along a path, `n_init` times; keep the best fit of each number."""
        largest = PREPARED_FOR if numbers.is_open else numbers.candidates[-1]
        any_number = self._with(min(largest, data.count_distinct(largest)))
        given = any_number._given(self._family(), data, sample_weight, None)
        fits = dict[int, Racer]()
        with self._workers() as workers:
            measured = self._measured(given, workers)
            for run in range(self.n_init):
                randomness = Randomness.from_seed(seed, run)
                path = self._path(
                    given, numbers, recipes, begun, randomness, measured, workers, log
                )
                for k, racer in self._watched(path.follow(), log).items():
                    if k not in fits or racer.objective > fits[k].objective:
                        fits[k] = racer
            chosen = [k for k in sorted(fits) if numbers.is_candidate(k)]
            found = [self._fitted_candidate(k, given, data, fits[k], measured) for k in chosen]
        for candidate in found:
            candidate.model.seed_ = seed
        return found

    def _path(
        self,
        given: Given,
        numbers: Numbers,
        recipes: tuple[Recipe, ...],
        begun: Responsibilities,
        randomness: Randomness,
        measured: Measured,
        workers: Workers,
        log: Log,
    ) -> PathOverK:
        seed = int(randomness.starter().integers(2**63))

        def start(k: int) -> MixtureState:
            model = self._with(k)
            if k in begun:
                model.init = begun[k] / begun[k].sum(axis=1, keepdims=True)
            return log.remembered(lambda: model._starts_of(given, EM(), seed, workers)[0]())

        def criterion(mixture: MixtureState) -> float:
            found = log.remembered(lambda: measured(mixture))
            return found.criterion(self.criterion)

        run = Run(given.data, randomness, workers, int(self.max_iter), log=log)
        return PathOverK(run, recipes, numbers, criterion, start, [*begun])

    def _fit_each(
        self, numbers: Numbers, X: Any, y: Any, sample_weight: Any, labels: Any, seed: int, log: Log
    ) -> list[Candidate]:
        """Fit each number by itself, with the same seed."""
        candidates: list[Candidate] = []
        values: dict[int, float] = {}
        for k in numbers:
            if numbers.is_over(values):
                break
            if not numbers.is_candidate(k):
                continue
            model = self._with(k).set_params(random_state=seed)
            learned = model._fit(X, y, sample_weight, labels, log)
            family = self._family()
            given = model._given(family, observe(family, X, y), sample_weight, None)
            with self._workers() as workers:
                measured = partial(self._candidate, given, learned, workers, model.fit_time_)
                found = log.remembered(measured)
            candidates.append(replace(found, model=model))
            values[k] = found.criterion(self.criterion)
        return candidates

    def _fitted_candidate(
        self, k: int, given: Given, data: Data, racer: Racer, measured: Measured
    ) -> Candidate:
        """Return a candidate, and its fitted mixture, from its run on the path."""
        model = self._with(k)
        model._finish(given, data, [racer], None)
        model.fit_time_ = racer.seconds
        return replace(measured(racer.mixture), seconds=racer.seconds, model=model)

    def _measured(self, given: Given, workers: Workers) -> Measured:
        """Return a function that makes a candidate of a mixture, and measures each only once."""
        known: dict[int, tuple[MixtureState, Candidate]] = {}

        def measured(mixture: MixtureState) -> Candidate:
            if id(mixture) not in known:
                known[id(mixture)] = mixture, self._candidate(given, mixture, workers)
            return known[id(mixture)][1]

        return measured

    def _candidate(
        self, given: Given, mixture: MixtureState, workers: Workers, seconds: float = 0.0
    ) -> Candidate:
        """Return a candidate, without its fitted mixture.

        `mixture` is as it was learned, with a background if the family has one.
        """
        shown = mixture if self.noise else mixture.without_background()
        measures = measure(mixture, given.data, workers, shown)
        found = Candidate.of(repr(self._family()), shown.bank, measures, seconds)
        if self.criterion != "cv":
            return found
        score = cross_validate(shown, given.data, FOLDS, workers, int(self.max_iter))
        return replace(found, cross_validated=score)

    def _with(self, n_components: int) -> Self:
        """Return a copy of this mixture, not fitted, with another number of components."""
        copy: Self = clone(self).set_params(n_components=n_components, verbose=self.verbose)
        return copy
