"""What was fitted to how much, and how well."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import Columns, Regression, Rows, Sequences, Table
from ..views import column_names, describe_family, find_bic, iterations, listed
from .assignments import Assignments

UNKNOWN = "–"
Fact = tuple[str, str]


def noun(data: Any) -> str:
    """Return what the observations are called, if there are many."""
    kinds = {Rows: "rows", Columns: "rows", Sequences: "sequences", Regression: "points"}
    return next((name for kind, name in kinds.items() if isinstance(data, kind)), "observations")


def title(model: Any, data: Any) -> str:
    """Return the report's heading."""
    component, what = model.components_[0], noun(data)
    name = "mixed" if hasattr(component, "parts") else component.name
    shown = _counted(len(model.components_), f"{name} component")
    return f"{shown} in {len(data):,} {what.removesuffix('s') if len(data) == 1 else what}"


def summary(model: Any, X: Any, y: Any, data: Any, assignments: Assignments) -> list[Fact]:
    """Return facts about a fit: what each is called, and what it is."""
    return [
        ("Family", describe_family(model.components_[0])),
        ("Components", f"{len(model.components_)}{' and noise' if model.noise else ''}"),
        (noun(data).capitalize(), f"{len(data):,}"),
        *_sizes(data),
        ("Columns", _columns(data)),
        *_likelihoods(model, X, y, assignments),
        ("Time to fit", _duration(getattr(model, "fit_time_", None))),
        ("Iterations", _iterations(model)),
    ]


def _sizes(data: Any) -> list[Fact]:
    if isinstance(data, Sequences):
        lengths = data.lengths
        return [("Steps", f"{lengths.mean():.1f} on average ({lengths.min()} to {lengths.max()})")]
    n_missing = sum(int(np.isnan(table.values).sum()) for table in _tables(data))
    return [("Missing values", f"{n_missing:,}")] if n_missing else []


def _tables(data: Any) -> Sequence[Any]:
    """Return the tables of a data set that are in memory."""
    return data.tables if isinstance(data, Columns) else [data] if isinstance(data, Table) else []


def _columns(data: Any) -> str:
    if isinstance(data, Regression):
        return f"{_counted(data.n_features, 'input')}, {_counted(data.targets.shape[1], 'target')}"
    if isinstance(data, Columns):
        names: Sequence[str] = [str(name) for group in data.groups for name in group]
    else:
        names = column_names(data.feature_names, data.n_features)
    return f"{len(names)}: {listed(names)}"


def _counted(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _likelihoods(model: Any, X: Any, y: Any, assignments: Assignments) -> list[Fact]:
    """Return the likelihood, and criteria that weigh it against the number of parameters."""
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


def _iterations(model: Any) -> str:
    phases = ", ".join(f"{name} {n}" for name, n in iterations(model.history_).items())
    return f"{phases}{'' if model.converged_ else ' (did not converge)'}"
