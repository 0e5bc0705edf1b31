"""The columns of a table, as the components of a mixture describe them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...data import Columns, FloatArray, IntArray, Rows
from ...families.contract.description import ColumnDescription, Description
from ...views import Symbols, column_names


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


def columns_of(data: Any, components: Sequence[Any], symbols: Symbols) -> list[Column]:
    """Return the columns of a table of numbers, or of columns of different kinds."""
    described = [one.describe() for one in components]
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


def _categories(
    column: ColumnDescription | None, known: Sequence[Any] | None
) -> Sequence[Any] | None:
    """Return what codes stand for, or the codes themselves; None for numbers."""
    if column is None or column.probabilities is None:
        return None
    return range(len(column.probabilities)) if known is None else known
