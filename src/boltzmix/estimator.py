"""The base class of all mixture estimators: fit, predict, score and sample."""

import warnings
from abc import abstractmethod
from collections.abc import Callable, Generator, Sequence
from functools import partial
from itertools import chain
from numbers import Integral
from time import perf_counter
from typing import Any, NamedTuple, Self

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from .data import BoolArray, Data, FloatArray, IntArray, fill_in
from .families import Family
from .families.noise import NoisyBank
from .inputs import (
    as_seed,
    check_count,
    check_enough_unknown,
    check_features,
    read_labels,
    remember_features,
    weigh,
)
from .learning import (
    History,
    MixtureState,
    Racer,
    Randomness,
    Recipe,
    Run,
    State,
    Stream,
    TrainingData,
    Workers,
    race,
)
from .learning.parts.assignment import best_component, log_likelihood, responsibilities
from .report import Report, find
from .saving import SavedModel
from .views import Symbols, component_table, watcher

NOISE = -1  # the label of an observation that comes from no component
FIRST_NOISE = 0.05  # its weight before any is learned


class Given(NamedTuple):
    """What a mixture is to be learned from.

    Parameters
    ----------
    data : TrainingData
        The observations that have weight.
    family : Family
    has_weight : array of bool, shape (n,), or slice
        Which of all observations these are.
    """

    data: TrainingData
    family: Family
    has_weight: BoolArray | slice


class BaseMixture(SavedModel, DensityMixin, BaseEstimator):
    """A mixture; subclasses choose its family, recipes and starts."""

    n_components: int
    n_init: int
    max_iter: int
    random_state: Any
    verbose: Any
    n_jobs: int | None = None
    noise: bool = False

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
        given: "Given",
        recipe: Recipe,
        seed: int,
        workers: Workers,
    ) -> Sequence[Callable[[], MixtureState]]:
        """Return one start per run, made when it is called."""

    def _seed(self) -> int:
        return as_seed(self.random_state)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, labels: Any = None) -> Self:
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
        """
        began = perf_counter()
        self._check_parameters()
        family = self._family()
        everything = family.observe(X, y)
        all_known = read_labels(labels, len(everything), self.n_components)
        given = self._given(family, everything, sample_weight, all_known)
        recipes = self._recipes(given.family, given.data.observations)
        seed = self._seed()
        with self._workers() as workers:
            starts = self._starts(given, recipes[0], seed, workers)
            if self.noise:
                starts = _with_noise(starts, given, Randomness.from_seed(seed).starter())
            runs = [
                partial(self._run, given.data, seed, number, start, workers)
                for number, start in enumerate(starts)
            ]
            winner = self._watched(race(recipes, runs))
        self.__dict__.pop("_stream", None)
        remember_features(self, everything)
        self._take(winner)
        self.labels_ = self._predict(everything)
        if all_known is not None:
            self.labels_ = np.where(all_known >= 0, all_known, self.labels_)
        self.fit_time_ = perf_counter() - began
        return self

    def _given(
        self, family: Family, everything: Data, sample_weight: Any, all_known: IntArray | None
    ) -> Given:
        """Check what `fit` was given, and leave out observations without weight."""
        data, sample_weight, has_weight = weigh(everything, sample_weight)
        known = None if all_known is None else all_known[has_weight]
        self._check_size(data)
        check_enough_unknown(known, family, self.n_components)
        family = family.prepare(data, self.n_components, sample_weight)
        if sample_weight is not None and not family.weighted:
            raise ValueError(
                f"sample_weight was given, but fit of {family.name} takes no weights:"
                " leave sample_weight out."
            )
        return Given(TrainingData(data, sample_weight, known), family, has_weight)

    def _run(
        self,
        data: TrainingData,
        seed: int,
        number: int,
        start: Callable[[], MixtureState],
        workers: Workers,
    ) -> Run:
        randomness = Randomness.from_seed(seed, number)
        return Run(data, randomness, workers, self.max_iter, origin=start())

    def _watched(self, states: Generator[State, None, Racer]) -> Racer:
        """Show every state to whoever watches, and return the run that won."""
        watch = watcher(self.verbose, self._interval)
        while True:
            try:
                watch(next(states))
            except StopIteration as end:
                return end.value

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from one more batch of a stream.

        The first batch is fitted as by `fit`. Every further one moves the components by a step
        of stepwise EM (Cappé & Moulines 2009): its statistics are averaged with those of all
        batches before, the newest weighing most. `labels_` and `lower_bound_` are the batch's. The
        background of noise is that of the first batch.
        """
        if not hasattr(self, "_stream"):
            stream = Stream.begin(self._family(), self.n_components + int(self.noise))
            self.fit(X, y, sample_weight)
            self._stream = stream
        batch = self._observe(X, y)
        data, sample_weight, _ = weigh(batch, sample_weight)
        with self._workers() as workers:
            stream, mixture, score = self._stream.learn(
                TrainingData(data, sample_weight), MixtureState(self._bank, self._mixing), workers
            )
        if not np.isfinite(score):
            raise ValueError(
                "X has observations that are impossible under every component, so nothing can be"
                " learned from this batch: leave them out, or rescale them as the batches before."
            )
        self._stream, self.lower_bound_ = stream, score
        self._set_mixture(mixture)
        self.labels_ = self._predict(batch)
        return self

    def fit_predict(
        self, X: Any, y: Any = None, sample_weight: Any = None, labels: Any = None
    ) -> IntArray:
        """Learn the mixture and return the component of each observation, shape (n,)."""
        return self.fit(X, y, sample_weight, labels).labels_

    def predict(self, X: Any, y: Any = None) -> IntArray:
        """Return the most probable component of each observation, shape (n,); -1 for noise."""
        return self._predict(self._observe(X, y))

    def predict_proba(self, X: Any, y: Any = None) -> FloatArray:
        """Return the probability of each component for each observation, shape (n, K).

        With noise, its probability is in one more column, the last.
        """
        return self._over_blocks(
            lambda log_probs, log_weights: responsibilities(log_probs, log_weights)[0],
            self._observe(X, y),
        )

    def score_samples(self, X: Any, y: Any = None) -> FloatArray:
        """Return the log density of each observation under the mixture, shape (n,)."""
        return self._over_blocks(log_likelihood, self._observe(X, y))

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean log density of an observation."""
        return float(self.score_samples(X, y).mean())

    def impute(self, X: Any) -> Any:
        """Return a copy of a frame or array with its missing values filled from the mixture.

        A number is filled with its mean, given the observed values of its row: a mean over
        components, weighted by their probabilities for the row. A category is filled with the most
        probable one. Noise is left out.
        """
        data: Any = self._observe(X, None)
        if not hasattr(data, "named"):
            raise ValueError(
                f"impute fills rows of a frame or array, and those of {self.components_[0].name}"
                " are something else."
            )
        bank, log_weights = self.components_[0].bank(self.components_), np.log(self.weights_)

        def fill(place: slice) -> FloatArray:
            block = data.take(place)
            found = responsibilities(bank.log_prob(block), log_weights)[0]
            return bank.fill(block, found)

        with self._workers() as workers:
            filled = np.concatenate(list(workers.map(fill, data, bank)))
        return fill_in(X, data.named(filled), data.feature_names)

    def sample(self, n_samples: int = 1) -> tuple[Any, IntArray]:
        """Draw observations from the mixture.

        Returns
        -------
        X : observations, grouped by component
        labels : array of int, shape (n_samples,)
            The component each came from; -1 for noise, which comes last.
        """
        check_is_fitted(self)
        check_count("n_samples", n_samples)
        rng = np.random.default_rng(as_seed(self.random_state))
        counts = rng.multinomial(n_samples, self._mixing)
        sources = [*self.components_, *self._backgrounds]
        drawn = [one.sample(n, rng) for one, n in zip(sources, counts, strict=True) if n]
        labels = self._named(np.repeat(np.arange(len(counts)), counts))
        if isinstance(drawn[0], list):
            return list(chain.from_iterable(drawn)), labels
        return np.concatenate(drawn), labels

    def bic(self, X: Any, y: Any = None) -> float:
        """Return the Bayesian information criterion: the lower, the better."""
        scores = self.score_samples(X, y)
        return float(-2 * scores.sum() + self._n_parameters() * np.log(len(scores)))

    def aic(self, X: Any, y: Any = None) -> float:
        """Return Akaike's information criterion: the lower, the better."""
        return float(-2 * self.score_samples(X, y).sum() + 2 * self._n_parameters())

    def icl(self, X: Any, y: Any = None) -> float:
        """Return the integrated completed likelihood criterion: the lower, the better.

        It is the BIC plus a price for observations whose component is uncertain.
        """
        certainty = np.log(self.predict_proba(X, y).max(axis=1)).sum()
        return float(self.bic(X, y) - 2 * certainty)

    def report(self, X: Any, y: Any = None, symbols: Symbols | None = None) -> Report:
        """Return a report on how this mixture sees some observations, those fitted to or others.

        A notebook shows it; ``report.save("report.html")`` writes it as one file, which opens in
        any browser and needs no network.

        Parameters
        ----------
        X, y : as in `fit`
        symbols : mapping of column names to sequences, optional
            What codes stand for, where columns hold codes.
        """
        check_is_fitted(self)
        return Report(find(self, X, y, symbols))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "components_")

    def _repr_html_(self) -> str:
        summary = estimator_html_repr(self)
        if not self.__sklearn_is_fitted__():
            return str(summary)
        return f"{summary}{component_table(self)}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _check_parameters(self) -> None:
        check_count("n_components", self.n_components)
        check_count("n_init", self.n_init)
        check_count("max_iter", self.max_iter)
        if self.n_jobs is not None and (not isinstance(self.n_jobs, Integral) or not self.n_jobs):
            raise ValueError(
                f"n_jobs must be None or a whole number other than zero, not {self.n_jobs!r}."
            )
        if not isinstance(self.verbose, Integral) and not callable(self.verbose):
            raise ValueError(f"verbose must be a whole number or a function, not {self.verbose!r}.")
        if not isinstance(self.noise, bool | np.bool_):
            raise ValueError(
                f"noise must be True or False, not {self.noise!r}: how much noise there is, is"
                " learned."
            )

    def _check_size(self, data: Data) -> None:
        n, k = len(data), self.n_components
        if n == 0:
            raise ValueError("X is empty: there is nothing to learn from.")
        if k > n:
            raise ValueError(
                f"n_components={k} is more than the n_samples = {n} observation(s) there are:"
                f" use at most {n}."
            )
        distinct = data.count_distinct(k)
        if distinct < k:
            raise ValueError(
                f"n_components={k}, but only {distinct} of the {n} observations are distinct:"
                f" use at most {distinct}."
            )

    def _observe(self, X: Any, y: Any) -> Data:
        """Read observations for a fitted mixture, and see that they have the same columns."""
        check_is_fitted(self)
        data = self.components_[0].observe(X, y)
        check_features(self, data)
        if len(data) == 0:
            raise ValueError("X is empty: it has no observation.")
        return data

    def _take(self, winner: Racer) -> None:
        """Set the fitted attributes from the run that won."""
        self._set_mixture(winner.mixture)
        self.history_ = History.of(winner.steps)
        self.n_iter_ = self.history_.n_iter
        self.converged_ = winner.converged
        self.lower_bound_ = winner.log_likelihood
        if not winner.converged:
            warnings.warn(
                f"{self.history_.phases[-1]} did not converge within max_iter={self.max_iter}"
                " iterations: raise max_iter, or check the data.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _set_mixture(self, mixture: MixtureState) -> None:
        self._bank, mixing = mixture.bank, mixture.weights
        self.components_ = self._bank.components
        self.weights_ = mixing[: len(self.components_)]
        self.noise_weight_ = float(mixing[len(self.components_) :].sum())

    @property
    def _mixing(self) -> FloatArray:
        """The weights of the components, and of the noise if there is any."""
        return np.append(self.weights_, self.noise_weight_)[: len(self._bank)]

    @property
    def _backgrounds(self) -> tuple[Family, ...]:
        """The background distribution of noise, if there is any."""
        return (self._bank.background,) if isinstance(self._bank, NoisyBank) else ()

    def _named(self, places: IntArray) -> IntArray:
        """Return labels, from places in the bank: that of noise is minus one."""
        return np.where(places < len(self.components_), places, NOISE).astype(places.dtype)

    def _predict(self, data: Data) -> IntArray:
        return self._named(self._over_blocks(best_component, data))

    def _over_blocks(
        self, function: Callable[[FloatArray, FloatArray], FloatArray | IntArray], data: Data
    ) -> Any:
        """Apply a function of log densities and log weights to each block, and join the results."""
        bank, log_weights = self._bank, np.log(self._mixing)
        with self._workers() as workers:
            parts = workers.map(
                lambda place: function(bank.log_prob(data.take(place)), log_weights), data, bank
            )
            return np.concatenate(list(parts))

    def _n_parameters(self) -> int:
        return self._bank.n_parameters + len(self._bank) - 1

    def _workers(self) -> Workers:
        return Workers(effective_n_jobs(-1 if self.n_jobs is None else self.n_jobs))


def _with_noise(
    starts: Sequence[Callable[[], MixtureState]], given: Given, rng: np.random.Generator
) -> Sequence[Callable[[], MixtureState]]:
    """Add to each start a background for noise, which has no members yet."""
    data = given.data
    background = given.family.background(data.observations, data.sample_weight, rng)

    def begin(start: Callable[[], MixtureState]) -> MixtureState:
        made = start()
        weights = np.append((1 - FIRST_NOISE) * made.weights, FIRST_NOISE)
        return MixtureState(NoisyBank(made.bank, background), weights)

    return [partial(begin, start) for start in starts]
