"""Densities of one column: those of rows of which all else is missing."""

from dataclasses import replace
from typing import Any

import numpy as np

from ..data import Columns, FloatArray, Table

GRID = 300


def densities(model: Any, data: Any, values: FloatArray, place: int) -> FloatArray | None:
    """Return a grid over one column, and each component's weighted density on it.

    Parameters
    ----------
    model : fitted mixture
    data : Rows or Columns
    values : array, shape (n, d)
        All columns of the data side by side.
    place : int
        Which of them.

    Returns
    -------
    array, shape (K + 1, g), or None where the family takes no missing values
    """
    column = values[~np.isnan(values[:, place]), place]
    if not model.components_[0].missing or not len(column):
        return None
    grid = _grid(column)
    rows = np.full((len(grid), values.shape[1]), np.nan)
    rows[:, place] = grid
    on_grid = _like(data, rows)
    return np.stack(
        [grid]
        + [
            weight * np.exp(one.log_prob(on_grid))
            for one, weight in zip(model.components_, model.weights_, strict=True)
        ]
    )


def _like(data: Any, rows: FloatArray) -> Any:
    """Return rows (g, d) as data of the same kind."""
    if not isinstance(data, Columns):
        return Table(rows, data.feature_names)
    ends = np.cumsum([table.n_features for table in data.tables])[:-1]
    parts = zip(data.tables, np.split(rows, ends, axis=1), strict=True)
    tables = tuple(Table(part, table.feature_names) for table, part in parts)
    return replace(data, tables=tables)


def _grid(column: FloatArray) -> FloatArray:
    """Return places between the least and the greatest value; whole numbers where all are."""
    low, high = column.min(), column.max()
    if not (column % 1).any() and high - low <= GRID:
        return np.arange(low, high + 1)
    return np.linspace(low, high, GRID)
