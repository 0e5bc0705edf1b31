"""The table of components: size, weight, certainty and description of each."""

from collections.abc import Sequence

from ..data import Data, Regression, Sequences
from ..families import Family
from ..fitted import FittedMixture
from ..inference.profiles.variables import Column
from ..learning import LEAST_FOUND
from ..views import (
    Symbols,
    agreement_of_clusters,
    are_merged,
    column_names,
    describe_column,
    describe_component,
    describe_parameters,
)
from .assignments import UNSURE, Assignments
from .document import neat, plain


def components(
    model: FittedMixture,
    data: Data,
    columns: Sequence[Column],
    assignments: Assignments,
    symbols: Symbols,
    n_columns: int,
) -> dict[str, object]:
    """Return a row for each component, and last one for noise if there is any.

    Of `n_columns`, it describes `columns`, which tell components apart most.
    """
    headings, words = _words(model, data, columns, assignments, symbols)
    agreement = None if are_merged(model) else agreement_of_clusters(model)
    weights = [*model.weights_, *([model.noise_weight_] if model.noise else [])]
    return {
        "headings": headings or ["description"],
        "by_column": bool(headings),
        "n_columns": n_columns,
        "unsure": UNSURE,
        "has_agreement": agreement is not None,
        "least_found": LEAST_FOUND,
        "rows": [
            {
                "name": "noise" if k < 0 else str(k),
                "weight": plain(weight, 4),
                "size": int(size),
                "certainty": plain(certainty, 4),
                "agreement": None if agreement is None or k < 0 else plain(agreement[k], 4),
                "n_unsure": int(n_unsure),
                "words": [] if k < 0 else words[k],
                "full": "" if k < 0 else _parameters(model.components_[k]),
            }
            for k, weight, size, certainty, n_unsure in zip(
                assignments.groups, weights, assignments.sizes,
                assignments.mean_certainty, assignments.n_unsure, strict=True,
            )
        ],
    }  # fmt: skip


def _words(
    model: FittedMixture,
    data: Data,
    columns: Sequence[Column],
    assignments: Assignments,
    symbols: Symbols,
) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns described, if any, and the words on each component."""
    found = model.components_
    cells = [_cells(columns, k) for k in range(len(found))]
    if columns and all(None not in row for row in cells):
        return [column.name for column in columns], [[one or "" for one in row] for row in cells]
    names = _names(data)
    lines = []
    for k, one in enumerate(found):
        members = data.take(assignments.labels == k) if isinstance(data, Sequences) else None
        lines.append([neat(describe_component(one, names, symbols, members))])
    return [], lines


def _cells(columns: Sequence[Column], k: int) -> list[str | None]:
    """Return the description of each column by component k; None where it has none."""
    described = ((column.descriptions[k], column.categories) for column in columns)
    return [
        None if column is None else neat(describe_column(column, categories))
        for column, categories in described
    ]


def _names(data: Data) -> Sequence[str]:
    """Return the names of the columns of the data, or of the inputs of curves."""
    if isinstance(data, Regression):
        return data.input_names or [f"input {j}" for j in range(data.inputs.shape[1])]
    return data.feature_names or column_names(None, data.n_features)


def _parameters(component: Family) -> str:
    """Return all parameters of a component, part by part where it has parts."""
    description = component.describe()
    if not description.parts:
        return neat(describe_parameters(description.parameters) or repr(component))
    return neat(
        "; ".join(
            f"{', '.join(part.columns)}: {describe_parameters(part.description.parameters)}"
            for part in description.parts
        )
    )
