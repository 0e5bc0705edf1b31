"""Which columns tell components apart most, by what the components are alone."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...data import Columns, FloatArray, Table
from ...families.contract.base import Family
from .information import binned, counts_of, information

DRAWN, LEAST = 1000, 20  # rows drawn from all components, and from each of them at the least


def rank_columns(components: Sequence[Family], weights: FloatArray) -> list[int]:
    """Return the numbers of the columns, those first that tell the components apart most.

    Rows are drawn from the components, and columns ranked by the information about the component
    that each carries alone. So no data are needed. Empty where rows are of another kind or cannot
    be drawn, and where there is one component.

    Examples
    --------
    >>> from boltzmix.families import Gaussian
    >>> rng = np.random.default_rng(0)
    >>> means = [0.0, 0.0, 5.0], [0.0, 9.0, 6.0]
    >>> components = [Gaussian().fit(Table.of(rng.normal(one, 1, (50, 3)))) for one in means]
    >>> rank_columns(components, np.array([0.5, 0.5]))
    [1, 2, 0]
    """
    if len(components) == 1:
        return []
    rng = np.random.default_rng(0)
    sizes = np.maximum(np.round(DRAWN * np.asarray(weights)), LEAST).astype(int)
    try:
        drawn = [
            one.observe(one.sample(int(n), rng)) for one, n in zip(components, sizes, strict=True)
        ]
    except (NotImplementedError, TypeError, ValueError):  # some families cannot be drawn from
        return []
    if not all(isinstance(one, Table | Columns) for one in drawn):
        return []
    rows = np.concatenate([_values(one) for one in drawn])
    labels = np.eye(len(sizes))[np.repeat(np.arange(len(sizes)), sizes)]
    found = np.array([_information(column, labels) for column in rows.T])
    return [int(place) for place in np.argsort(-found, kind="stable")]


def _values(data: Any) -> FloatArray:
    tables = data.tables if isinstance(data, Columns) else [data]
    return np.hstack([table.values.astype(float) for table in tables])


def _information(values: FloatArray, labels: FloatArray) -> float:
    there = np.flatnonzero(~np.isnan(values))
    if not len(there):
        return 0.0
    codes = binned(values[there], len(there), labels.shape[1])
    counts = counts_of(codes, there, len(values), int(codes.max()) + 1)
    return information(counts, labels)
