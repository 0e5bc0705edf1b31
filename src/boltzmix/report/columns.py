"""The columns of a table in which components differ most, and the bins of each."""

from collections.abc import Sequence

import numpy as np

from ..data import FloatArray, IntArray
from ..inference.columns import Column
from .assignments import Assignments
from .scales import Scale, count


def scale_of(column: Column, values: FloatArray) -> Scale:
    """Return the bins in which to count a column, by some of its values."""
    if column.categories is None:
        return Scale.of(values)
    return Scale(-0.5, len(column.categories) - 0.5, len(column.categories))


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


def _information(column: Column, groups: IntArray, n_groups: int, sample: IntArray) -> float:
    """Return the mutual information of a column and the groups."""
    values = column.values(sample)
    scale = scale_of(column, values)
    bins, inside = scale(values)
    joint = count(groups[inside], n_groups, bins, scale.n_bins) / max(inside.sum(), 1)
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    there = joint > 0
    return float((joint[there] * np.log(joint[there] / apart[there])).sum())
