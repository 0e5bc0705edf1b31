"""Standard errors of all parameters of a fitted mixture, from the observed information."""

from collections.abc import Sequence

import numpy as np

from ...learning import MixtureState, TrainingData
from ..bootstrap.result import Bootstrap
from ..estimates import Estimates
from ..named_values import MEMBERSHIP, NOISE, Name, named_values
from .observed import observe_information

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
    covariance = information.covariance_of(lambda moved: named_values(moved, columns)[1])
    names, values = named_values(mixture, columns)
    notes = {UNKNOWN: bool(np.isnan(covariance).any()), KNOWN: information.has_known}
    return Estimates(
        tuple(_component(name) for name in names),
        tuple(name.parameter for name in names),
        values,
        covariance,
        notes=tuple(sentence for sentence, applies in notes.items() if applies),
    )


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
    names, values = named_values(mixture, columns)
    return Estimates(
        tuple(_component(name) for name in names),
        tuple(name.parameter for name in names),
        values,
        np.full((len(values), len(values)), np.nan),
        notes=("A bootstrap gives standard errors: call membership_effects.",),
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
