"""How the values of each column are distributed over the components, counted over all rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import FloatArray, IntArray, block_slices
from ..views import namer
from .assignments import Assignments
from .columns import Column
from .numbers import plain
from .scales import Scale, count

MOST_CATEGORIES = 12
GRID = 120
ROWS_AT_A_TIME = 2**17
STEEPEST = 50.0  # of a log density that can be drawn


def distributions(
    columns: Sequence[Column], assignments: Assignments, sample: IntArray, weights: FloatArray
) -> list[dict[str, Any]]:
    """Count columns over all rows, one group of rows at a time."""
    scales = [column.scale(column.values(sample)) for column in columns]
    n_groups = len(assignments.groups)
    counts = [np.zeros((n_groups, scale.n_bins), dtype=int) for scale in scales]
    n_missing = np.zeros(len(columns), dtype=int)
    for place in block_slices(len(assignments.labels), ROWS_AT_A_TIME):
        groups = assignments.places[place]
        for j, (column, scale) in enumerate(zip(columns, scales, strict=True)):
            values = column.values(place)
            bins, inside = scale(values)
            counts[j] += count(groups[inside], n_groups, bins, scale.n_bins)
            n_missing[j] += np.isnan(values).sum()
    return [
        {
            "name": column.name,
            "missing": int(missing),
            "beyond": int(len(assignments.labels) - missing - counted.sum()),
            **_shown(column, scale, counted, weights),
        }
        for column, scale, counted, missing in zip(columns, scales, counts, n_missing, strict=True)
    ]


def _shown(column: Column, scale: Scale, counts: IntArray, weights: FloatArray) -> dict[str, Any]:
    if column.categories is not None:
        return _bars(column.categories, counts)
    ends = {"low": plain(scale.low, 8), "high": plain(scale.high, 8)}
    return {**ends, "counts": plain(counts), "curves": _curves(column, scale, weights)}


def _bars(categories: Sequence[Any], counts: IntArray) -> dict[str, Any]:
    """Return the counts of the commonest categories, and of all others together."""
    commonest = np.sort(np.argsort(-counts.sum(axis=0), kind="stable")[:MOST_CATEGORIES])
    names, shown = list(map(namer(categories), commonest.tolist())), counts[:, commonest]
    n_others = len(categories) - len(commonest)
    if n_others:
        names.append(f"{n_others} others")
        shown = np.column_stack([shown, counts.sum(axis=1) - shown.sum(axis=1)])
    return {"categories": names, "counts": plain(shown)}


def _curves(column: Column, scale: Scale, weights: FloatArray) -> dict[str, Any] | None:
    """Return the density of each component, times its weight, if the column is all it has."""
    if column.rows.n_features != 1:
        return None
    family, grid = column.families[0], np.linspace(scale.low, scale.high, GRID)
    if getattr(family, "spacing", 0):
        grid = np.unique(np.clip(np.round(grid), np.ceil(scale.low), np.floor(scale.high)))
    try:
        on_grid = family.observe(grid[:, None])
        values = np.stack([one.log_prob(on_grid) for one in column.families])
    except (ValueError, TypeError):  # a family may not take all that lies between two values
        return None
    if not (values < STEEPEST).all():
        return None
    return {"at": plain(grid), "densities": plain(weights[:, None] * np.exp(values))}
