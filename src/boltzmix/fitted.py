"""Methods of a fitted mixture: predict, score, sample, impute and report."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted

from .comparison import Comparison
from .data import (
    DATA,
    Data,
    FloatArray,
    InputError,
    IntArray,
    Remote,
    WithCovariates,
    as_known,
    check_flag,
    fill_in,
    without_covariates,
)
from .families import Family
from .families.contract.capabilities import as_regression
from .families.contract.gate import Gate
from .inputs import (
    as_seed,
    check_features,
    check_log_densities,
    check_n_samples,
    check_predictions,
    observe,
    observe_with_covariates,
)
from .learning import History, MixtureState, Problem, Stream, Workers
from .learning.parts.assignment import log_likelihood, responsibilities
from .merging import in_clusters

NOISE = -1  # the label of an observation that comes from no component


class FittedMixture(DensityMixin, BaseEstimator):
    """A mixture of fitted components, and what it says of observations.

    Tables, pictures, reports, inference and files take one of these.
    """

    _mixture: MixtureState
    _stream: Stream
    history_: History
    n_iter_: int
    converged_: bool
    lower_bound_: float
    fit_time_: float
    seed_: int
    fit_arguments_: tuple[str, ...]
    problems_: tuple[Problem, ...]
    labels_: IntArray
    component_labels_: IntArray
    n_features_in_: int
    feature_names_in_: IntArray
    comparison_: Comparison
    about_: dict[str, Any]
    written_by_: dict[str, str]
    n_init: int
    components_: tuple[Family, ...]
    n_components_: int
    clusters_: IntArray
    n_clusters_: int
    weights_: FloatArray
    noise_weight_: float
    membership_: Gate | None
    random_state: Any
    n_jobs: int | None = None
    noise: bool = False

    def predict(self, X: object, y: object = None, covariates: object = None) -> IntArray:
        """Return the most probable cluster of each observation, shape (n,); -1 for noise.

        Every component is a cluster, unless `n_clusters` merged several into one.
        """
        found: IntArray = self._over_blocks(self._best_cluster, self._observe(X, y, covariates))
        return found

    def predict_proba(self, X: object, y: object = None, covariates: object = None) -> FloatArray:
        """Return the probability of each cluster for each observation, shape (n, C).

        With noise, its probability is in one more column, the last.
        """
        return self._over_blocks(self._in_clusters, self._observe(X, y, covariates))

    def predict_components(
        self, X: object, y: object = None, covariates: object = None
    ) -> IntArray:
        """Return the most probable component of each observation, shape (n,); -1 for noise."""
        return self._predict(self._observe(X, y, covariates))

    def predict_component_proba(
        self, X: object, y: object = None, covariates: object = None
    ) -> FloatArray:
        """Return the probability of each component for each observation, shape (n, K).

        With noise, its probability is in one more column, the last.
        """
        return self._over_blocks(_responsibilities, self._observe(X, y, covariates))

    def score_samples(self, X: object, y: object = None, covariates: object = None) -> FloatArray:
        """Return the log density of each observation under the mixture, shape (n,)."""
        return self._over_blocks(log_likelihood, self._observe(X, y, covariates))

    def score(self, X: object, y: object = None, covariates: object = None) -> float:
        """Return the mean log density of an observation."""
        with np.errstate(over="ignore"):
            return float(self.score_samples(X, y, covariates).mean())

    def predict_target(
        self, X: object, covariates: object = None, *, by_component: bool = False
    ) -> FloatArray:
        """Return the expected targets of inputs X, where components are regressions or curves.

        It is the mean of the components' predictions, by their weights: those of the mixture, or,
        where membership depends on covariates, those of the row. Noise is left out. `predict`
        returns the component instead, and needs the targets for it.

        Parameters
        ----------
        X : array or frame, shape (n, p)
            The inputs, or a frame with their columns, and those of membership if there are such;
            targets are not used. For growth curves, times (n,).
        covariates : frame or array, optional
            As in `fit`, if membership depends on columns that are not in X.
        by_component : bool, default=False
            Whether to return the prediction of each component, in place of their mean.

        Returns
        -------
        array, shape (n,), or (n, m) for m targets
            With `by_component`, shape (n, K) or (n, K, m).

        Examples
        --------
        >>> from boltzmix import Mixture
        >>> from boltzmix.families import LinearRegression
        >>> x = np.linspace(0, 1, 50)
        >>> X, y = np.tile(x, 2)[:, None], np.concatenate([3 * x, 5 - x])
        >>> model = Mixture(LinearRegression(), 2, random_state=0).fit(X, y)
        >>> model.predict_target([[1.0]]).round(2)
        array([3.5])
        """
        check_is_fitted(self)
        check_flag("by_component", by_component)
        with np.errstate(over="ignore", invalid="ignore"):
            predictions = np.stack(
                [as_regression(one).predict(X) for one in self.components_], axis=1
            )
        check_predictions(predictions)
        if by_component:
            return predictions
        if self.membership_ is not None:
            weights = self.membership_.predict_proba(X if covariates is None else covariates)
        else:
            weights = np.broadcast_to(self.weights_ / self.weights_.sum(), predictions.shape[:2])
        return np.einsum("nk,nk...->n...", weights, predictions)

    def impute(self, X: object, covariates: object = None) -> Any:
        """Return a copy of a frame or array with its missing values filled from the mixture.

        A number is filled with its mean, given the observed values of its row: a mean over
        components, weighted by their probabilities for the row. A category is filled with the most
        probable one. Noise is left out.
        """
        X = as_known(X)
        data: Any = self._observe(X, None, covariates)
        rows = without_covariates(data)
        if not hasattr(rows, "named"):
            raise ValueError(
                f"impute fills rows of a frame or array, and those of {self.components_[0].name}"
                " are something else."
            )
        mixture, log_weights = self._state, self._state.log_weights[: self.n_components_]
        alone = replace(mixture, background=None)

        def fill(block: Any, place: slice) -> FloatArray:
            log_densities = alone.evaluate(block, is_rounded=False).log_densities
            found = responsibilities(log_densities, log_weights)[0]
            return mixture.bank.fill(without_covariates(block), found)

        with self._workers() as workers:
            filled = np.concatenate(list(workers.map(fill, data, alone)))
        return fill_in(X, rows.named(filled), rows.feature_names)

    def read(self, X: object, y: object = None, covariates: object = None) -> Data:
        """Return observations as this mixture reads them, with their covariates if it has any.

        All methods, plots and reports take what it returns in place of X, which is of use where
        covariates are not columns of X.
        """
        return self._observe(X, y, covariates)

    def sample(self, n_samples: int = 1, covariates: object = None) -> tuple[Any, IntArray]:
        """Draw observations from the mixture.

        Parameters
        ----------
        n_samples : int, default=1
        covariates : frame or array, optional
            Where membership depends on covariates: one observation is drawn for each row of these,
            in their order, and `n_samples` is of no use.

        Returns
        -------
        X : observations, grouped by component unless there are covariates
        labels : array of int, shape (n_samples,)
            The component each came from; -1 for noise, which comes last.
        """
        check_is_fitted(self)
        check_n_samples(n_samples)
        rng = np.random.default_rng(as_seed(self.random_state))
        if self.membership_ is None:
            return self._draw(n_samples, rng)
        if covariates is None:
            raise ValueError(
                "Membership depends on covariates, so no observation can be drawn without them:"
                " pass a row of covariates for each one to draw, as in sample(covariates=frame)."
            )
        return self._draw_given(self.membership_.predict_proba(covariates), rng)

    def _draw(self, n_samples: int, rng: np.random.Generator) -> tuple[Any, IntArray]:
        counts = rng.multinomial(n_samples, self._state.joint_weights)
        labels = _named(np.repeat(np.arange(len(counts)), counts), len(self.components_))
        return self._draw_members(counts, rng), labels

    def _draw_given(self, weights: FloatArray, rng: np.random.Generator) -> tuple[Any, IntArray]:
        """Draw an observation for each row of mixing weights (n, K), in their order."""
        n_backgrounds = len(self._state.sources) - self.n_components_
        noise = np.full((len(weights), n_backgrounds), self.noise_weight_)
        together = np.hstack([weights * (1 - self.noise_weight_), noise])
        places = (rng.random((len(weights), 1)) > together.cumsum(axis=1)[:, :-1]).sum(axis=1)
        drawn = self._draw_members(np.bincount(places, minlength=together.shape[1]), rng)
        order = np.argsort(np.argsort(places, kind="stable"))
        shuffled = [drawn[k] for k in order] if isinstance(drawn, list) else drawn[order]
        return shuffled, _named(places, len(self.components_))

    def _draw_members(self, counts: IntArray, rng: np.random.Generator) -> Any:
        """Draw so many observations from each component, and from noise if there is any."""
        drawn = [
            one.sample(n, rng) for one, n in zip(self._state.sources, counts, strict=True) if n
        ]
        if isinstance(drawn[0], list):
            return list(chain.from_iterable(drawn))
        return np.concatenate(drawn)

    def bic(self, X: object, y: object = None, covariates: object = None) -> float:
        """Return the Bayesian information criterion: the lower, the better.

        It counts observations. For sequences, it counts their steps, as parameters of chains are
        learned from these.
        """
        data = self._observe(X, y, covariates)
        scores = self._over_blocks(log_likelihood, data)
        return -2 * _total(scores) + self._state.n_parameters * float(np.log(data.n_counted))

    def aic(self, X: object, y: object = None, covariates: object = None) -> float:
        """Return Akaike's information criterion: the lower, the better."""
        scores = self.score_samples(X, y, covariates)
        return -2 * _total(scores) + 2 * self._state.n_parameters

    def icl(self, X: object, y: object = None, covariates: object = None) -> float:
        """Return the integrated completed likelihood criterion: the lower, the better.

        It is the BIC plus a price for observations whose component is uncertain.
        """
        certainty = np.log(self.predict_component_proba(X, y, covariates).max(axis=1)).sum()
        return float(self.bic(X, y, covariates) - 2 * certainty)

    @property
    def _comparison(self) -> Comparison | None:
        """The criterion that chose the number of components, if that was open."""
        return getattr(self, "comparison_", None)

    @property
    def _names(self) -> tuple[str, ...]:
        """The names of the columns, if they have names."""
        return tuple(map(str, getattr(self, "feature_names_in_", ())))

    def _column_names(self) -> list[str]:
        """Return the names of the columns, or their numbers if they have no names."""
        return list(self._names) or list(map(str, range(self.n_features_in_)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "components_")

    def _observe(self, X: object, y: object = None, covariates: object = None) -> Data:
        """Read observations for a fitted mixture, and see that they have the same columns."""
        check_is_fitted(self)
        data = self._read(X, y, covariates)
        check_features(self, data)
        if len(data) == 0:
            raise InputError(f"{DATA} is empty: it has no observation.")
        return data

    def _in_memory(self, X: object, y: object = None, covariates: object = None) -> Data:
        """Read observations; raise if they are elsewhere."""
        data = self._observe(as_known(X), y, covariates)
        if isinstance(data, Remote):
            raise InputError(
                f"{DATA} is not in memory, where it is needed here: pass a sample of the rows, as"
                " an array or a frame."
            )
        return data

    def _read(self, X: object, y: object, covariates: object) -> Data:
        if self.membership_ is not None:
            design = self.membership_.design
            return observe_with_covariates(self.components_[0], X, y, design, covariates)
        if covariates is not None or isinstance(X, WithCovariates):
            raise ValueError(
                "covariates were given, but this mixture was fitted without membership: leave"
                " covariates out."
            )
        return observe(self.components_[0], X, y)

    def _set_mixture(self, mixture: MixtureState) -> None:
        self._mixture = mixture.mixture
        self.components_ = mixture.components
        self.n_components_ = len(self.components_)
        self.membership_ = mixture.gate
        self.weights_, self.noise_weight_ = mixture.weights, mixture.noise_weight

    @property
    def _state(self) -> MixtureState:
        """The fitted mixture, with the noise if there is any."""
        return self._mixture

    def _predict(self, data: Data) -> IntArray:
        n_components = len(self.components_)
        found: IntArray = self._over_blocks(partial(_best_or_noise, n_components), data)
        return found

    def _in_clusters(self, log_probs: FloatArray, log_weights: FloatArray) -> FloatArray:
        """Return the probabilities of clusters, shape (n, C), and of noise if there is any."""
        found = _responsibilities(log_probs, log_weights)
        if self.n_clusters_ == self.n_components_:
            return found
        return in_clusters(found, self.clusters_)

    def _best_cluster(self, log_probs: FloatArray, log_weights: FloatArray) -> IntArray:
        """Return the most probable cluster of each observation, shape (n,); -1 for noise."""
        best = self._in_clusters(log_probs, log_weights).argmax(axis=1)
        return _named(best.astype(np.int32), self.n_clusters_)

    def _set_clusters(self, clusters: IntArray | None = None) -> None:
        """Set which cluster each component belongs to; one each, if that is not given."""
        k = len(self.components_)
        self.clusters_ = np.arange(k) if clusters is None else clusters
        self.n_clusters_ = int(self.clusters_.max()) + 1

    def _over_blocks(
        self, function: Callable[[FloatArray, FloatArray], FloatArray | IntArray], data: Data
    ) -> Any:
        """Apply a function of log densities and log weights to each block, and join the results.

        Those of remote data are a lazy collection.
        """
        mixture, log_weights = self._state, self._state.log_weights

        def evaluate(block: Any, place: slice) -> FloatArray | IntArray:
            with np.errstate(over="ignore", invalid="ignore"):
                log_probs = mixture.evaluate(block, is_rounded=False).log_densities
            check_log_densities(log_probs, place.start)
            return function(log_probs, log_weights)

        if isinstance(data, Remote):
            nothing = function(np.empty((0, len(log_weights))), log_weights)
            return data.for_each(evaluate, mixture.n_columns, nothing)
        with self._workers() as workers:
            return np.concatenate(list(workers.map(evaluate, data, mixture)))

    def _workers(self) -> Workers:
        return Workers(effective_n_jobs(-1 if self.n_jobs is None else self.n_jobs))


def _responsibilities(log_probs: FloatArray, log_weights: FloatArray) -> FloatArray:
    return responsibilities(log_probs, log_weights)[0]


def _best_or_noise(n_components: int, log_probs: FloatArray, log_weights: FloatArray) -> IntArray:
    """Return the most probable component of each observation, shape (n,); -1 for noise."""
    best = responsibilities(log_probs, log_weights)[0].argmax(axis=1)
    return _named(best.astype(np.int32), n_components)


def _named(places: IntArray, n_components: int) -> IntArray:
    """Return labels, from places in the bank: that of noise is minus one."""
    return np.where(places < n_components, places, NOISE).astype(places.dtype)


def _total(scores: FloatArray) -> float:
    """Return the sum of log densities; minus infinity where it overflows."""
    with np.errstate(over="ignore"):
        return float(scores.sum())
