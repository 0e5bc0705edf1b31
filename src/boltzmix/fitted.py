"""What a fitted mixture can do: predict, score, sample, impute and report."""

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from .data import Data, FloatArray, IntArray, Remote, check_in_memory, fill_in
from .families import Bank, Family
from .families.noise import NoisyBank
from .inference import Bootstrap, Interpreted, make_bootstrap
from .inference.named_values import named_values
from .inputs import (
    as_seed,
    check_count,
    check_features,
    check_remote,
    observe,
    read_labels,
    weigh,
)
from .learning import MixtureState, TrainingData, Workers
from .learning.parts.assignment import best_component, log_likelihood, responsibilities
from .report import Report, find
from .saving import SavedModel
from .views import Symbols, component_table

NOISE = -1  # the label of an observation that comes from no component


class FittedMixture(Interpreted, SavedModel, DensityMixin, BaseEstimator):
    """A mixture of fitted components, and what it says of observations."""

    _bank: Bank
    components_: tuple[Family, ...]
    n_components_: int
    weights_: FloatArray
    noise_weight_: float
    random_state: Any
    n_jobs: int | None = None
    noise: bool = False

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
        check_in_memory(X)
        data: Any = self._observe(X, None)
        if not hasattr(data, "named"):
            raise ValueError(
                f"impute fills rows of a frame or array, and those of {self.components_[0].name}"
                " are something else."
            )
        bank, log_weights = self.components_[0].bank(self.components_), np.log(self.weights_)

        def fill(block: Any, place: slice) -> FloatArray:
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
        return self._draw(n_samples, np.random.default_rng(as_seed(self.random_state)))

    def _draw(self, n_samples: int, rng: np.random.Generator) -> tuple[Any, IntArray]:
        counts = rng.multinomial(n_samples, self._mixing)
        sources = [*self.components_, *self._backgrounds]
        drawn = [one.sample(n, rng) for one, n in zip(sources, counts, strict=True) if n]
        labels = _named(np.repeat(np.arange(len(counts)), counts), len(self.components_))
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

    def bootstrap(
        self,
        X: Any,
        y: Any = None,
        n: int = 200,
        *,
        kind: str | None = None,
        sample_weight: Any = None,
        labels: Any = None,
        random_state: Any = None,
    ) -> Bootstrap:
        """Return standard errors and intervals of all parameters, by a bootstrap.

        Data sets that could have been observed instead are made, and the mixture is learned from
        each by EM, beginning where it is now. Components are matched to those of this mixture by
        their responsibilities. Replicates in which a component is another one, or has vanished, are
        counted and left out.

        Priors, frozen scales and, for curves, everything else that was taken from all the data
        before learning stay as they are.

        Parameters
        ----------
        X, y : what the mixture was fitted to
        n : int, default=200
            Number of replicates. Intervals of 95 % want 1,000.
        kind : {"weighted", "resample", "parametric"}, optional
            How data sets are made: "weighted" gives every observation a random weight (an
            exponential one, as Newton & Raftery 1994 do), "resample" draws observations with
            replacement, "parametric" draws them from the mixture: targets at the inputs of `X`,
            sequences as long as those of `X`. If absent, it is "weighted" where the family takes
            weights, else "resample". Points on curves are weighted, drawn again or drawn from the
            curves one by one.
        sample_weight, labels : as in `fit`, if they were given
        random_state : int, Generator, RandomState or None
            The same int gives the same result, bit for bit, for any `n_jobs`.

        Returns
        -------
        Bootstrap
        """
        observed = self._observe(X, y)
        check_remote(observed, sample_weight, labels)
        known = read_labels(labels, len(observed), self.n_components_)
        data, weights, kept = weigh(observed, sample_weight)
        columns = list(map(str, getattr(self, "feature_names_in_", range(self.n_features_in_))))
        return make_bootstrap(
            TrainingData(data, weights, None if known is None else known[kept]),
            self._state,
            lambda _, mixture: named_values(mixture, columns),
            n,
            kind,
            as_seed(random_state),
            self._workers().n_threads,
        )

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

    def _observe(self, X: Any, y: Any) -> Data:
        """Read observations for a fitted mixture, and see that they have the same columns."""
        check_is_fitted(self)
        data = observe(self.components_[0], X, y)
        check_features(self, data)
        if len(data) == 0:
            raise ValueError("X is empty: it has no observation.")
        return data

    def _set_mixture(self, mixture: MixtureState) -> None:
        self._bank, mixing = mixture.bank, mixture.weights
        self.components_ = self._bank.components
        self.weights_ = mixing[: len(self.components_)]
        self.n_components_ = len(self.components_)
        self.noise_weight_ = float(mixing[self.n_components_ :].sum())

    @property
    def _state(self) -> MixtureState:
        """The fitted mixture, with the noise if there is any."""
        return MixtureState(self._bank, self._mixing)

    @property
    def _mixing(self) -> FloatArray:
        """The weights of the components, and of the noise if there is any."""
        return np.append(self.weights_, self.noise_weight_)[: len(self._bank)]

    @property
    def _backgrounds(self) -> tuple[Family, ...]:
        """The background distribution of noise, if there is any."""
        return (self._bank.background,) if isinstance(self._bank, NoisyBank) else ()

    def _predict(self, data: Data) -> IntArray:
        n_components = len(self.components_)
        found: IntArray = self._over_blocks(partial(_best_or_noise, n_components), data)
        return found

    def _over_blocks(
        self, function: Callable[[FloatArray, FloatArray], FloatArray | IntArray], data: Data
    ) -> Any:
        """Apply a function of log densities and log weights to each block, and join the results.

        Those of remote data are a lazy collection.
        """
        bank, log_weights = self._bank, np.log(self._mixing)

        def evaluate(block: Any, place: slice) -> FloatArray | IntArray:
            return function(bank.log_prob(block), log_weights)

        if isinstance(data, Remote):
            nothing = function(np.empty((0, len(bank))), log_weights)
            return data.for_each(evaluate, len(bank), nothing)
        with self._workers() as workers:
            return np.concatenate(list(workers.map(evaluate, data, bank)))

    def _n_parameters(self) -> int:
        return self._bank.n_parameters + len(self._bank) - 1

    def _workers(self) -> Workers:
        return Workers(effective_n_jobs(-1 if self.n_jobs is None else self.n_jobs))


def _best_or_noise(n_components: int, log_probs: FloatArray, log_weights: FloatArray) -> IntArray:
    """Return the most probable component of each observation, shape (n,); -1 for noise."""
    return _named(best_component(log_probs, log_weights), n_components)


def _named(places: IntArray, n_components: int) -> IntArray:
    """Return labels, from places in the bank: that of noise is minus one."""
    return np.where(places < n_components, places, NOISE).astype(places.dtype)
