"""The third step: from assigned classes to estimates."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data import BoolArray, FloatArray, Source
from ...data.design import Design, naming
from ..estimates import Estimates
from .classes import AssignedClasses
from .logit import FittedLogit, check_rank, fit_classes
from .outcome_estimates import OutcomeMeans, likeliest_means, weighted_means
from .outcomes import Outcome

UNDETERMINED = (
    "The data do not determine some coefficients, which have no standard errors: covariates predict"
    " a component without error, or a component has no members."
)
CORRECTION_NAMES = {"ml": "ML correction", "bch": "BCH correction", None: "no correction"}


@dataclass(frozen=True, eq=False)
class CovariateStep:
    """The third step for covariates.

    Parameters
    ----------
    matrix : array, shape (m, q)
        Covariates of the rows without missing values.
    names : tuple of str, length q
    kept : array of bool, shape (n,)
        Which rows these are.
    correction : "ml", "bch" or None
    """

    matrix: FloatArray
    names: tuple[str, ...]
    kept: BoolArray
    correction: str | None

    @classmethod
    def of(
        cls, covariates: Any, correction: str | None, classes: AssignedClasses
    ) -> "CovariateStep":
        """Read covariates; raise if coefficients cannot be determined, whatever the classes are."""
        table = covariates.to_frame() if hasattr(covariates, "to_frame") else covariates
        kept = ~_missing_rows(table, len(classes.assignments))
        table = _rows(table, kept)
        design = Design.of(None, table, argument="covariates")
        matrix = design.matrix(table, argument="covariates")
        check_rank(matrix, design.names, classes.n_classes)
        return cls(matrix, design.names, kept, correction)

    def estimates(self, classes: AssignedClasses) -> Estimates:
        """Return the coefficients, given assigned classes."""
        found = fit_classes(self.matrix, classes.take(self.kept), self.correction)
        terms, (first, *others) = ("intercept", *self.names), classes.names
        return Estimates(
            tuple(name for name in others for _ in terms),
            terms * len(others),
            found.values,
            found.covariance,
            caption=f"Log odds against component {first} ({_method(classes, self.correction)})",
            notes=self._notes(found),
            ratio="odds ratio",
        )

    def _notes(self, found: FittedLogit) -> tuple[str, ...]:
        if found.is_determined:
            return ()
        unbounded = self.correction == "bch" and np.isnan(found.covariance).all()
        return (
            UNDETERMINED
            + (" Negative weights may be the cause: use correction='ml'." if unbounded else ""),
        )


@dataclass(frozen=True, eq=False)
class OutcomeStep:
    """The third step for an outcome, with correction "ml", "bch" or None."""

    outcome: Outcome
    correction: str | None

    def means(self, classes: AssignedClasses) -> OutcomeMeans:
        """Return the means of the outcome, given assigned classes."""
        values, used = self.outcome.values, classes.take(~self.outcome.missing)
        if self.correction == "ml":
            return likeliest_means(values, used, self.outcome.kind)
        return weighted_means(values, used.weights(self.correction))

    def estimates(self, classes: AssignedClasses) -> Estimates:
        """Return the means or probabilities, given assigned classes."""
        found, outcome = self.means(classes), self.outcome
        title = "Probabilities" if outcome.kind == "category" else "Mean"
        return Estimates(
            tuple(name for name in classes.names for _ in outcome.labels),
            outcome.labels * classes.n_classes,
            found.means.ravel(),
            found.covariance,
            caption=f"{title} of {outcome.name} by component ({_method(classes, self.correction)})",
            notes=_outcome_notes(found, outcome.kind, classes),
        )


def _method(classes: AssignedClasses, correction: str | None) -> str:
    return f"{classes.assignment} assignment, {CORRECTION_NAMES[correction]}"


def _missing_rows(table: Any, n: int) -> BoolArray:
    """Return which of n rows have a missing value, shape (n,)."""
    with naming("covariates"):
        source = Source.of(table)
        missing = np.logical_or.reduce([source.column(name)[1] for name in source.all_columns])
    if len(missing) != n:
        raise ValueError(f"covariates has {len(missing)} rows, but X has {n} observations.")
    if missing.all():
        raise ValueError("Every row of covariates has a missing value, so none is left.")
    return missing


def _rows(table: Any, kept: BoolArray) -> Any:
    """Return some rows of a frame or an array."""
    places = np.flatnonzero(kept)
    if hasattr(table, "iloc"):
        return table.iloc[places]
    return table[places] if hasattr(table, "shape") else [table[place] for place in places]


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
