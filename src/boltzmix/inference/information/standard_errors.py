"""Standard errors of all parameters of a fitted mixture, from the observed information."""

from collections.abc import Sequence

import numpy as np

from ...data import Data
from ...learning import MixtureState, TrainingData
from ..bootstrap.result import Bootstrap
from ..estimates import Estimates
from ..named_values import MEMBERSHIP, NOISE, Name, NamedValues
from .observed import observe_information

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
    names, values = named.names, named.values(mixture)
    covariance = information.covariance_of(named.values)
    notes = {UNKNOWN: bool(np.isnan(covariance).any()), KNOWN: information.has_known}
    return Estimates(
        tuple(_component(name) for name in names),
        tuple(name.parameter for name in names),
        values,
        covariance,
        notes=tuple(sentence for sentence, applies in notes.items() if applies),
    )


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


def without_errors(mixture: MixtureState, columns: Sequence[str]) -> Estimates:
    """Return all parameters of a mixture, whose standard errors are not known."""
    named = NamedValues.of(mixture, columns)
    names, values = named.names, named.values(mixture)
    return Estimates(
        tuple(_component(name) for name in names),
        tuple(name.parameter for name in names),
        values,
        np.full((len(values), len(values)), np.nan),
        notes=("Standard errors take longer here: call membership_effects, or bootstrap.",),
    )


def from_bootstrap(found: Bootstrap) -> Estimates:
    """Return estimates whose covariance is that of the replicates of a bootstrap."""
    n, p = found.replicates.shape
    return Estimates(
        found.components,
        found.parameters,
        found.estimates,
        np.cov(found.replicates, rowvar=False).reshape(p, p),
        notes=(f"Standard errors are those of {n} replicates of a bootstrap.",),
    )


def _component(name: Name) -> str:
    return "noise" if name.component == NOISE else str(name.component)
