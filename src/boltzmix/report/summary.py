"""What was fitted to how much, and how well."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import Columns, Regression, Rows, Sequences, Table
from ..views import column_names
from .assignments import Assignments

UNKNOWN = "–"
Fact = tuple[str, str]


def noun(data: Any) -> str:
    """Return what the observations are called, if there are many."""
    kinds = {Rows: "rows", Columns: "rows", Sequences: "sequences", Regression: "points"}
    return next((name for kind, name in kinds.items() if isinstance(data, kind)), "observations")


def title(model: Any, data: Any) -> str:
    """Return the report's heading."""
    n, n_components = len(data), len(model.components_)
    plural = "component" if n_components == 1 else "components"
    one = noun(data).removesuffix("s") if n == 1 else noun(data)
    return f"{n_components} {family_name(model)} {plural} in {n:,} {one}"


def family_name(model: Any) -> str:
    """Return the family's name; for columns of different kinds, say so."""
    component = model.components_[0]
    return "mixed" if hasattr(component, "parts") else str(component.name)


def summary(model: Any, X: Any, y: Any, data: Any, assignments: Assignments) -> list[Fact]:
    """Return facts about a fit: what each is called, and what it is."""
    return [
        ("Family", _family(model)),
        ("Components", f"{len(model.components_)}{' and noise' if model.noise else ''}"),
        (noun(data).capitalize(), f"{len(data):,}"),
        *_sizes(data),
        ("Columns", _columns(data)),
        *_likelihoods(model, X, y, assignments),
        ("Time to fit", _duration(getattr(model, "fit_time_", None))),
        ("Iterations", _iterations(model)),
    ]


def _family(model: Any) -> str:
    component = model.components_[0]
    if hasattr(component, "parts"):
        return "; ".join(
            f"{', '.join(map(str, key)) if isinstance(key, tuple) else key}: {part.name}"
            for key, part in component.parts.items()
        )
    n_states = np.shape(getattr(component, "initial", ()))
    what = "states" if hasattr(component, "emissions") else "symbols"
    return f"{component.name}, {n_states[0]} {what}" if n_states else str(component.name)


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
    if isinstance(data, Columns):
        names: Sequence[str] = [str(name) for group in data.groups for name in group]
    else:
        names = column_names(data.feature_names, data.n_features)
    return f"{len(names)}: {', '.join(names[:8])}{', …' if len(names) > 8 else ''}"


def _likelihoods(model: Any, X: Any, y: Any, assignments: Assignments) -> list[Fact]:
    """Return the likelihood, and criteria that weigh it against the number of parameters."""
    score = model.score(X, y)
    try:
        bic = model.bic(X, y)
    except NotImplementedError:  # a family that does not count its parameters
        bic = np.nan
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
    history = model.history_
    phases = ", ".join(
        f"{name} {int(((history.phase == name) & (history.iteration > 0)).sum())}"
        for name in history.phases
    )
    return f"{phases}{'' if model.converged_ else ' (did not converge)'}"
