"""Everything that a report shows, as plain data."""

from collections.abc import Sequence
from os import PathLike

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..comparison import Comparison
from ..comparison.picture import CriterionLine, criterion_picture
from ..comparison.words import describe_choice, numbers_table, shown_table
from ..data import (
    Columns,
    Data,
    FloatArray,
    IntArray,
    Regression,
    Rows,
    Sequences,
    Trajectories,
    as_known,
    without_covariates,
)
from ..fitted import FittedMixture
from ..inference import Profiles, profile
from ..inference.estimates import estimates_cells
from ..inference.profiles.profiles import profile_rows
from ..inference.profiles.variables import Column, columns_of
from ..learning import History
from ..look import NOISE_COLOUR, PALETTE
from ..views import (
    Symbols,
    are_merged,
    cluster_rows,
    count_trials,
    describe_moves,
    describe_problems,
    symbols_by_column,
)
from .agreement import Agreement, set_classes_apart
from .assignments import Assignments
from .components import components
from .distributions import distributions, most_different
from .document import Report, neat, plain
from .observations import curves, points, sequences, trajectories
from .provenance import Origin, provenance
from .summary import summary, title


def clusters(model: FittedMixture) -> dict[str, object] | None:
    """Return the cluster of each component and a row for each cluster, if some are merged."""
    if not are_merged(model):
        return None
    return {
        "of_components": plain(model.clusters_),
        "rows": [
            {
                "components": row["components"],
                "weight": plain(row["weight"], 4),
                "size": row["observations"],
                "agreement": plain(row["agreement"], 4) if "agreement" in row else None,
            }
            for row in cluster_rows(model)
        ],
    }


def membership(model: FittedMixture, X: object, y: object) -> dict[str, object] | None:
    """Return the effects of covariates on membership, if it depends on any."""
    if model.membership_ is None:
        return None
    effects = model.membership_effects(X, y, n_replicates=0)
    headings, lines = estimates_cells(effects)
    return {
        "headings": headings,
        "lines": [list(map(neat, line)) for line in lines],
        "notes": list(effects.notes),
    }


def choice(model: FittedMixture) -> dict[str, object] | None:
    """Return the table and the lines of a comparison, if a mixture was chosen by one."""
    comparison: Comparison | None = model._comparison
    if comparison is None:
        return None
    (*headings, _), rows = shown_table(comparison)
    picture, numbers = criterion_picture(comparison), numbers_table(comparison)
    return {
        "sentence": neat(describe_choice(comparison, model)),
        "x_label": picture.x_label,
        "y_label": picture.y_label,
        "headings": headings,
        "rows": [
            {"cells": list(map(neat, cells)), "chosen": bool(chosen)} for *cells, chosen in rows
        ],
        "n_candidates": len(comparison),
        "numbers": None
        if numbers is None
        else {"headings": numbers[0], "lines": [list(map(neat, line)) for line in numbers[1]]},
        "lines": [_line(line) for line in picture.lines],
        "limits": plain(picture.limits, 8),
        "plausible": list(picture.plausible) if len(picture.plausible) > 1 else [],
        "needed": None
        if picture.needed is None
        else {"numbers": picture.needed[0], "values": plain(picture.needed[1], 4)},
    }


def _line(line: CriterionLine) -> dict[str, object]:
    """Return one line of the picture; `spread` is that of several values at each number."""
    return {
        "name": line.name,
        "numbers": line.numbers,
        "values": plain(line.values, 8),
        "best": line.best,
        "spread": None if line.spread is None else [plain(one, 4) for one in line.spread],
    }


MOST_STEPS, MOST_MOVES = 600, 200


def training(history: History) -> dict[str, object]:
    """Return the steps of a run, or, of a long run, some that are evenly spaced."""
    moves = _moves(history)
    begins = np.flatnonzero(history.iteration == 0)
    steps = _shown(len(history), begins)
    return {
        "steps": plain(steps),
        "n_steps": len(history),
        "temperature": plain(history.temperature[steps]),
        "score": plain(history.score[steps], 8),
        "counts": plain(history.counts[steps].T),
        "phases": [{"name": str(history.phase[at]), "at": int(at)} for at in begins],
        "moves": moves[:MOST_MOVES],
        "n_moves": len(moves),
        "trials": count_trials(history),
    }


def _moves(history: History) -> list[dict[str, object]]:
    """Return the moves that were made, and the step that each precedes."""
    return [{"at": int(at), "what": describe_moves(history.moves[at])} for at in history.moved]


def _shown(n_steps: int, begins: IntArray) -> IntArray:
    every = np.arange(0, n_steps, -(-n_steps // MOST_STEPS))
    return np.unique([*every, *begins, n_steps - 1])


LEVEL = 0.95
MOST_ROWS = 24  # of the picture
MOST_LINES = 40  # of the table


def profiles(
    model: FittedMixture, data: Data, probabilities: FloatArray, symbols: Symbols
) -> Profiles | None:
    """Return the profiles of components, if their data are of a kind that has columns."""
    if not isinstance(data, Rows | Columns | Sequences | Trajectories | Regression):
        return None
    return profile(model, data, probabilities, LEVEL, symbols)


def shown_profiles(found: Profiles | None) -> dict[str, object] | None:
    """Return the picture and the table of the columns that say most about the component."""
    if found is None:
        return None
    rows, is_standardised = profile_rows(found, MOST_ROWS)
    headings, lines = found.table(found.ranked)
    return {
        "standardised": is_standardised,
        "sentence": neat(found.sentence),
        "rows": [
            {
                "label": row.label,
                "means": plain(row.means, 4),
                "low": plain(row.low, 4),
                "high": plain(row.high, 4),
            }
            for row in rows
        ],
        "headings": headings,
        "lines": [list(map(neat, line)) for line in lines[:MOST_LINES]],
        "n_lines": len(lines),
    }


MOST_AXES, MOST_COLUMNS = 24, 12


def make_report(
    model: FittedMixture,
    X: object,
    y: object,
    symbols: Symbols | Sequence[object] | None,
    covariates: object,
    compare_with: object,
    source: str | PathLike[str] | None,
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
    X: object,
    y: object = None,
    symbols: Symbols | Sequence[object] | None = None,
    compare_with: object = None,
    origin: Origin | None = None,
) -> dict[str, object]:
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


def agreement(
    known: object, model: FittedMixture, X: object, y: object
) -> dict[str, object] | None:
    """Return the cross table of components or clusters and known classes, if these are given."""
    if known is None:
        return None
    found = Agreement.of_model(known, model, model.predict(X, y))
    headings, lines = found.table()
    return {"headings": headings, "lines": lines, "sentences": found.sentences}


def _picture(
    model: FittedMixture,
    data: Data,
    columns: list[Column],
    assignments: Assignments,
    sample: IntArray,
    symbols: Symbols,
) -> dict[str, object] | None:
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
