"""The base class of all mixture estimators: how they are fitted."""

import sys
import warnings
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, Self, TypeVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from . import kernels
from .data import (
    DATA,
    BoolArray,
    Data,
    InputError,
    IntArray,
    Remote,
    WithCovariates,
    check_count,
    check_magnitudes,
    marked,
    read_path,
    warning,
)
from .families import Family
from .fit_input import (
    FitInput,
    outlier_weight_of,
    prepared,
    state_of_components,
    with_gate,
    with_noise,
)
from .fitted import FittedMixture
from .inputs import (
    as_seed,
    check_covariates,
    check_distinct,
    check_enough_unknown,
    check_options,
    check_remote,
    check_size,
    design_of,
    explained,
    observe,
    observe_with_covariates,
    read_labels,
    remember_features,
    weigh,
)
from .interrupts import Interruptible
from .learning import (
    AutoSettings,
    History,
    MixtureState,
    Randomness,
    Recipe,
    RestartRun,
    Run,
    State,
    Step,
    Stream,
    TrainingData,
    Workers,
    choose,
    count_members,
    find_problems,
    go_on,
    polishing,
    recorded,
    run_restarts,
    sound_first,
)
from .learning.engine.log import NO_LOG, Log

T = TypeVar("T")
Watcher = Callable[[State], None]


class BaseMixture(FittedMixture):
    """A mixture that can be fitted; subclasses choose its family, recipes and starts."""

    n_components: int
    n_init: int
    max_iter: int
    verbose: Any
    checkpoint: Any = None
    membership: Any = None
    _fewest_iterations = 1
    _settings = AutoSettings()

    def _count(self) -> int:
        """Return the number of components as an int of Python, which does not overflow."""
        return int(self.n_components)

    @property
    def _interval(self) -> int:
        """Every how many iterations `verbose=1` prints a line."""
        return 10

    @abstractmethod
    def _family(self) -> Family:
        """Return the template of the components."""

    @abstractmethod
    def _recipes(self, family: Family, data: Data) -> tuple[Recipe, ...]:
        """Return the recipes that run in turn."""

    @abstractmethod
    def _starts(
        self,
        fit_input: FitInput,
        recipe: Recipe,
        seed: int,
        workers: Workers,
    ) -> Sequence[Callable[[], MixtureState]]:
        """Return one start per run, made when it is called."""

    @staticmethod
    def _rank(restart: RestartRun) -> tuple[float, ...]:
        """Return what finished runs are sorted by: the lower, the better."""
        return sound_first(restart)

    def _seed(self) -> int:
        return as_seed(self.random_state)

    def fit(
        self,
        X: object,
        y: object = None,
        sample_weight: object = None,
        labels: object = None,
        covariates: object = None,
    ) -> Self:
        """Learn the mixture.

        Parameters
        ----------
        X : array, frame or whatever the family takes
            The observations.
        y : ignored, or the targets of a family that has them
        sample_weight : array, shape (n,), optional
            Weights of the observations; the family must be weighted.
        labels : array of int, shape (n,), optional
            Known labels: the component of each observation, or -1 where it is not known.
            Known labels hold throughout, and in `labels_`, even where `predict` differs.
        covariates : frame or array, shape (n, c), optional
            The table whose columns `membership` names, if they are not columns of X.
        """
        X, y = self._with_covariates(X, y, covariates)
        try:
            with self._log(X, y, sample_weight, labels) as log, Interruptible():
                self._fit(X, y, sample_weight, labels, log)
        except np.linalg.LinAlgError as error:
            raise explained(error, observe(self._family(), X, y)) from error
        optional = {"sample_weight": sample_weight, "labels": labels, "covariates": covariates}
        self.fit_arguments_ = tuple(name for name, one in optional.items() if one is not None)
        if not self.converged_ and self.max_iter > 0:
            warnings.warn(warning(ConvergenceWarning, self._not_converged()), stacklevel=2)
        for sentence, kind in self._remarks():
            warnings.warn(warning(kind, sentence), stacklevel=2)
        return self

    @abstractmethod
    def _remarks(self) -> Iterable[tuple[str, type[Warning]]]:
        """Return what may mislead about the fit, as sentences, and the kind of warning of each."""

    @abstractmethod
    def _watcher(self) -> AbstractContextManager[Watcher]:
        """Return the function that is called with every state."""

    @abstractmethod
    def _checkpointed(
        self, data: Data, sample_weight: object, labels: object
    ) -> AbstractContextManager[Log]:
        """Return the log of a fit that has a checkpoint."""

    def _not_converged(self) -> str:
        """Return the warning that learning did not converge."""
        return (
            f"{self.history_.phases[-1]} did not converge within"
            f" {marked('max_iter', self.max_iter)}"
            f" iterations: raise {marked('max_iter')}, or check the data."
        )

    def _with_covariates(self, X: object, y: object, covariates: object = None) -> tuple[Any, Any]:
        """Return X and y; where membership depends on covariates, all of them read together."""
        if self.membership is None:
            if covariates is not None:
                raise ValueError(
                    "covariates were given, but membership is None: say which of their columns"
                    " membership depends on, as in Mixture(membership='age + sex')."
                )
            return X, y
        if isinstance(X, WithCovariates):
            return X, None
        design = design_of(self.membership, X, covariates)
        return observe_with_covariates(self._family(), X, y, design, covariates), None

    def _log(
        self, X: object, y: object, sample_weight: object, labels: object
    ) -> AbstractContextManager[Log]:
        """Return the log of a fit: that of its checkpoint, if it has one."""
        if self.checkpoint is None:
            return nullcontext(NO_LOG)
        self._check_parameters()
        return self._checkpointed(observe(self._family(), X, y), sample_weight, labels)

    def _fit(
        self, X: object, y: object, sample_weight: object, labels: object, log: Log = NO_LOG
    ) -> MixtureState:
        """Learn the mixture; return it as it was learned, with a background if it had one."""
        began = kernels.clock.working_time()
        self._check_parameters()
        family = self._family()
        all_data = observe(family, X, y)
        check_remote(all_data, sample_weight, labels)
        all_known = read_labels(labels, len(all_data), self._count())
        data, has_weight = self._training_data(family, all_data, sample_weight, all_known)
        with self._workers() as workers:
            states = self._learn(family, data, has_weight, workers, log)
            fit_input, finalists = self._watched(states, log)
        self._finish(fit_input, all_data, finalists, all_known)
        self.fit_time_ = kernels.clock.working_time() - began
        return finalists[0].mixture

    def _learn(
        self,
        family: Family,
        data: TrainingData,
        has_weight: BoolArray | slice,
        workers: Workers,
        log: Log,
    ) -> Generator[State, None, tuple[FitInput, list[RestartRun]]]:
        """Yield the states of all iterations; return what was learned from, and the last runs.

        The data choose what was not given of the family, by no seed; restarts take the recipes; and
        covariates of membership, which searches leave out, are learned by a last EM.
        """
        steps: list[Step] = []
        most, settings = int(self.max_iter), self._settings
        run = Run(data, Randomness.from_seed(0), workers, most, log=log, settings=settings)
        family = yield from recorded(choose(run, family, self._count()), steps)
        fit_input = FitInput(data, prepared(family, data, self._count()), has_weight)
        searched = fit_input.without_covariates()
        recipes = self._recipes(fit_input.family, searched.data.observations)
        self.seed_ = seed = log.remembered(self._seed, always=True)
        starts = self._starts_of(searched, recipes[0], seed, workers)
        run = replace(run, data=searched.data)
        runs = [partial(self._run, run, seed, number, one) for number, one in enumerate(starts)]
        finalists = yield from run_restarts(recipes, runs, self._rank, steps)
        if isinstance(data.observations, WithCovariates):
            finalists = yield from self._learn_membership(fit_input, recipes, finalists)
        return fit_input, finalists

    def _learn_membership(
        self, fit_input: FitInput, recipes: Sequence[Recipe], runs: Sequence[RestartRun]
    ) -> Generator[State, None, list[RestartRun]]:
        """Let runs go on by EM with covariates of membership."""
        check_covariates(fit_input.data.observations, self._count())
        for one in runs:
            one.mixture = with_gate(one.mixture, fit_input)
            one.run = replace(one.run, data=fit_input.data)
        recipe = polishing(recipes, fit_input.family, self._settings)
        return (yield from go_on(runs, recipe, len(recipes), self._rank))

    def _starts_of(
        self, fit_input: FitInput, recipe: Recipe, seed: int, workers: Workers
    ) -> Sequence[Callable[[], MixtureState]]:
        """Return one start per run, with a background if there may be noise or outliers."""
        starts = self._starts(fit_input, recipe, seed, workers)
        if not self.noise and not fit_input.family.outliers:
            return starts
        weight = None if self.noise else outlier_weight_of(fit_input)
        return with_noise(starts, fit_input, Randomness.from_seed(seed).starter(), weight)

    def _finish(
        self,
        fit_input: FitInput,
        all_data: Data,
        finalists: Sequence[RestartRun],
        all_known: IntArray | None,
    ) -> None:
        """Set the fitted attributes from the best of the runs that took all recipes."""
        self.__dict__.pop("_stream", None)
        remember_features(self, all_data)
        order = self._order(finalists[0].mixture, all_known)
        ordered = replace(finalists[0], mixture=finalists[0].mixture.in_order(order))
        self._take(ordered, order)
        self.component_labels_ = self._predict(all_data)
        if all_known is not None:
            self.component_labels_ = np.where(all_known >= 0, all_known, self.component_labels_)
        self._set_clusters(self._merged(fit_input))
        self.labels_ = self.component_labels_
        if self.n_clusters_ < self.n_components_:
            self.labels_ = self._over_blocks(self._best_cluster, all_data)
        self._judge(fit_input, [ordered, *finalists[1:]])

    def _merged(self, fit_input: FitInput) -> IntArray | None:
        """Return the cluster of each component (K,), if components are merged."""
        return None

    def _order(self, mixture: MixtureState, known: IntArray | None) -> IntArray:
        """Return which component has each number in the fitted mixture; `known` are labels."""
        return np.arange(len(mixture.bank))

    def _training_data(
        self, family: Family, all_data: Data, sample_weight: object, all_known: IntArray | None
    ) -> tuple[TrainingData, BoolArray | slice]:
        """Check the arguments of `fit`; return the observations with weight, and which these are.

        Their weights and known labels are with them.
        """
        data, sample_weight, has_weight = weigh(all_data, sample_weight)
        data = data.kept() if isinstance(data, Remote) else data
        known = None if all_known is None else all_known[has_weight]
        self._check_size(data)
        check_magnitudes(data.numbers(), family.largest_number)
        check_enough_unknown(known, family, self._count())
        return TrainingData(data, sample_weight, known), has_weight

    @staticmethod
    def _run(run: Run, seed: int, number: int, start: Callable[[], MixtureState]) -> Run:
        """Return the run of a restart, which has random numbers and a start of its own."""
        randomness = Randomness.from_seed(seed, number)
        return replace(run, randomness=randomness, origin=run.log.remembered(start))

    def _watched(self, states: Generator[State, None, T], log: Log) -> T:
        """Show every new state to whoever watches, and return what the generator returns."""
        with self._watcher() as watch:
            while True:
                try:
                    state = next(states)
                    if not log.is_recalling:
                        watch(state if self.noise else state_of_components(state))
                except StopIteration as end:
                    return end.value

    def partial_fit(self, X: object, y: object = None, sample_weight: object = None) -> Self:
        """Learn from one more batch of a stream.

        The first batch is fitted as by `fit`. Every further one moves the components by a step
        of stepwise EM (Cappé & Moulines 2009): its statistics are averaged with those of all
        batches before, the newest weighing most. `labels_` and `lower_bound_` are the batch's. The
        background of noise is that of the first batch. `problems_` is empty from the second batch
        on: nothing is looked for then.
        """
        if self.membership is not None:
            raise ValueError(
                "partial_fit learns no covariates of membership: set membership=None, or call fit."
            )
        if self.checkpoint is not None:
            raise ValueError(
                "partial_fit writes no checkpoint: set checkpoint=None, and save the model after a"
                " batch."
            )
        if not hasattr(self, "_stream"):
            family = self._family()
            Stream.begin(family, 1)  # which raises, before anything is fitted, if it cannot be
            self.fit(X, y, sample_weight)
            self._stream = Stream.begin(family, len(self._state.sources))
        else:
            self.problems_ = ()
        batch = self._observe(X, y)
        data, sample_weight, _ = weigh(batch, sample_weight)
        with self._workers() as workers:
            stream, mixture, score = self._stream.learn(
                TrainingData(data, sample_weight), self._state, workers
            )
        if not np.isfinite(score):
            raise InputError(
                f"{DATA} has observations that are impossible under every component, so nothing can"
                " be"
                " learned from this batch: leave them out, or rescale them as the batches before."
            )
        self._stream, self.lower_bound_ = stream, score
        self._set_mixture(mixture)
        self.component_labels_ = self._predict(batch)
        self.labels_ = self._over_blocks(self._best_cluster, batch)
        return self

    def fit_predict(
        self,
        X: object,
        y: object = None,
        sample_weight: object = None,
        labels: object = None,
        covariates: object = None,
    ) -> IntArray:
        """Learn the mixture and return the component of each observation, shape (n,)."""
        return self.fit(X, y, sample_weight, labels, covariates).labels_

    def _check_parameters(self) -> None:
        self._check_number()
        check_count("n_init", self.n_init)
        check_count("max_iter", self.max_iter, self._fewest_iterations, most=sys.maxsize)
        check_options(self.n_jobs, self.verbose, self.noise)
        if self.checkpoint is not None:
            read_path("checkpoint", self.checkpoint)

    def _check_number(self) -> None:
        check_count("n_components", self.n_components)

    def _check_size(self, data: Data) -> None:
        check_size(data, self._count())
        self._check_distinct(data)

    def _check_distinct(self, data: Data) -> None:
        check_distinct(data, self._count())

    def _take(self, winner: RestartRun, order: IntArray) -> None:
        """Set the fitted attributes from the run that won, whose components are in a new order.

        A background that is no noise is of use only while the mixture is learned.
        """
        mixture, steps = winner.mixture, winner.steps
        if mixture.background is not None and not self.noise:
            mixture = mixture.without_background()
            steps = [replace(one, counts=one.counts[: len(mixture.bank)]) for one in steps]
        self._set_mixture(mixture)
        self.history_ = History.of(steps).in_order(order)
        self.n_iter_ = self.history_.n_iter
        self.converged_ = winner.converged
        self.lower_bound_ = winner.objective
        if not np.isfinite(self.lower_bound_):
            raise InputError(
                f"The log-likelihood of {DATA} is not finite: some observation is impossible under"
                " every component that was learned, or lies too far from the others. Rescale the"
                " columns, leave far outliers out, or use another family."
            )

    def _judge(self, fit_input: FitInput, finalists: Sequence[RestartRun]) -> None:
        """Find what may mislead about the run that won."""
        with self._workers() as workers:
            sizes = self._sizes(fit_input, workers)
            data, family = fit_input.data, fit_input.family
            self.problems_ = find_problems(data, family, finalists, sizes, workers)

    def _sizes(self, fit_input: FitInput, workers: Workers) -> IntArray:
        """Return how many observations are assigned to each component, shape (K,)."""
        k = self.n_components_
        if isinstance(fit_input.data.observations, Remote):
            return count_members(fit_input.data, self._state, workers)[:k]
        labels = self.component_labels_[fit_input.has_weight]
        return np.bincount(labels[labels >= 0], minlength=k)
