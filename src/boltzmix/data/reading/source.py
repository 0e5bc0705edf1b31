"""Columns of a frame or an array, read by name or by number."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import Any, Self

import numpy as np

from ..data_set import AnyArray, BoolArray
from ..errors import DATA, InputError, InputTypeError
from ..nouns import counted, shortened, shown
from .arrays import check_two_dimensions, feature_names, is_missing, missing_in
from .containers import as_array, as_known

Name = str | int
DATES = (date, time, timedelta, np.datetime64, np.timedelta64)


@dataclass(frozen=True, eq=False)
class ColumnSource:
    """A frame or an array from which columns are read by name or by number.

    Parameters
    ----------
    X : frame or array, shape (n, d)
    width : int
        Number of columns.
    names : tuple of str, optional
        Names of the columns, where they are known.
    """

    X: Any
    width: int
    names: tuple[str, ...] | None

    @classmethod
    def of(cls, X: Any, names: tuple[str, ...] | None = None) -> Self:
        """Read a frame or an array; what is read already stays as it is.

        Parameters
        ----------
        X : frame, array or ColumnSource, shape (n, d)
        names : tuple of str, optional
            Names of the columns of an array; ignored if there are not d of them.
        """
        if isinstance(X, cls):
            return X
        X = as_known(X)
        if not hasattr(X, "columns"):
            X = _as_array(X)
            check_two_dimensions(X)
        rows, width = X.shape
        if 0 in (rows, width):
            raise InputError(
                f"{DATA} is empty: it has {counted(rows, 'row')} and {counted(width, 'column')}."
            )
        own = feature_names(X)
        return cls(X, width, names if own is None and names and len(names) == width else own)

    @property
    def all_columns(self) -> list[Name]:
        """Names of all columns, or their numbers if they have no names."""
        return list(range(self.width)) if self.names is None else list(self.names)

    def check(self, used: Sequence[Name]) -> tuple[int, tuple[str, ...] | None]:
        """Raise if a used column does not exist, or is used twice.

        Returns
        -------
        n_features : int
            Number of columns that other input must have: those used if all are used by name, else
            all.
        names : tuple of str or None
            Names of these columns.
        """
        seen: set[int] = set()
        for name in used:
            index = self.index_of(name)
            if index in seen:
                raise InputError(
                    f"Column {shown(name)} of {DATA} is used twice: a column belongs to one family"
                    " only."
                )
            seen.add(index)
        named = [name for name in used if isinstance(name, str)]
        if len(named) == len(used):
            return len(used), tuple(named)
        return self.width, self.names

    def index_of(self, name: Name) -> int:
        """Return the number of a column."""
        if isinstance(name, str):
            if self.names is None:
                raise InputError(
                    f"{DATA} has no column names, but column {shown(name)} is asked for: pass a"
                    " frame,"
                    " or name columns by their number."
                )
            if name not in self._places:
                raise InputError(
                    f"{DATA} has no column {shown(name)}: its columns are"
                    f" {', '.join(map(shortened, self.names[:10]))}"
                    f"{' …' if self.width > 10 else ''}."
                )
            return self._places[name]
        if not 0 <= name < self.width:
            raise InputError(
                f"{DATA} has {counted(self.width, 'column')}, so there is no column {shown(name)}."
            )
        return name

    @cached_property
    def _places(self) -> dict[str, int]:
        """The number of the first column of each name."""
        return {name: place for place, name in reversed([*enumerate(self.names or ())])}

    def without(self, columns: Sequence[Name]) -> Any:
        """Return the frame or array without some columns; raise if none is left."""
        places = {self.index_of(name) for name in columns}
        rest = [place for place in range(self.width) if place not in places]
        if not rest:
            raise InputError(
                f"membership uses all columns of {DATA}, so that nothing is left to cluster: pass"
                f" covariates apart from {DATA}, as in fit(X, covariates=…)."
            )
        if isinstance(self.X, np.ndarray):
            return self.X[:, rest]
        return self.X.iloc[:, rest] if hasattr(self.X, "iloc") else self.X[:, rest]

    def column(self, name: Name) -> tuple[AnyArray, BoolArray]:
        """Return the values of a column, and which of them are missing, both of shape (n,)."""
        series = self._series(name)
        if isinstance(series, np.ndarray):
            return _simplest(name, series)
        if self.holds_dates(name):
            raise InputTypeError(
                f"Column {shown(name)} of {DATA} holds dates or times: turn them into numbers"
                " first."
            )
        if series.to_numpy().ndim != 1:
            raise InputTypeError(
                f"Column {shown(name)} of {DATA} has several values in a row: make a column of"
                " each."
            )
        if hasattr(series, "isna"):
            return _simplest(name, series.to_numpy(), missing_in(series))
        return _simplest(name, series.to_numpy(), np.asarray(series.is_null().to_numpy()))

    def holds_dates(self, name: Name) -> bool:
        """Return whether a column has dates, times or durations, and nothing else."""
        series = self._series(name)
        values = series if isinstance(series, np.ndarray) else series.to_numpy()
        if values.dtype.kind in "mM":
            return True
        present = [one for one in values if not is_missing(one)] if values.dtype == object else []
        return bool(present) and all(isinstance(one, DATES) for one in present)

    def _series(self, name: Name) -> Any:
        """Return a column as it is in the array or frame."""
        index = self.index_of(name)
        if hasattr(self.X, "to_series"):  # of polars, which is slow at slices of many columns
            return self.X.to_series(index)
        return self.X.iloc[:, index] if hasattr(self.X, "iloc") else self.X[:, index]


def are_booleans(values: AnyArray) -> bool:
    """Return whether every value is a boolean."""
    return all(isinstance(value, bool | np.bool_) for value in values)


def _as_array(X: object) -> AnyArray:
    array = as_array(X)
    if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
        return np.array(X, dtype=object)  # NumPy has turned numbers beside text into text
    return array


def _simplest(
    name: Name, values: AnyArray, missing: BoolArray | None = None
) -> tuple[AnyArray, BoolArray]:
    """Return values as numbers if all of them are, else as objects; and which are missing."""
    if values.dtype.kind in "biuf":
        floats = values.dtype.kind == "f"
        return values, np.isnan(values) if floats else np.zeros(len(values), dtype=bool)
    values = values.astype(object)
    if missing is None:
        missing = np.array([is_missing(value) for value in values], dtype=bool)
    present = values[~missing]
    if len(present) and are_booleans(present):
        return values, missing
    if all(isinstance(value, Real | Decimal) for value in present):
        numbers = np.full(len(values), np.nan)
        try:
            numbers[~missing] = present.astype(float)
        except OverflowError:
            raise InputError(
                f"Column {shown(name)} of {DATA} holds a number that is too large for double"
                " precision:"
                " rescale it."
            ) from None
        return numbers, missing
    odd = [value for value in present if not isinstance(value, Hashable)]
    if odd:
        raise InputTypeError(
            f"Column {shown(name)} of {DATA} holds {type(odd[0]).__name__}, which is neither a"
            " number"
            " nor a category: leave the column out, or make columns of it."
        )
    return values, missing


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
    source = ColumnSource.of(X, names)
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
