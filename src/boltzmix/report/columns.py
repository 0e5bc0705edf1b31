"""The columns of a table, and those in which components differ most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import Columns, FloatArray, IntArray, Rows
from ..families.description import ColumnDescription, Description
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
        The table that has the column.
    place : int
        Number of the column in that table.
    descriptions : sequence of ColumnDescription or None
        The column as each component describes it; None where a component does not.
    number : int
        Number of the column, all tables of the data side by side.
    categories : sequence, optional
        What the codes of the column stand for; None if its values are numbers.
    """

    name: str
    rows: Rows
    place: int
    descriptions: Sequence[ColumnDescription | None]
    number: int
    categories: Sequence[Any] | None = None

    def values(self, indices: IntArray | slice) -> FloatArray:
        """Return the values of the rows with these indices, shape (m,)."""
        return self.rows.take(indices).values[:, self.place].astype(float)

    def scale(self, values: FloatArray) -> Scale:
        """Return the bins in which to count, by some of the values."""
        if self.categories is None:
            return Scale.of(values)
        return Scale(-0.5, len(self.categories) - 0.5, len(self.categories))


def columns_of(data: Any, model: Any, symbols: Symbols) -> list[Column]:
    """Return the columns of a table of numbers, or of columns of different kinds."""
    described = [one.describe() for one in model.components_]
    if not isinstance(data, Columns):
        names = data.feature_names or column_names(None, data.n_features)
        return _columns_of_table(names, data, described, 0, symbols)
    known = {**symbols, **{str(name): what for name, what in data.categories.items()}}
    columns: list[Column] = []
    for part, table in enumerate(data.tables):
        own = [one.parts[part].description for one in described]
        names = described[0].parts[part].columns
        columns += _columns_of_table(names, table, own, len(columns), known)
    return columns


def _columns_of_table(
    names: Sequence[str], rows: Rows, described: Sequence[Description], first: int, known: Symbols
) -> list[Column]:
    """Return the columns of one table, the first of which has the number `first`."""
    columns = []
    for place, name in enumerate(names):
        own = [one.columns[place] if len(one.columns) == len(names) else None for one in described]
        categories = _categories(own[0], known.get(name))
        columns.append(Column(name, rows, place, own, first + place, categories))
    return columns


def most_different(
    columns: Sequence[Column], assignments: Assignments, sample: IntArray, most: int
) -> list[Column]:
    """Return the `most` columns in which components differ most, in their order."""
    if len(columns) <= most:
        return list(columns)
    groups, n_groups = assignments.places[sample], len(assignments.groups)
    information = [_information(column, groups, n_groups, sample) for column in columns]
    chosen = np.argsort(-np.array(information), kind="stable")[:most]
    return [columns[place] for place in np.sort(chosen)]


def _categories(
    column: ColumnDescription | None, known: Sequence[Any] | None
) -> Sequence[Any] | None:
    """Return what codes stand for, or the codes themselves; None for numbers."""
    if column is None or column.probabilities is None:
        return None
    return range(len(column.probabilities)) if known is None else known


def _information(column: Column, groups: IntArray, n_groups: int, sample: IntArray) -> float:
    """Return the mutual information of a column and the groups."""
    values = column.values(sample)
    scale = column.scale(values)
    bins, inside = scale(values)
    joint = count(groups[inside], n_groups, bins, scale.n_bins) / max(inside.sum(), 1)
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    there = joint > 0
    return float((joint[there] * np.log(joint[there] / apart[there])).sum())
