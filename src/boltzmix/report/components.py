"""The table of components: how large, how certain, and what each is like."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..data import Regression, Sequences
from ..views import Symbols, describe, describe_columns
from .assignments import UNSURE, Assignments
from .columns import Column
from .numbers import neat, plain

MOST_WORDS = 8


def components(
    model: Any, data: Any, columns: Sequence[Column], assignments: Assignments, symbols: Symbols
) -> dict[str, Any]:
    """Show components, and last the noise if there is any."""
    names, words = _words(model, data, columns, assignments, symbols)
    weights = [*model.weights_, *([model.noise_weight_] if model.noise else [])]
    return {
        "headings": names,
        "n_columns": len(columns),
        "unsure": UNSURE,
        "rows": [
            {
                "name": "noise" if k < 0 else str(k),
                "weight": plain(weight, 4),
                "size": int(size),
                "certainty": plain(certainty, 4),
                "n_unsure": int(n_unsure),
                "words": [] if k < 0 else words[k],
                "full": "" if k < 0 else neat(repr(model.components_[k])),
            }
            for k, weight, size, certainty, n_unsure in zip(
                assignments.groups, weights, assignments.sizes,
                assignments.mean_certainty, assignments.n_unsure, strict=True,
            )
        ],
    }  # fmt: skip


def _words(
    model: Any, data: Any, columns: Sequence[Column], assignments: Assignments, symbols: Symbols
) -> tuple[list[str], list[list[str]]]:
    """Return what is told of each component, and the headings over it."""
    found = model.components_
    if columns:
        told = [_cells(columns, k, symbols) for k in range(len(found))]
        if all(one is not None for one in told):
            return [column.name for column in columns[:MOST_WORDS]], [one or [] for one in told]
    if isinstance(data, Sequences):
        lines = [
            describe(one, data.take(assignments.labels == k), symbols)
            for k, one in enumerate(found)
        ]
    elif isinstance(data, Regression):
        lines = [_function(one, data) or repr(one) for one in found]
    else:
        lines = [repr(one) for one in found]
    return ["what it is like"], [[neat(line)] for line in lines]


def _cells(columns: Sequence[Column], k: int, symbols: Symbols) -> list[str] | None:
    """Return what component k is like in each of the first columns, if that is known."""
    cells = []
    for column in columns[:MOST_WORDS]:
        known = {column.name: column.categories} if column.categories else {}
        names = [f"{place}" for place in range(column.rows.n_features)]
        names[column.place] = column.name
        told = describe_columns(column.families[k], names, {**symbols, **known})
        if told is None:
            return None
        cells.append(neat(told[column.place]))
    return cells


def _function(component: Any, data: Regression) -> str | None:
    """Tell a straight line as an equation, and of a smooth curve its kernel and noise."""
    if hasattr(component, "kernel") and hasattr(component, "noise"):
        return f"{component.kernel}\nnoise ± {np.sqrt(component.noise):.3g}"
    slopes = getattr(component, "coefficients", None)
    if slopes is None or np.shape(slopes) != (data.n_features, data.targets.shape[1]):
        return None
    names = data.feature_names or [f"input {j}" for j in range(data.n_features)]
    return "\n".join(
        _line(start, slope, np.sqrt(variance), names)
        for start, slope, variance in zip(
            component.intercept, slopes.T, component.variance, strict=True
        )
    )


def _line(start: float, slopes: Iterable[float], deviation: float, names: Sequence[str]) -> str:
    terms = [
        f"{'−' if slope < 0 else '+'} {abs(slope):.3g} {name}"
        for slope, name in zip(slopes, names, strict=True)
    ]
    return f"target = {start:.3g} {' '.join(terms)} ± {deviation:.2g}"
