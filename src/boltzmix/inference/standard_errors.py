"""Standard errors of all parameters of a fitted mixture, from the observed information."""

from collections.abc import Iterable, Sequence

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..data import Data, FloatArray, as_known
from ..fitted import FittedMixture
from ..inputs import weigh
from ..learning import MixtureState, TrainingData
from .bootstrap.making import bootstrap_parameters
from .bootstrap.result import Bootstrap
from .estimates import Estimates
from .information import observe_information
from .named_values import MEMBERSHIP, NamedValues

MOST_WORK = 2e8  # observations times squared parameters, which take about ten seconds
UNKNOWN = (
    "The data say nothing about parameters without a standard error: leave covariates out that"
    " separate components or follow from others, or use fewer components."
)
KNOWN = (
    "Some parameters are taken as known: those at a bound, as a probability of zero is, and those"
    " that all components share."
)


def estimate(mixture: MixtureState, data: TrainingData, columns: Sequence[str]) -> Estimates:
    """Return all parameters of a mixture with their covariance.

    It is the inverse of the observed information of the likelihood, carried over to the parameters
    that components describe by their derivatives (the delta method).

    Parameters
    ----------
    mixture : MixtureState
    data : TrainingData
    columns : sequence of str
        Names of the columns.
    """
    information = observe_information(mixture, data.observations, data.sample_weight)
    named = NamedValues.of(mixture, columns)
    values, covariance = named.values(mixture), information.covariance_of(named.values)
    notes = {UNKNOWN: bool(np.isnan(covariance).any()), KNOWN: information.has_known}
    shown = (sentence for sentence, applies in notes.items() if applies)
    return _estimates(named, values, covariance, shown)


def takes_long(mixture: MixtureState, data: Data) -> bool:
    """Whether standard errors take more than some seconds; they do where they are bootstrapped."""
    try:
        sizes = [len(one.parameter_vector) for one in mixture.components]
    except NotImplementedError:
        return True
    return len(data) * sum(p**2 for p in sizes) / len(sizes) > MOST_WORK


def membership_only(estimates: Estimates) -> Estimates:
    """Return the coefficients of covariates of membership among estimates, with odds ratios."""
    places = [k for k, name in enumerate(estimates.names) if name.startswith(f"{MEMBERSHIP}[")]
    return Estimates(
        tuple(estimates.components[k] for k in places),
        tuple(estimates.names[k].removeprefix(f"{MEMBERSHIP}[").removesuffix("]") for k in places),
        estimates.values[places],
        estimates.covariance[np.ix_(places, places)],
        caption="Membership in each component, against component 0",
        notes=estimates.notes,
        ratio="odds ratio",
    )


def standard_errors(
    model: FittedMixture, X: object, y: object, covariates: object, sample_weight: object
) -> Estimates:
    """Return all parameters of a fitted mixture with their standard errors."""
    data, weights, _ = weigh(model._observe(as_known(X), y, covariates), sample_weight)
    return estimate(model._state, TrainingData(data, weights), model._column_names())


def membership_effects(
    model: FittedMixture,
    X: object,
    y: object = None,
    covariates: object = None,
    sample_weight: object = None,
    n_replicates: int = 200,
) -> Estimates:
    """Return how covariates change membership; see `Mixture.membership_effects`."""
    check_is_fitted(model)
    if model.membership_ is None:
        raise ValueError(
            "This mixture was fitted without covariates of membership: fit it with membership,"
            " as in Mixture(membership='age + sex')."
        )
    if n_replicates == 0 and takes_long(model._state, model._observe(X, y, covariates)):
        return membership_only(_without_errors(model._state, model._column_names()))
    try:
        found = standard_errors(model, X, y, covariates, sample_weight)
    except NotImplementedError:
        made = bootstrap_parameters(
            model, X, y, covariates, n_replicates, None, sample_weight, None, 0
        )
        found = _from_bootstrap(made)
    return membership_only(found)


def _without_errors(mixture: MixtureState, columns: Sequence[str]) -> Estimates:
    """Return all parameters of a mixture, whose standard errors are not known."""
    named = NamedValues.of(mixture, columns)
    values = named.values(mixture)
    notes = ("Standard errors take longer here: call membership_effects, or bootstrap.",)
    return _estimates(named, values, np.full((len(values), len(values)), np.nan), notes)


def _from_bootstrap(found: Bootstrap) -> Estimates:
    """Return estimates whose covariance is that of the replicates of a bootstrap."""
    n, p = found.replicates.shape
    return Estimates(
        found.components,
        found.names,
        found.values,
        np.cov(found.replicates, rowvar=False).reshape(p, p),
        notes=(f"Standard errors are those of {n} replicates of a bootstrap.",),
    )


def _estimates(
    named: NamedValues, values: FloatArray, covariance: FloatArray, notes: Iterable[str]
) -> Estimates:
    return Estimates(
        tuple(name.owner for name in named.names),
        tuple(name.parameter for name in named.names),
        values,
        covariance,
        notes=tuple(notes),
    )
