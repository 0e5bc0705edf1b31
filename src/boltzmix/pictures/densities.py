"""Columns of a table, with their densities by component and ellipses, and curves of components."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..data import Columns, Data, FloatArray, IntArray, Regression, Table
from ..families import Family
from ..families.contract.description import Curve, Description, Ellipse
from ..views import picture_of


class ComponentCurves(NamedTuple):
    """The curves of K components at g inputs.

    Parameters
    ----------
    grid : array, shape (g,)
    means : array, shape (K, g, m)
        Of each of m targets.
    deviations : array, shape (K, g, m)
    """

    grid: FloatArray
    means: FloatArray
    deviations: FloatArray


def component_curves(
    components: Sequence[Family], data: Regression, n: int
) -> ComponentCurves | None:
    """Return curves at n inputs; None if there are several inputs, or components are no curves."""
    curves = [picture_of(one, Curve) for one in components]
    if data.positions is None or None in curves:
        return None
    grid = np.linspace(data.positions.min(), data.positions.max(), n)
    drawn = [curve.predict(grid[:, None]) for curve in curves if curve is not None]
    means, deviations = zip(*drawn, strict=True)
    return ComponentCurves(grid, np.stack(means), np.stack(deviations))


def turned_ellipse(
    component: Family, directions: FloatArray, offsets: FloatArray
) -> tuple[FloatArray, FloatArray] | None:
    """Return the centre and the covariance of a component on axes (q, d), if it is an ellipse.

    Offsets (q,) are subtracted from coordinates.
    """
    ellipse = picture_of(component, Ellipse)
    if ellipse is None:
        return None
    return directions @ ellipse.centre - offsets, directions @ ellipse.covariance @ directions.T


def column_values(data: Any) -> FloatArray:
    """Return all columns that are clustered side by side, shape (n, d); NaN where missing."""
    tables = data.tables if isinstance(data, Columns) else [data.take(slice(0, len(data)))]
    return np.hstack([table.values for table in tables]).astype(float)


def column_keys(data: Data) -> list[Any]:
    """Return the names of all columns that are clustered, or their numbers."""
    if isinstance(data, Columns):
        return [name for group in data.groups for name in group]
    return list(data.feature_names or range(data.n_features))


def marginal_densities(
    components: Sequence[Family], weights: FloatArray, data: Data, place: int, grid: FloatArray
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


def _like(data: Data, rows: FloatArray) -> Any:
    """Return rows (g, d) as data of the same kind."""
    if not isinstance(data, Columns):
        return Table(rows, data.feature_names)
    ends = np.cumsum([table.n_features for table in data.tables])[:-1]
    parts = zip(data.tables, np.split(rows, ends, axis=1), strict=True)
    tables = tuple(Table(part, table.feature_names) for table, part in parts)
    return replace(data, tables=tables)


GRID = 300  # values at which a density is drawn


def ellipses(
    components: Sequence[Family], wanted: IntArray
) -> tuple[FloatArray | None, FloatArray | None]:
    """Return means (K, c) and covariances (K, c, c) in the wanted columns, if all have them."""
    found = [picture_of(one, Ellipse) for one in components]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None, None
    pairs = np.ix_(wanted, wanted)
    means = np.stack([one.centre[wanted] for one in known])
    return means, np.stack([one.covariance[pairs] for one in known])


def densities(
    components: Sequence[Family],
    weights: FloatArray,
    data: Data,
    place: int,
    ends: tuple[float, float],
) -> FloatArray | None:
    """Return a grid between two ends, and each component's weighted density on it (K + 1, g)."""
    low, high = ends
    values = column_values(data)[:, place]
    known = values[(values >= low) & (values <= high)]
    if not len(known):
        return None
    whole = not (known % 1).any() and high - low <= GRID
    grid = np.arange(low, high + 1) if whole else np.linspace(low, high, GRID)
    found = marginal_densities(components, weights, data, place, grid)
    return None if found is None else np.vstack([grid, found])
