"""Missing values of a frame or an array, filled in."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .base import BoolArray
from .source import Name, Source


def fill_in(X: Any, columns: Mapping[Name, Any], names: tuple[str, ...] | None = None) -> Any:
    """Return a copy of X in which missing values are replaced by those of `columns`.

    Parameters
    ----------
    X : pandas or polars frame, or array, shape (n, d)
    columns : mapping of column to array, shape (n,)
        Values for the columns, of which those in the rows with a missing value are used.
    names : tuple of str, optional
        Names of the columns of an array.

    Returns
    -------
    frame or array, shape (n, d)
        Of the type of X.

    Examples
    --------
    >>> fill_in([[1.0, np.nan], [np.nan, 3.0]], {0: np.array([9, 2]), 1: np.array([5, 9])})
    array([[1., 5.], [2., 3.]])
    """
    source = Source.of(X, names)
    missing = {source.index_of(name): source.column(name)[1] for name in columns}
    values = dict(zip(missing, columns.values(), strict=True))
    incomplete = {index: values[index] for index, rows in missing.items() if rows.any()}
    if isinstance(source.X, np.ndarray):
        filled = source.X.copy()
        for index, new in incomplete.items():
            filled[missing[index], index] = new[missing[index]]
        return filled
    frame = source.X.copy() if hasattr(source.X, "iloc") else source.X.clone()
    for index, new in incomplete.items():
        label = frame.columns[index]
        if hasattr(frame, "iloc"):
            frame[label] = _filled_series(frame[label], missing[index], new)
        else:
            old = frame[label]
            joined = np.where(missing[index], new, old.to_numpy()).tolist()
            frame = frame.with_columns(type(old)(label, joined, strict=False))
    return frame


def _filled_series(series: Any, missing: BoolArray, new: Any) -> Any:
    """Return a pandas series, filled in; integers become floats if the new values require it."""
    filler = type(series)(new, index=series.index)
    try:
        return series.where(~missing, filler.astype(series.dtype))
    except (TypeError, ValueError):
        return series.astype("Float64").where(~missing, filler.astype("Float64"))
