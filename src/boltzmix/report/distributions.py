"""Histograms of each column by component, over all rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..data import BoolArray, Data, FloatArray, IntArray, block_slices
from ..fitted import FittedMixture
from ..inference import Profiles
from ..inference.profiles.variables import Column
from ..pictures import marginal_densities, shown_range
from ..views import namer
from .assignments import Assignments, bins_of, count
from .document import plain

FEWEST_BINS, MOST_BINS = 14, 48
ENDS = (0.002, 0.998)  # quantiles that the bins cover


@dataclass(frozen=True)
class Scale:
    """Bins of equal width between two ends.

    Parameters
    ----------
    low, high : float
    n_bins : int
    """

    low: float
    high: float
    n_bins: int

    @classmethod
    def of(cls, values: FloatArray, labels: IntArray) -> "Scale":
        """Cover values (m,) except for outliers and far noise; few whole numbers get a bin each."""
        first, last = shown_range(values, labels)
        known = values[(values >= first) & (values <= last)]
        if not len(known):
            return cls(0.0, 1.0, 1)
        inner = np.quantile(known, ENDS)
        room = 0.1 * (inner[1] - inner[0])
        low, high = max(inner[0] - room, known.min()), min(inner[1] + room, known.max())
        if high - low < MOST_BINS and (known == np.round(known)).all():
            low, high = np.floor(low) - 0.5, np.ceil(high) + 0.5
            return cls(float(low), float(high), round(high - low))
        if high <= low:
            wide = 0.01 * max(abs(low), 1.0)
            return cls(float(low) - wide, float(high) + wide, 1)
        n_bins = np.clip(1.6 * np.sqrt(len(known)), FEWEST_BINS, MOST_BINS)
        return cls(float(low), float(high), int(n_bins))

    def __call__(self, values: FloatArray) -> tuple[IntArray, BoolArray]:
        """Return the bins of values between the ends, and which values these are, shape (m,)."""
        inside = (values >= self.low) & (values <= self.high)
        return bins_of((values[inside] - self.low) / (self.high - self.low), self.n_bins), inside


def scale_of(column: Column, values: FloatArray, labels: IntArray) -> Scale:
    """Return the bins in which to count a column, by some of its values and their components."""
    if column.categories is None:
        return Scale.of(values, labels)
    return Scale(-0.5, len(column.categories) - 0.5, len(column.categories))


def most_different(columns: Sequence[Column], profiled: Profiles | None, most: int) -> list[Column]:
    """Return the `most` columns that say most about the component, in their order."""
    if profiled is None or not columns:
        return []
    information = np.array([one.information for one in profiled.columns])
    best = np.argsort(-information, kind="stable")[:most]
    return [columns[place] for place in np.sort(best)]


MOST_CATEGORIES = 12
GRID = 120
ROWS_AT_A_TIME = 2**17
STEEPEST = np.exp(50.0)  # greatest density that is drawn


def distributions(
    model: FittedMixture,
    data: Data,
    columns: Sequence[Column],
    assignments: Assignments,
    sample: IntArray,
) -> list[dict[str, object]]:
    """Count the values of columns over all rows, a block of rows at a time."""
    labels = assignments.labels[sample]
    scales = [scale_of(column, column.values(sample), labels) for column in columns]
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
            **(
                _histogram(column, model, data, scale, counted)
                if column.categories is None
                else _bars(column.categories, counted)
            ),
        }
        for column, scale, counted, missing in zip(columns, scales, counts, n_missing, strict=True)
    ]


def _histogram(
    column: Column, model: FittedMixture, data: Data, scale: Scale, counts: IntArray
) -> dict[str, object]:
    """Return the counts in the bins of a column of numbers, and the densities over them."""
    ends = {"low": plain(scale.low, 12), "high": plain(scale.high, 12)}
    return {**ends, "counts": plain(counts), "curves": _curves(column, model, data, scale)}


def _bars(categories: Sequence[object], counts: IntArray) -> dict[str, object]:
    """Return the counts of the commonest categories, and of all others together."""
    commonest = np.sort(np.argsort(-counts.sum(axis=0), kind="stable")[:MOST_CATEGORIES])
    names, shown = list(map(namer(categories), commonest.tolist())), counts[:, commonest]
    n_others = len(categories) - len(commonest)
    if n_others:
        names.append(f"{n_others} others")
        shown = np.column_stack([shown, counts.sum(axis=1) - shown.sum(axis=1)])
    return {"categories": names, "counts": plain(shown)}


def _curves(
    column: Column, model: FittedMixture, data: Data, scale: Scale
) -> dict[str, object] | None:
    """Return the density of each component times its weight, if the family gives it."""
    grid = np.linspace(scale.low, scale.high, GRID)
    if column.descriptions[0] is not None and column.descriptions[0].whole_numbers:
        grid = np.unique(np.clip(np.round(grid), np.ceil(scale.low), np.floor(scale.high)))
    densities = marginal_densities(model.components_, model.weights_, data, column.number, grid)
    if densities is None or not (densities < STEEPEST).all():
        return None
    return {"at": plain(grid), "densities": plain(densities)}
