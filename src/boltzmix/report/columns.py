"""The columns of a table, and in which of them components differ most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import Columns, FloatArray, IntArray, Rows
from ..views import Symbols, column_names
from .assignments import Assignments
from .scales import Scale, count


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    name : str
    rows : Rows
        The table that has it.
    place : int
        Its number there.
    families : sequence of Family
        What each component says of that table.
    categories : sequence, optional
        What its codes stand for; None if its values are numbers.
    """

    name: str
    rows: Rows
    place: int
    families: Sequence[Any]
    categories: Sequence[Any] | None = None

    def values(self, indices: IntArray | slice) -> FloatArray:
        """Return some of the values, shape (m,)."""
        return self.rows.take(indices).values[:, self.place].astype(float)

    def scale(self, values: FloatArray) -> Scale:
        """Return where to count, by some of the values."""
        if self.categories is None:
            return Scale.of(values)
        return Scale(-0.5, len(self.categories) - 0.5, len(self.categories))


def columns_of(data: Any, model: Any, symbols: Symbols) -> list[Column]:
    """Return the columns of a table of numbers, or of columns of different kinds."""
    components = model.components_
    if not isinstance(data, Columns):
        names = data.feature_names or column_names(None, data.n_features)
        return [
            Column(name, data, place, components, _categories(components[0], symbols.get(name)))
            for place, name in enumerate(names)
        ]
    known = {str(name): what for name, what in data.categories.items()}
    return [
        Column(
            name,
            table,
            place,
            [one.parts[key] for one in components],
            _categories(part, known.get(name, symbols.get(name))),
        )
        for (key, part), table in zip(components[0].parts.items(), data.tables, strict=True)
        for place, name in enumerate(table.feature_names or ())
    ]


def telling(
    columns: Sequence[Column], assignments: Assignments, sample: IntArray, most: int
) -> list[Column]:
    """Return so many columns, those in which components differ most, in their order."""
    if len(columns) <= most:
        return list(columns)
    groups, n_groups = assignments.places[sample], len(assignments.groups)
    told = [_information(column, groups, n_groups, sample) for column in columns]
    chosen = np.argsort(-np.array(told), kind="stable")[:most]
    return [columns[place] for place in np.sort(chosen)]


def _categories(family: Any, known: Sequence[Any] | None) -> Sequence[Any] | None:
    """Return what codes stand for, or the codes themselves; None for numbers."""
    if not getattr(family, "codes", False):
        return None
    if known is not None:
        return known
    probabilities = np.asarray(getattr(family, "probabilities", None))
    return range(probabilities.shape[1] if probabilities.ndim == 2 else 2)


def _information(column: Column, groups: IntArray, n_groups: int, sample: IntArray) -> float:
    """Return how much a column tells about the groups: their mutual information."""
    values = column.values(sample)
    scale = column.scale(values)
    bins, inside = scale(values)
    joint = count(groups[inside], n_groups, bins, scale.n_bins) / max(inside.sum(), 1)
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    there = joint > 0
    return float((joint[there] * np.log(joint[there] / apart[there])).sum())
