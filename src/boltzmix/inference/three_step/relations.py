"""Three-step analysis: the components of a fitted mixture, related to outside variables."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from ...data import DATA, BoolArray, ColumnSource, Data, FloatArray, InputError, check_count, shown
from ...data.reading.design import Design, naming
from ...families import Family
from ...fitted import FittedMixture
from ...inputs import as_seed, read_weights
from ...learning import MixtureState, TrainingData
from ...learning.parts.assignment import responsibilities
from ..bootstrap.making import make_bootstrap
from ..estimates import Estimates, WaldTest
from ..named_values import Name
from .classes import AssignedClasses
from .logit import FittedLogit, check_rank, fit_classes
from .outcome_estimates import OutcomeMeans, likeliest_means, weighted_means
from .outcomes import Outcome
from .three_step_results import CovariateEffects, DistalOutcome, pairwise_differences

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
        cls, covariates: object, correction: str | None, classes: AssignedClasses
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


def _missing_rows(table: object, n: int) -> BoolArray:
    """Return which of n rows have a missing value, shape (n,)."""
    with naming("covariates"):
        source = ColumnSource.of(table)
        missing = np.logical_or.reduce([source.column(name)[1] for name in source.all_columns])
    if len(missing) != n:
        raise InputError(f"covariates has {len(missing)} rows, but {DATA} has {n} observations.")
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


Analysis = Callable[[AssignedClasses], Estimates]


@dataclass(frozen=True, eq=False)
class Replicates:
    """How bootstrap replicates of the first two steps are made: from weighted observations.

    Parameters
    ----------
    mixture : MixtureState
        The fitted mixture.
    data : Data
    classes : AssignedClasses
        Those of the fitted mixture.
    n : int
        Number of replicates.
    seed : int
    n_threads : int
    """

    mixture: MixtureState
    data: Data
    classes: AssignedClasses
    n: int
    seed: int
    n_threads: int

    def assign(self, data: TrainingData, mixture: MixtureState) -> AssignedClasses:
        """Assign the observations of a replicate."""
        log_densities, log_weights, _ = mixture.evaluate(data.observations, is_rounded=False)
        posteriors = responsibilities(log_densities, log_weights)[0]
        names, assignment = self.classes.names, self.classes.assignment
        return AssignedClasses.of(posteriors, names, assignment, data.sample_weight)


def with_bootstrap_errors(
    estimates: Estimates, analyse: Analysis, replicates: Replicates
) -> Estimates:
    """Return estimates with the covariance of those of bootstrap replicates.

    Parameters
    ----------
    estimates : Estimates
    analyse : function
        The third step, from assigned classes to estimates.
    replicates : Replicates
    """
    names = [Name(0, name) for name in estimates.names]

    def measure(data: TrainingData, mixture: MixtureState) -> tuple[list[Name], FloatArray]:
        try:
            return names, analyse(replicates.assign(data, mixture)).values
        except ValueError:  # this replicate cannot be analysed, and is left out
            return names, np.full(len(names), np.nan)

    weighted = TrainingData(replicates.data, replicates.classes.sample_weight)
    made = make_bootstrap(
        weighted,
        replicates.mixture,
        measure,
        replicates.n,
        "weighted",
        replicates.seed,
        replicates.n_threads,
    )
    covariance = np.cov(made.replicates, rowvar=False).reshape(len(estimates), -1)
    note = f"Standard errors are those of {len(made.replicates)} bootstrap replicates."
    return replace(estimates, covariance=covariance, notes=(*estimates.notes, note))


CORRECTIONS = ("auto", "ml", "bch", None)


def three_step(
    model: FittedMixture,
    X: object,
    y: object,
    covariates: object,
    outcome: object,
    kind: str,
    correction: str | None,
    assignment: str,
    sample_weight: object,
    n_bootstrap: int,
) -> CovariateEffects | DistalOutcome:
    """Return the analysis of `Mixture.three_step`, whose parameters these are."""
    if (covariates is None) == (outcome is None):
        raise ValueError("Pass either covariates or outcome to three_step.")
    check_count("n_bootstrap", n_bootstrap, least=0)
    posteriors = np.asarray(model.predict_component_proba(X, y), dtype=float)
    names = (*map(str, range(model.n_components_)), "noise")[: posteriors.shape[1]]
    weights = None if sample_weight is None else read_weights(sample_weight, len(posteriors))
    classes = AssignedClasses.of(posteriors, names, assignment, weights)
    replicates = None
    if n_bootstrap != 0:
        _check_weighted(model.components_[0])
        data, seed = model._observe(X, y), as_seed(model.random_state)
        n_threads = model._workers().n_threads
        replicates = Replicates(model._state, data, classes, n_bootstrap, seed, n_threads)
    if outcome is None:
        return relate_to_covariates(classes, covariates, correction, replicates)
    return relate_to_outcome(classes, outcome, kind, correction, replicates)


def _check_weighted(family: Family) -> None:
    if not family.weighted:
        raise ValueError(
            f"n_bootstrap weights observations, but fit of {family.name} takes no weights: use"
            " n_bootstrap=0."
        )


def relate_to_covariates(
    classes: AssignedClasses,
    covariates: object,
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
    outcome: object,
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
