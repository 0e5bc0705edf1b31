"""Densities of one column: those of rows of which everything else is missing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..data import Columns, FloatArray, Table
from ..families.contract.description import Description


def marginal_densities(
    components: Sequence[Any], weights: FloatArray, data: Any, place: int, grid: FloatArray
) -> FloatArray | None:
    """Return the weighted density of each component in one column.

    Parameters
    ----------
    components : sequence of K fitted families
    weights : array, shape (K,)
    data : Rows or Columns
        Data of the kind that the components were fitted to.
    place : int
        Number of the column, all columns of the data side by side.
    grid : array, shape (g,)
        Values of the column.

    Returns
    -------
    array, shape (K, g), or None
        None where the family does not give the density of one column: it takes no missing values
        and there are other columns, or it takes no such values as are on the grid. At a number
        that has a probability of its own, it is the density just above.
    """
    tables = data.tables if isinstance(data, Columns) else [data]
    n_columns = sum(table.n_features for table in tables)
    if n_columns > 1 and not components[0].missing:
        return None
    rows = np.full((len(grid), n_columns), np.nan)
    atoms = _atoms(components[0].describe(), n_columns, place)
    rows[:, place] = np.where(np.isin(grid, atoms), np.nextafter(grid, np.inf), grid)
    try:
        on_grid = components[0].observe(_like(data, rows))
        log_densities = np.stack([one.log_prob(on_grid) for one in components])
    except (ValueError, TypeError):  # a family need not take every value between two others
        return None
    return np.asarray(weights)[:, None] * np.exp(log_densities)


def _atoms(description: Description, n_columns: int, place: int) -> list[float]:
    """Return the numbers of a column that have a probability of their own."""
    parts = [part.description for part in description.parts] or [description]
    columns = [column for part in parts for column in part.columns]
    return list(columns[place].atoms) if len(columns) == n_columns else []


def _like(data: Any, rows: FloatArray) -> Any:
    """Return rows (g, d) as data of the same kind."""
    if not isinstance(data, Columns):
        return Table(rows, data.feature_names)
    ends = np.cumsum([table.n_features for table in data.tables])[:-1]
    parts = zip(data.tables, np.split(rows, ends, axis=1), strict=True)
    tables = tuple(Table(part, table.feature_names) for table, part in parts)
    return replace(data, tables=tables)
