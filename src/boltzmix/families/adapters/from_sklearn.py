"""A family made of a scikit-learn density estimator."""

import warnings
from copy import copy
from dataclasses import dataclass, field
from inspect import signature
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from ...data import Data, FloatArray, Rng, Table, Weights, derived, shown
from ..contract.base import Family
from ..contract.description import Description, description_of_attributes
from ..shared.copies import replaced
from ..shared.validation import fitted
from .from_functions import as_log_densities


@dataclass(frozen=True, eq=False)
class SklearnFamily(Family):
    """Any density estimator with scikit-learn's ``fit(X)`` and ``score_samples(X)``.

    Such are `KernelDensity`, `GaussianMixture` and `BayesianGaussianMixture`; and `Mixture`, so
    that a component can be a mixture itself.

    Parameters
    ----------
    estimator : object with fit, score_samples, and scikit-learn's get_params
        It is cloned for every fit and never fitted itself. If its `fit` takes ``sample_weight``,
        the family is weighted. Choose the bandwidth of a `KernelDensity` with care: with a narrow
        one, every observation is likeliest in its own component, and none ever changes it.

    Attributes
    ----------
    fitted : object
        The fitted clone. Present once fitted.
    n_free : int
        Number of free parameters, from the estimator's `aic`, if it has one. Present once fitted.

    Notes
    -----
    An estimator with a ``random_state`` of None is given one from the mixture's, so that results
    can be repeated. Where fits start at random, a new one replaces the last only if its likelihood
    is higher, so that EM does not alternate between them.

    Log densities are used as the estimator returns them: those of a `BayesianGaussianMixture` are
    expectations, and do not quite integrate to one.

    Examples
    --------
    >>> from sklearn.neighbors import KernelDensity
    >>> family = SklearnFamily(KernelDensity(bandwidth=1.0))
    >>> fitted = family.fit(Table.of([[0.0], [1.0]]))
    >>> family.weighted, fitted.log_prob(Table.of([[0.5]])).round(3)
    (True, array([-1.044]))
    """

    estimator: Any
    fitted: Any = field(default=None, init=False)
    n_free: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        given = self.estimator
        if isinstance(given, type):
            raise ValueError(f"estimator must be an object, not the class {given.__name__} itself.")
        for method in ("fit", "score_samples", "get_params"):
            if not callable(getattr(given, method, None)):
                raise ValueError(
                    "estimator must be a density estimator with fit, score_samples and get_params,"
                    f" such as KernelDensity(), and {shown(given)} has no {method}."
                )

    def __repr__(self) -> str:
        shown = self.estimator if self.fitted is None else self.fitted
        return f"SklearnFamily({' '.join(repr(shown).split())})"

    @property
    def name(self) -> str:
        return f"SklearnFamily({type(self.estimator).__name__})"

    @derived
    def weighted(self) -> bool:
        """Whether the estimator's fit takes weights."""
        inner = self._inner
        takes = has_fit_parameter(self.estimator, "sample_weight")
        return takes if inner is None else takes and inner.weighted

    @derived
    def observes(self) -> type:
        """The kind of data: rows, or what the inner mixture's family takes."""
        return Family.observes if self._inner is None else self._inner.observes

    @derived
    def min_observations(self) -> int:
        """Two, or as many as the estimator has components."""
        inside = getattr(self.estimator, "n_components", 2)
        return max(2, int(inside)) if isinstance(inside, Integral) else 2

    @property
    def n_parameters(self) -> int:
        """Number of free parameters, if the estimator has an `aic`."""
        return super().n_parameters if self.n_free is None else self.n_free

    def observe(self, X: object, y: object = None) -> Data:
        """Read what a user passed, as the inner mixture's family would if there is one."""
        return super().observe(X, y) if self._inner is None else self._inner.observe(X, y)

    def fit(self, data: Data, *, weights: Weights = None, rng: Rng = None) -> Self:
        """Return a new component with a clone of the estimator, fitted to `data`."""
        given: dict[str, object] = {}
        if weights is not None:
            some = np.flatnonzero(weights)
            data, weights = data.take(some), weights[some]
            given["sample_weight"] = weights
        estimator = _seeded(clone(self.estimator), rng)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # which would be repeated in every iteration
                estimator.fit(self._rows(data), **given)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{self.name} could not be fitted to {len(data)} observation(s):"
                f" {str(error).strip().rstrip('.')}."
            ) from error
        first = self._rows(data.take(slice(0, 1)))
        found = replaced(self, fitted=estimator, n_free=_free_parameters(estimator, first))
        if self.fitted is None or "random_state" not in estimator.get_params():
            return found
        return max(
            found, replaced(self), key=lambda one: np.average(one.log_prob(data), weights=weights)
        )

    def log_prob(self, data: Data) -> FloatArray:
        with np.errstate(all="ignore"):  # of rows that are too far away
            found = self._fitted().score_samples(self._rows(data))
        return as_log_densities(
            found, len(data), f"score_samples of {type(self.estimator).__name__}"
        )

    def sample(self, n: int, rng: np.random.Generator) -> Any:
        """Draw `n` observations, if the estimator can."""
        estimator = self._fitted()
        if not callable(getattr(estimator, "sample", None)):
            raise NotImplementedError(f"{self.name} cannot be sampled: it has no sample method.")
        given: dict[str, Any] = {}
        if "random_state" in signature(estimator.sample).parameters:
            given["random_state"] = _seed(rng)
        elif "random_state" in estimator.get_params(deep=False):
            estimator = copy(estimator).set_params(random_state=_seed(rng))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of covariances that are singular but for rounding
            drawn = estimator.sample(n, **given)
        return drawn[0] if isinstance(drawn, tuple) else drawn

    def describe(self) -> Description:
        """Return what the estimator has learned, as far as it is numbers."""
        learned = {
            name.removesuffix("_"): value
            for name, value in vars(self._fitted()).items()
            if name.endswith("_")
        }
        return Description(description_of_attributes(learned).parameters)

    @property
    def _inner(self) -> Family | None:
        """The family of a mixture inside, if the estimator is one."""
        inner = getattr(self.estimator, "family", None)
        return inner if isinstance(inner, Family) else None

    def _rows(self, data: Data) -> Any:
        """Return data as the estimator takes it."""
        return data.values if isinstance(data, Table) else data

    def _fitted(self) -> Any:
        return fitted(self, "fitted")[0]


def _seeded(estimator: Any, rng: np.random.Generator | None) -> Any:
    """Give an estimator a seed, if it takes one and has none."""
    if estimator.get_params(deep=False).get("random_state", 0) is not None:
        return estimator
    return estimator.set_params(random_state=0 if rng is None else _seed(rng))


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))


def _free_parameters(estimator: Any, one: object) -> int | None:
    """Return the number of free parameters, which follows from the AIC of any observation."""
    try:
        return round(float(estimator.aic(one) / 2 + estimator.score_samples(one).sum()))
    except (AttributeError, NotImplementedError):
        return None
