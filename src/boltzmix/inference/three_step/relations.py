"""Three-step analysis: the components of a fitted mixture, related to outside variables."""

from typing import Any, Protocol

import numpy as np

from ...data import shown
from ..estimates import Estimates, WaldTest
from .bootstrap import Replicates, with_bootstrap_errors
from .classes import AssignedClasses
from .outcomes import Outcome
from .results import CovariateEffects, DistalOutcome, pairwise_differences
from .third_step import CovariateStep, OutcomeStep

CORRECTIONS = ("auto", "ml", "bch", None)


def relate_to_covariates(
    classes: AssignedClasses,
    covariates: Any,
    correction: str | None = "auto",
    replicates: Replicates | None = None,
) -> CovariateEffects:
    """Estimate how covariates change the probabilities of classes.

    Parameters
    ----------
    classes : AssignedClasses
    covariates : frame or array, shape (n, q)
    correction : "auto", "ml", "bch" or None
        "auto" is "ml".
    replicates : Replicates, optional
        Bootstrap replicates, from which standard errors are estimated.
    """
    if classes.n_classes < 2:
        raise ValueError("Covariates need a mixture of at least two components.")
    step = CovariateStep.of(covariates, _check_correction(correction, "ml"), classes)
    estimates = _estimate(step, classes, replicates)
    used, left_out = classes.take(step.kept), int((~step.kept).sum())
    tests = _tests_of_terms(estimates)
    return CovariateEffects(estimates, used, step.correction, left_out, tests)


def relate_to_outcome(
    classes: AssignedClasses,
    outcome: Any,
    kind: str = "auto",
    correction: str | None = "auto",
    replicates: Replicates | None = None,
) -> DistalOutcome:
    """Estimate the mean of an outcome, or the probabilities of its categories, in each class.

    Parameters
    ----------
    classes : AssignedClasses
    outcome : series, array or list, shape (n,)
    kind : "auto", "number", "category" or "count"
    correction : "auto", "ml", "bch" or None
        "auto" is "bch".
    replicates : Replicates, optional
        Bootstrap replicates, from which standard errors are estimated.
    """
    read = Outcome.of(outcome, kind, len(classes.assignments))
    used, n_columns = classes.take(~read.missing), len(read.labels)
    read.check(used)
    step = OutcomeStep(read, _check_correction(correction, "bch"))
    estimates, variances = _estimate(step, classes, replicates), step.means(classes).variances
    return DistalOutcome(
        estimates,
        used,
        step.correction,
        int(read.missing.sum()),
        read.kind,
        _test_equality(estimates, n_columns),
        pairwise_differences(estimates, classes.names, n_columns),
        variances if read.kind == "category" else variances[:, 0],
    )


class ThirdStep(Protocol):
    """The third step: from the assigned classes of all rows to estimates."""

    def estimates(self, classes: AssignedClasses) -> Estimates:
        """Return the estimates, given assigned classes."""


def _estimate(
    step: ThirdStep, classes: AssignedClasses, replicates: Replicates | None
) -> Estimates:
    found = step.estimates(classes)
    if replicates is None:
        return found
    return with_bootstrap_errors(found, step.estimates, replicates)


def _check_correction(correction: str | None, usual: str) -> str | None:
    if not isinstance(correction, str | None) or correction not in CORRECTIONS:
        raise ValueError(
            f"correction must be 'auto', 'ml', 'bch' or None, not {shown(correction)}."
        )
    return usual if correction == "auto" else correction


def _tests_of_terms(estimates: Estimates) -> dict[str, WaldTest]:
    """Test each covariate over all components; indicators of a category are tested together."""
    sources = [name.rpartition("[")[0] if name.endswith("]") else name for name in estimates.names]
    unit = np.eye(len(estimates))
    return {
        name: estimates.wald(unit[[one == name for one in sources]])
        for name in dict.fromkeys(sources)
        if name != sources[0]  # the intercept
    }


def _test_equality(estimates: Estimates, n_columns: int) -> WaldTest:
    """Test that all components whose outcome is known have the same one."""
    whole = np.arange(len(estimates)).reshape(-1, n_columns)
    known = whole[np.isfinite(estimates.values[whole]).all(axis=1)]
    if len(known) < 2:
        return WaldTest(np.nan, 0, np.nan)
    unit = np.eye(len(estimates))
    differences = (unit[known[1:]] - unit[known[:1]]).reshape(-1, len(estimates))
    return estimates.wald(differences)
