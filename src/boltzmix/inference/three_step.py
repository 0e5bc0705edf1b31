"""Three-step analysis: the components of a fitted mixture, related to outside variables."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import BoolArray, FloatArray, Source
from ..data.design import Design
from .estimates import Estimates, WaldTest
from .outcomes import Outcome
from .outcomes_estimates import OutcomeMeans, likeliest_means, weighted_means
from .three_step_classes import AssignedClasses
from .three_step_logit import fit_classes
from .three_step_results import CovariateEffects, DistalOutcome, pairwise_differences

CORRECTIONS = ("auto", "ml", "bch", None)
UNDETERMINED = (
    "The data do not determine some coefficients, which have no standard errors: their covariates"
    " predict a component without error, or a component has no members."
)
CORRECTION_NAMES = {"ml": "ML correction", "bch": "BCH correction", None: "no correction"}


def relate_to_covariates(
    classes: AssignedClasses, covariates: Any, correction: str | None = "auto"
) -> CovariateEffects:
    """Estimate how covariates change the probabilities of classes.

    Parameters
    ----------
    classes : AssignedClasses
    covariates : frame or array, shape (n, q)
    correction : "auto", "ml", "bch" or None
        "auto" is "ml".
    """
    correction = _check_correction(correction, "ml")
    if classes.n_classes < 2:
        raise ValueError("Covariates need a mixture of at least two components.")
    kept = ~_missing_rows(covariates, len(classes.assignments))
    table, classes = _rows(covariates, kept), classes.take(kept)
    design = Design.of(None, table, argument="covariates")
    found = fit_classes(design.matrix(table), design.names, classes, correction)
    terms, others = ("intercept", *design.names), classes.names[1:]
    notes = () if found.is_determined else (UNDETERMINED,)
    estimates = Estimates(
        tuple(name for name in others for _ in terms),
        terms * len(others),
        found.values,
        found.covariance,
        caption=f"Log odds against component {classes.names[0]} ({_method(classes, correction)})",
        notes=notes,
        ratio="odds ratio",
    )
    left_out = int((~kept).sum())
    return CovariateEffects(
        estimates, classes, correction, left_out, _tests_of_terms(estimates, terms)
    )


def relate_to_outcome(
    classes: AssignedClasses, outcome: Any, kind: str = "auto", correction: str | None = "auto"
) -> DistalOutcome:
    """Estimate the mean of an outcome, or the probabilities of its categories, in each class.

    Parameters
    ----------
    classes : AssignedClasses
    outcome : series, array or list, shape (n,)
    kind : "auto", "number", "category" or "count"
    correction : "auto", "ml", "bch" or None
        "auto" is "bch".
    """
    correction = _check_correction(correction, "bch")
    read = Outcome.of(outcome, kind, len(classes.assignments))
    classes = classes.take(~read.missing)
    read.check(classes)
    if correction == "ml":
        found = likeliest_means(read.values, classes, read.kind)
    else:
        found = weighted_means(read.values, classes.weights(correction))
    estimates = _outcome_estimates(read, found, classes, correction)
    n_columns = len(read.labels)
    return DistalOutcome(
        estimates,
        classes,
        correction,
        int(read.missing.sum()),
        read.kind,
        _test_equality(estimates, n_columns),
        pairwise_differences(estimates, classes.names, n_columns),
        found.variances if read.kind == "category" else found.variances[:, 0],
    )


def _outcome_estimates(
    outcome: Outcome, found: OutcomeMeans, classes: AssignedClasses, correction: str | None
) -> Estimates:
    title = "Probabilities" if outcome.kind == "category" else "Mean"
    return Estimates(
        tuple(name for name in classes.names for _ in outcome.labels),
        outcome.labels * classes.n_classes,
        found.means.ravel(),
        found.covariance,
        caption=f"{title} of {outcome.name} by component ({_method(classes, correction)})",
        notes=_outcome_notes(found, outcome.kind, classes),
    )


def _check_correction(correction: str | None, usual: str) -> str | None:
    if correction not in CORRECTIONS:
        raise ValueError(f"correction must be 'auto', 'ml', 'bch' or None, not {correction!r}.")
    return usual if correction == "auto" else correction


def _method(classes: AssignedClasses, correction: str | None) -> str:
    return f"{classes.assignment} assignment, {CORRECTION_NAMES[correction]}"


def _missing_rows(table: Any, n: int) -> BoolArray:
    """Return which of n rows have a missing value, shape (n,)."""
    source = Source.of(table)
    rows = source.X.shape[0]
    if rows != n:
        raise ValueError(f"covariates has {rows} rows, but X has {n} observations.")
    missing = np.zeros(n, dtype=bool)
    for name in source.all_columns:
        missing |= source.column(name)[1]
    if missing.all():
        raise ValueError("Every row of covariates has a missing value, so none is left.")
    return missing


def _rows(table: Any, kept: BoolArray) -> Any:
    """Return some rows of a frame or an array."""
    places = np.flatnonzero(kept)
    if hasattr(table, "iloc"):
        return table.iloc[places]
    return table[places] if hasattr(table, "shape") else [table[place] for place in places]


def _tests_of_terms(estimates: Estimates, terms: Sequence[str]) -> dict[str, WaldTest]:
    """Test each covariate over all components; indicators of a category are tested together."""
    sources = [name.rpartition("[")[0] if name.endswith("]") else name for name in estimates.names]
    every = dict.fromkeys(
        name.rpartition("[")[0] if name.endswith("]") else name for name in terms[1:]
    )
    unit = np.eye(len(estimates))
    return {name: estimates.wald(unit[np.array(sources) == name]) for name in every}


def _test_equality(estimates: Estimates, n_columns: int) -> WaldTest:
    """Test that all components whose outcome is known have the same one."""
    whole = np.arange(len(estimates)).reshape(-1, n_columns)
    known = whole[np.isfinite(estimates.values[whole]).all(axis=1)]
    if len(known) < 2:
        return WaldTest(np.nan, 0, np.nan)
    unit = np.eye(len(estimates))
    differences = (unit[known[1:]] - unit[known[:1]]).reshape(-1, len(estimates))
    return _known_part(estimates).wald(differences)


def _known_part(estimates: Estimates) -> Estimates:
    """Return the same with zero for what is not known, so that it drops out of differences."""
    values, covariance = np.nan_to_num(estimates.values), np.nan_to_num(estimates.covariance)
    return Estimates(estimates.components, estimates.names, values, covariance)


def _outcome_notes(found: OutcomeMeans, kind: str, classes: AssignedClasses) -> tuple[str, ...]:
    notes = [
        f"Component {name} has no members among these rows, so its outcome is not known."
        for name, means in zip(classes.names, found.means, strict=True)
        if np.isnan(means).any()
    ]
    bounded = kind in ("category", "count")
    if bounded and (_defined(found.means) < 0).any():
        notes.append("Negative weights made an estimate negative: use correction='ml'.")
    return tuple(notes)


def _defined(values: FloatArray) -> FloatArray:
    return values[np.isfinite(values)]
