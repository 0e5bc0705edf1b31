"""The variables that a profile shows: columns of tables, features of steps, inputs and targets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data import Columns, Data, FloatArray, IntArray, Regression, Rows, Sequences, Trajectories
from ...families.contract.description import ColumnDescription, Description
from ...fitted import FittedMixture
from ...views import Symbols, column_names, is_symbolic


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
    categories: Sequence[object] | None = None

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
    column: ColumnDescription | None, known: Sequence[object] | None
) -> Sequence[object] | None:
    """Return what codes stand for, or the codes themselves; None for numbers."""
    if column is None or column.probabilities is None:
        return None
    return range(len(column.probabilities)) if known is None else known


@dataclass(frozen=True, eq=False)
class Variable:
    """One variable of all observations.

    Parameters
    ----------
    name : str
    values : array, shape (m,)
        Numbers, or codes of categories; NaN where a value is missing.
    owners : array of int, shape (m,), optional
        The observation that each value belongs to; observation i has value i if absent.
    categories : sequence, optional
        What codes stand for; None if values are numbers.
    """

    name: str
    values: FloatArray
    owners: IntArray | None = None
    categories: Sequence[object] | None = None

    @property
    def observed(self) -> tuple[FloatArray, IntArray]:
        """The values that are not missing, and the observations that they belong to."""
        there = ~np.isnan(self.values)
        owners = np.arange(len(self.values)) if self.owners is None else self.owners
        return self.values[there].astype(float), owners[there]


def variables_of(data: Data, model: FittedMixture, symbols: Symbols) -> Iterator[Variable]:
    """Return the variables of observations, one after the other."""
    if isinstance(data, Sequences):
        return _of_sequences(data, model, symbols)
    if isinstance(data, Trajectories):
        return _of_trajectories(data)
    if isinstance(data, Regression):
        return _of_curves(data)
    if isinstance(data, Rows | Columns):
        return _of_table(data, model, symbols)
    raise ValueError(
        "Profiles show rows, sequences, trajectories or curves, and the data of"
        f" {model.components_[0].name} are something else."
    )


def _of_table(data: Data, model: FittedMixture, symbols: Symbols) -> Iterator[Variable]:
    for column in columns_of(data, model.components_, symbols):
        values = column.values(slice(0, len(data)))
        yield Variable(column.name, values, categories=column.categories)


def _of_sequences(data: Sequences, model: FittedMixture, symbols: Symbols) -> Iterator[Variable]:
    """Return the features of all steps, and the lengths of sequences."""
    owners = np.repeat(np.arange(len(data)), data.lengths)
    names = data.feature_names or column_names(None, data.n_features)
    symbolic = is_symbolic(model.components_[0])
    for name, values in zip(names, data.values.T, strict=True):
        codes = range(int(values.max()) + 1) if symbolic else None
        yield Variable(name, values, owners, symbols.get(name, codes) if symbolic else None)
    yield Variable("length", data.lengths.astype(float))


def _of_trajectories(data: Trajectories) -> Iterator[Variable]:
    """Return the outputs at all points, and the numbers of points."""
    owners = np.repeat(np.arange(len(data)), data.lengths)
    names = data.feature_names or column_names(None, data.n_features)
    for name, values in zip(names, data.values.T, strict=True):
        yield Variable(name, values, owners)
    yield Variable("points", data.lengths.astype(float))


def _of_curves(data: Regression) -> Iterator[Variable]:
    names = data.input_names or [f"input {j}" for j in range(data.inputs.shape[1])]
    targets = data.targets.shape[1]
    names = [*names, *(["target"] if targets == 1 else [f"target {j}" for j in range(targets)])]
    for name, values in zip(names, np.hstack([data.inputs, data.targets]).T, strict=True):
        yield Variable(name, values)
