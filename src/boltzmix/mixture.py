"""Mixture: the scikit-learn estimator for mixtures of any family."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from numbers import Integral
from typing import Any, Self

import numpy as np

from .choosing import ChoosingMixture
from .comparison import DEFAULT_CRITERION
from .data import Data, InputError, IntArray, as_array, marked, shown
from .families import Family
from .families.named_families import as_family, settings_of, with_settings
from .fit_input import FitInput
from .inputs import read_numbers
from .learning import (
    MixtureState,
    Randomness,
    Recipe,
    Workers,
    as_recipes,
    initialise,
)
from .learning.parts.starts import has_distances, unfitted
from .surfaces import Surfaces

NESTED = "family__"


class Mixture(Surfaces, ChoosingMixture):
    """A finite mixture of any base distribution.

    Parameters
    ----------
    family : Family, str or mapping, optional
        The base distribution of the components; `RobustGaussian()` unless given. A name, such as
        "gaussian" or "student-t", is that of the command, and stands for a family with its default
        settings. "auto" chooses a family for every column of a frame or array by its values;
        `column_families_` shows which, and why. A mapping of columns to families, as in
        ``{"income": Gamma()}`` or ``{"income": "gamma"}``, chooses those of all other columns. The
        settings of a family are parameters of the mixture, too, such as ``family__covariance``, so
        that `GridSearchCV` can search them.
    n_components : int, "auto" or several of int, default=1
        Number of components. Of several, as in ``range(1, 10)``, the best by `criterion` is
        chosen; "auto" goes on from one component until more of them are no better.
    n_clusters : int or "auto", optional
        Number of clusters. Every component is a cluster unless it is given: then components whose
        responsibilities overlap most are merged until so many clusters are left; "auto" takes the
        number that halves of the data agree on. Clusters of several components may have any shape.
        With ``n_components="auto"``, there are as many components as describe the density best.
    criterion : str, default="agreement"
        The criterion that chooses the number of components. "agreement" fits more and more
        components to random halves of the data, and takes the number whose components both halves
        have in common. Or "aic", "bic", "sabic", "caic", "icl", "effective_bic", "effective_icl" or
        "cv" (the log-likelihood of observations that are left out of a fit). See `Comparison`.
    algorithm : str, Recipe or list, default="auto"
        "auto" (explore by BEEM unless the start is by distance, move components, polish by EM;
        curves exchange observations instead), "beem" (the paper's, the same as ``BEEM()``), "em",
        "daem", "sem", "cem"; a recipe such as ``BEEM(temperature=2)``; or a list of these, run in
        turn.
    init : str, array or callable, default="auto"
        The start: "auto" ("distance" where the algorithm is "auto", close observations are
        alike and there is no `noise`, else "random"), "distance" (K-means on columns of equal
        spread, far outliers left out), "random" (a random split into equal parts), "points"
        (components as wide as the data, each at an observation), "kmeans", "kmeans++" (every
        observation joins the nearest of K that lie far apart), "smyth" (a component is fitted to
        every observation, and observations are clustered by how likely these find them), labels
        (n,), responsibilities (n, K), or a function of (data, n_components, rng) returning either.
    n_init : int, default=1
        Number of runs; the one with the highest objective is kept, among those with the fewest
        degenerate and empty components. Where several recipes run in turn, as in "auto", only
        the better half takes the last one.
    max_iter : int, default=1000
        Greatest number of iterations of each recipe.
    random_state : int, Generator, RandomState or None
        An int gives the same result in every call, bit for bit.
    n_jobs : int, optional
        Number of threads; as many as there are cores if absent. The result is the same, bit for
        bit, for any number.
    verbose : int or callable, default=0
        1 prints every tenth iteration and a line for each trial of a search, with the observations
        per second and, where it can be estimated, the remaining time of the phase; in a notebook,
        it updates one bar in place instead. 2 prints every iteration. A function is called with
        every `State`, those of trials included (`state.step.trial`).
    noise : bool, default=False
        Whether there may be outliers: observations that come from no component, but from a broad
        background that is never fitted, so that they do not bend the components. It is uniform
        over the box that holds all the data, where these are rows of numbers or sequences of such,
        else one component fitted to all the data (`Family.background`). Its weight is learned.
        A cluster that no component comes near may be taken for noise, above all where components
        are narrow, as of Poisson: then try ``init="points"`` and several runs.
    membership : str or list, optional
        Covariates that membership depends on: a formula such as ``"age + sex"``, or a list of
        columns. The mixing weights are then a function of the row, by a multinomial logit. The
        columns are taken out of X, but for inputs of regressions, which stay there; or they are
        those of the table `covariates` that `fit` and all other methods take. Components are
        searched without covariates; these are learned in the EM that follows.
    checkpoint : str or path, optional
        A file, such as ``"run.bmix"``, in which `fit` keeps its state while it runs. If that is
        interrupted, `fit` with the same data and settings goes on from there, to the same bits. A
        `CheckpointError` is raised if the file is that of another fit, or damaged.

    Attributes
    ----------
    components_ : tuple of K fitted families
        The component with the largest weight is the first, and so on; but known `labels`, or an
        `init` of labels or responsibilities, keep their numbers. `partial_fit` keeps the order of
        the first batch.
    n_components_ : int
        Number of components K.
    clusters_ : array of int, shape (K,)
        The cluster that each component belongs to; one each unless `n_clusters` is given.
    n_clusters_ : int
        Number of clusters.
    component_labels_ : array of int, shape (n,)
        The component of each observation, -1 for noise.
    weights_ : array, shape (K,)
    comparison_ : Comparison
        The criteria of all numbers of components, where there were several.
    column_families_ : ColumnFamilies or None
        The family of every column and the reason, those that are left out included, where columns
        have families of their own. It prints as a table; `to_frame` and `rows` have its values.
    membership_ : Gate or None
        The mixing weights as a function of covariates: `coefficients` (q, K) by component, of the
        intercept and the covariates in `names`, `odds_ratios`, and `predict_proba`. The first
        component is the reference. `weights_` are then means over the training data, and
        `standard_errors` has standard errors and p-values.
    noise_weight_ : float
        Weight of the noise, zero without: `weights_` and it sum to one.
    labels_ : array of int, shape (n,)
        The cluster of each observation, -1 for noise. What `predict` says, but for labels that
        were known.
    history_ : History
        Temperature, score, counts and moves of every iteration; with noise, its counts are in one
        more column, the last. The trials of searches are apart, in `history_.trials`.
    n_iter_ : int
        Number of M-steps of the run that was kept, those of trials included; M-steps that only
        make a start are not counted.
    converged_ : bool
    fit_time_ : float
        How long `fit` took, in seconds, without the time in which kernels were compiled.
    fit_arguments_ : tuple of str
        Names of the optional arguments that `fit` was given.
    seed_ : int
        The seed of all random numbers: with it as `random_state`, the same fit is made again.
    lower_bound_ : float
        The objective of learning, per observation: the log-likelihood of the training data, known
        labels included, plus the log prior of the components. Where values are rounded, the
        log-likelihood is the mean over the values that may have been rounded; for the default
        family, the background of outliers is part of the mixture. For curves, whose
        points depend on each other, it is a bound on that of all of them together. `score` is the
        mean log-likelihood alone.
    problems_ : tuple of Problem
        Properties of this fit that may mislead; `fit` issues a `DegenerateMixtureWarning` for each.
    n_features_in_ : int
    feature_names_in_ : array of str
        Where `X` had names.

    Examples
    --------
    >>> from boltzmix import Mixture
    >>> from boltzmix.datasets import make_rainbow
    >>> X, _ = make_rainbow(random_state=0)
    >>> model = Mixture(n_components=8, random_state=0).fit(X)
    >>> model.predict_proba(X).shape
    (1000, 8)

    With some labels known, and with outliers:

    >>> import numpy as np
    >>> known = np.full(1000, -1)
    >>> known[:3] = 5
    >>> model = Mixture(n_components=8, random_state=0).fit(X, labels=known)
    >>> model.labels_[:3]
    array([5, 5, 5], dtype=int32)
    >>> X = np.vstack([X, [[40.0, -30.0], [-50.0, 60.0]]])
    >>> Mixture(n_components=8, noise=True, random_state=0).fit(X).labels_[-2:]
    array([-1, -1], dtype=int32)
    """

    def __init__(
        self,
        family: Family | str | Mapping[Any, Any] | None = None,
        n_components: Any = 1,
        *,
        n_clusters: Any = None,
        criterion: str = DEFAULT_CRITERION,
        algorithm: Any = "auto",
        init: Any = "auto",
        n_init: int = 1,
        max_iter: int = 1000,
        random_state: object = None,
        n_jobs: int | None = None,
        verbose: object = 0,
        noise: bool = False,
        membership: object = None,
        checkpoint: Any = None,
    ) -> None:
        self.family = family
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.criterion = criterion
        self.algorithm = algorithm
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.noise = noise
        self.membership = membership
        self.checkpoint = checkpoint

    def _family(self) -> Family:
        return as_family(self.family)

    def _check_number(self) -> None:
        super()._check_number()
        numbers = read_numbers(self.n_components)
        is_auto = isinstance(self.n_clusters, str) and self.n_clusters == "auto"
        if self.n_clusters is None or is_auto:
            return
        if not isinstance(self.n_clusters, Integral) or isinstance(self.n_clusters, bool):
            raise InputError(
                f"{marked('n_clusters')} must be a whole number or 'auto', not"
                f" {shown(self.n_clusters)}."
            )
        most = np.inf if numbers is None else numbers[-1]
        if not 1 <= int(self.n_clusters) <= most:
            raise InputError(
                f"{marked('n_clusters', shown(self.n_clusters))} must be at least 1 and at most"
                f" {marked('n_components')}: every cluster has at least one component."
            )

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; with `deep`, also those that the family has.

        They are named as ``family__prior``; settings that are None are left out.
        """
        found: dict[str, Any] = super().get_params(deep=deep)
        if not deep:
            return found
        try:
            settings = settings_of(self._family())
        except ValueError:  # which `fit` raises
            return found
        chosen = {name: value for name, value in settings.items() if value is not None}
        return found | {f"family__{name}": value for name, value in chosen.items()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, also those of the family: ``family__covariance="diag"``."""
        of_family = {name: value for name, value in params.items() if name.startswith(NESTED)}
        super().set_params(**{name: params[name] for name in params.keys() - of_family.keys()})
        if of_family:
            changes = {name.removeprefix(NESTED): value for name, value in of_family.items()}
            self.family = with_settings(self._family(), changes)
        return self

    def _order(self, mixture: MixtureState, known: IntArray | None) -> IntArray:
        """Order components by weight, largest first, unless labels or the start number them."""
        if known is not None or not (isinstance(self.init, str) or callable(self.init)):
            return np.arange(len(mixture.bank))
        return np.argsort(-mixture.weights, kind="stable")

    def _recipes(self, family: Family, data: Data) -> tuple[Recipe, ...]:
        init = self._init(family, data)
        by_distance = isinstance(init, str) and init == "distance"
        return as_recipes(
            self.algorithm,
            family,
            data,
            bool(self.noise),
            by_distance,
            self._count(),
            self._settings,
        )

    def _init(self, family: Family, data: Data) -> Any:
        """Return the start that `init` asks for."""
        if not isinstance(self.init, str) or self.init != "auto":
            return self.init
        searches = isinstance(self.algorithm, str) and self.algorithm == "auto" and not self.noise
        return "distance" if searches and has_distances(family, data) else "random"

    def _starts(
        self, fit_input: FitInput, recipe: Recipe, seed: int, workers: Workers
    ) -> Sequence[Callable[[], MixtureState]]:
        init = self._init(fit_input.family, fit_input.data.observations)
        if not isinstance(init, str) and not callable(init):
            init = as_array(init, "init")
            has_weight = fit_input.has_weight
            if not isinstance(has_weight, slice) and init.shape[:1] == has_weight.shape:
                init = init[has_weight]

        def start(run: int) -> MixtureState:
            if not recipe.needs_start(fit_input.family, self._count()):
                return unfitted(fit_input.family, self._count())
            rng = Randomness.from_seed(seed, run).starter()
            return initialise(
                init, fit_input.data, fit_input.family, self._count(), recipe.parts.weights,
                rng, workers, self._settings,
            )  # fmt: skip

        return [partial(start, run) for run in range(self.n_init)]
