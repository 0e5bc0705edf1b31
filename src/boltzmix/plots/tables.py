"""The columns of a table as numbers, side by side."""

from typing import Any

import numpy as np

from ..data import Columns, FloatArray


def column_values(data: Any) -> FloatArray:
    """Return all columns that are clustered side by side, shape (n, d); NaN where missing."""
    tables = data.tables if isinstance(data, Columns) else [data.take(slice(0, len(data)))]
    return np.hstack([table.values for table in tables]).astype(float)


def column_keys(data: Any) -> list[Any]:
    """Return the names of all columns that are clustered, or their numbers."""
    if isinstance(data, Columns):
        return [name for group in data.groups for name in group]
    return list(data.feature_names or range(data.n_features))
