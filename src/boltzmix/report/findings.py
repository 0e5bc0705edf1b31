"""Everything that a report shows, as plain data."""

from collections.abc import Sequence
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ..data import (
    Columns,
    IntArray,
    Regression,
    Rows,
    Sequences,
    Trajectories,
    as_known,
    without_covariates,
)
from ..fitted import FittedMixture
from ..inference.profiles.variables import Column, columns_of
from ..look import NOISE_COLOUR, PALETTE
from ..views import Symbols, describe_problems, symbols_by_column
from .agreement import Agreement, set_classes_apart
from .assignments import Assignments
from .choice import choice
from .clusters import clusters
from .columns import most_different
from .components import components
from .curves import curves
from .distributions import distributions
from .document import Report
from .membership import membership
from .numbers import neat, plain
from .points import points
from .profiles import profiles, shown_profiles
from .provenance import Origin, provenance
from .sequences import sequences
from .summary import summary, title
from .training import training
from .trajectories import trajectories

MOST_AXES, MOST_COLUMNS = 24, 12


def make_report(
    model: FittedMixture,
    X: Any,
    y: Any,
    symbols: Symbols | Sequence[Any] | None,
    covariates: Any,
    compare_with: Any,
    source: Any,
    command: str | None,
) -> Report:
    """Return the report of `Mixture.report`, whose parameters these are."""
    check_is_fitted(model)
    X, known, name = set_classes_apart(as_known(X), compare_with)
    if covariates is not None:
        X, y = model.read(X, y, covariates), None
    return Report(find(model, X, y, symbols, known, Origin(source, command, name, symbols)))


def find(
    model: FittedMixture,
    X: Any,
    y: Any = None,
    symbols: Symbols | Sequence[Any] | None = None,
    compare_with: Any = None,
    origin: Origin | None = None,
) -> dict[str, Any]:
    """Compute everything that a report shows.

    Parameters
    ----------
    model : fitted mixture
    X, y : whatever the family takes
    symbols : mapping of column names to sequences, or one sequence, optional
        What codes stand for.
    compare_with : array, shape (n,), optional
        Known classes.
    origin : Origin, optional
        Where the observations come from.
    """
    probabilities = model.predict_component_proba(X, y)
    assignments = Assignments.of(model, probabilities)
    read = model.read(X, y)
    data = without_covariates(read)
    symbols = symbols_by_column(symbols, data.feature_names)
    profiled = profiles(model, data, probabilities, symbols)
    sample = assignments.sample()
    is_table = isinstance(data, Rows | Columns)
    columns = columns_of(data, model.components_, symbols) if is_table else []
    axes, shown = (most_different(columns, profiled, most) for most in (MOST_AXES, MOST_COLUMNS))
    return {
        "title": title(model, data),
        "noun": data.noun,
        "n": len(data),
        "palette": PALETTE,
        "noise_colour": NOISE_COLOUR if model.noise else None,
        "summary": summary(model, X, y, data, assignments),
        "problems": describe_problems(model),
        "clusters": clusters(model),
        "components": components(model, data, shown, assignments, symbols, len(columns)),
        "differences": None if profiled is None else list(map(neat, profiled.differences)),
        "agreement": agreement(compare_with, model, X, y),
        "profiles": shown_profiles(profiled),
        "certainty": plain(assignments.histogram),
        "choice": choice(model),
        "membership": membership(model, X, y),
        "training": training(model.history_),
        "picture": _picture(model, data, axes, assignments, sample, symbols),
        "columns": distributions(model, data, shown, assignments, sample),
        "n_columns": len(columns),
        "provenance": provenance(model, read, y, assignments, origin or Origin()),
    }


def agreement(known: Any, model: FittedMixture, X: Any, y: Any) -> dict[str, Any] | None:
    """Return the cross table of components or clusters and known classes, if these are given."""
    if known is None:
        return None
    found = Agreement.of_model(known, model, model.predict(X, y))
    headings, lines = found.table()
    return {"headings": headings, "lines": lines, "sentences": found.sentences}


def _picture(
    model: FittedMixture,
    data: Any,
    columns: list[Column],
    assignments: Assignments,
    sample: IntArray,
    symbols: Symbols,
) -> dict[str, Any] | None:
    """Return the picture for this kind of data, if there is one besides those of columns."""
    if isinstance(data, Sequences):
        return sequences(data, model, assignments, symbols)
    if isinstance(data, Trajectories):
        return trajectories(data, model, assignments)
    if isinstance(data, Regression):
        return curves(data, model, assignments, sample)
    if isinstance(data, Rows) and data.n_features > 1 and columns[0].categories is None:
        return points(columns, model, assignments, sample)
    return None
