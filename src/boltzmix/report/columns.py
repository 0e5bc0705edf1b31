"""The columns of a table that say most about the component, and the bins of each."""

from collections.abc import Sequence

import numpy as np

from ..data import FloatArray, IntArray
from ..inference import Profiles
from ..inference.profiles.variables import Column
from .scales import Scale


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
