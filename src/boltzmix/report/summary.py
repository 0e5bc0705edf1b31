"""Facts about a fit: family, data, likelihood and iterations."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..data import Columns, Data, Regression, Sequences, Table, Trajectories, counted
from ..fitted import FittedMixture
from ..views import (
    are_merged,
    column_names,
    describe_family,
    describe_iterations,
    find_bic,
    listed,
    singular,
)
from .assignments import Assignments

if TYPE_CHECKING:
    from ..comparison import Comparison

UNKNOWN = "–"
Fact = tuple[str, str]


def title(model: FittedMixture, data: Data) -> str:
    """Return the report's heading."""
    component, what = model.components_[0], data.noun
    name = "mixed" if component.describe().parts else component.name
    shown = counted(len(model.components_), f"{name} component")
    if are_merged(model):
        shown = f"{counted(model.n_clusters_, 'cluster')} of {shown}"
    return f"{shown} in {len(data):,} {what if len(data) != 1 else singular(what)}"


def summary(
    model: FittedMixture, X: object, y: object, data: Data, assignments: Assignments
) -> list[Fact]:
    """Return facts about a fit, each with its name."""
    return [
        ("Family", describe_family(model.components_[0])),
        ("Components", _components(model)),
        (data.noun.capitalize(), f"{len(data):,}"),
        *_sizes(data),
        ("Columns", _columns(data)),
        *_likelihoods(model, X, y, assignments),
        ("Time to fit, without compilation", _duration(getattr(model, "fit_time_", None))),
        ("Iterations", _iterations(model)),
    ]


def _components(model: FittedMixture) -> str:
    comparison = model._comparison
    merged = f" in {counted(model.n_clusters_, 'cluster')}" if are_merged(model) else ""
    noise = " and noise" if model.noise else ""
    return f"{len(model.components_)}{merged}{noise}{_chosen(comparison)}"


def _chosen(comparison: "Comparison | None") -> str:
    """Say among how many numbers or candidates a mixture was chosen, if it was."""
    if comparison is None:
        return ""
    n_numbers = sum(len(curve.numbers) for curve in comparison.agreement.values())
    if n_numbers > len(comparison):
        return f", chosen among {counted(n_numbers, 'number')}"
    return f", chosen among {counted(len(comparison), 'candidate')}"


def _sizes(data: Data) -> list[Fact]:
    if isinstance(data, Sequences):
        lengths = data.lengths
        return [("Steps", f"{lengths.mean():.1f} on average ({lengths.min()} to {lengths.max()})")]
    if isinstance(data, Trajectories):
        lengths, unit = data.lengths, f" ({data.time_unit})" if data.time_unit else ""
        return [
            ("Points", f"{lengths.mean():.1f} on average ({lengths.min()} to {lengths.max()})"),
            ("Times", f"{data.times.min():.4g} to {data.times.max():.4g}{unit}"),
        ]
    n_missing = sum(int(np.isnan(table.values).sum()) for table in _tables(data))
    return [("Missing values", f"{n_missing:,}")] if n_missing else []


def _tables(data: Data) -> Sequence[Table]:
    """Return those tables of the data that are in memory."""
    return data.tables if isinstance(data, Columns) else [data] if isinstance(data, Table) else []


def _columns(data: Data) -> str:
    if isinstance(data, Regression):
        return (
            f"{counted(data.inputs.shape[1], 'input')}, {counted(data.targets.shape[1], 'target')}"
        )
    if isinstance(data, Columns):
        names: Sequence[str] = [str(name) for group in data.groups for name in group]
    else:
        names = column_names(data.feature_names, data.n_features)
    return f"{len(names)}: {listed(names)}"


def _likelihoods(
    model: FittedMixture, X: object, y: object, assignments: Assignments
) -> list[Fact]:
    """Return the mean log-likelihood, BIC and ICL."""
    score = model.score(X, y)
    counted = find_bic(model, X, y)
    bic = np.nan if counted is None else counted
    icl = bic - 2 * np.log(assignments.certainty).sum()
    return [
        ("Mean log-likelihood", _number(score, 4)),
        ("BIC", _number(bic, 1)),
        ("ICL", _number(icl, 1)),
    ]


def _number(value: float, digits: int) -> str:
    if np.isfinite(value):
        return f"{value:,.{digits}f}".replace("-", "−")
    return UNKNOWN if np.isnan(value) else "−∞" if value < 0 else "∞"


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return UNKNOWN
    if seconds < 60:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


def _iterations(model: FittedMixture) -> str:
    words = describe_iterations(model.history_)
    return f"{words}{'' if model.converged_ else ' (did not converge)'}"
