"""Holes of a frame or an array, filled."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .base import BoolArray
from .columns import Name, Source


def fill_in(X: Any, columns: Mapping[Name, Any], names: tuple[str, ...] | None = None) -> Any:
    """Return a copy of X in which missing values are those of `columns`.

    Parameters
    ----------
    X : pandas or polars frame, or array, shape (n, d)
    columns : mapping of column to array, shape (n,)
    names : tuple of str, optional
        What the columns of an array are.

    Examples
    --------
    >>> fill_in([[1.0, np.nan], [np.nan, 3.0]], {0: np.array([9, 2]), 1: np.array([5, 9])})
    array([[1., 5.], [2., 3.]])
    """
    source = Source.of(X, names)
    holes = {source.place(name): source.column(name)[1] for name in columns}
    values = dict(zip(holes, columns.values(), strict=True))
    some = {place: values[place] for place, gone in holes.items() if gone.any()}
    if isinstance(source.X, np.ndarray):
        filled = source.X.copy()
        for place, new in some.items():
            filled[holes[place], place] = new[holes[place]]
        return filled
    frame = source.X.copy() if hasattr(source.X, "iloc") else source.X.clone()
    for place, new in some.items():
        label = frame.columns[place]
        if hasattr(frame, "iloc"):
            frame[label] = _filled_series(frame[label], holes[place], new)
        else:
            old = frame[label]
            joined = np.where(holes[place], new, old.to_numpy()).tolist()
            frame = frame.with_columns(type(old)(label, joined, strict=False))
    return frame


def _filled_series(series: Any, gone: BoolArray, new: Any) -> Any:
    """Return a pandas series, filled; whole numbers become decimal ones."""
    filler = type(series)(new, index=series.index)
    try:
        return series.where(~gone, filler.astype(series.dtype))
    except (TypeError, ValueError):
        return series.astype("Float64").where(~gone, filler.astype("Float64"))
