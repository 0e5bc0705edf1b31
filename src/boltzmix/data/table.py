"""A table of numbers: one observation per row, one feature per column."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from .base import BoolArray, FloatArray, IntArray
from .blocks import block_size, places


class Rows(ABC):
    """What tables have in common, wherever their rows are."""

    feature_names: tuple[str, ...] | None
    mean_size = 1.0

    @property
    @abstractmethod
    def n_features(self) -> int:
        """Number of columns."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def as_vectors(self) -> FloatArray:
        """Return the rows themselves; a missing value is its column's mean."""

    @abstractmethod
    def allowing(self, missing: bool) -> "Rows":
        """Return these rows, in which values may be missing, or are refused if they are."""

    @abstractmethod
    def take(self, indices: IntArray | BoolArray | slice) -> "Table":
        """Return the rows at `indices`, in that order."""

    def count_distinct(self, enough: int) -> int:
        """Count the distinct rows, but stop counting at `enough`."""
        looked_at = 4 * enough
        while True:
            values = self.take(slice(0, looked_at)).values
            comparable = np.where(np.isnan(values), np.inf, values)  # NaN is unlike itself
            distinct = len(np.unique(comparable, axis=0))
            if distinct >= enough or looked_at >= len(self):
                return min(distinct, enough)
            looked_at *= 4

    def blocks(self, n_components: int) -> list[slice]:
        """Return the places of blocks that fit into a core's cache."""
        return places(len(self), block_size(self.n_features, n_components))

    def column_name(self, column: int) -> str:
        """Return how messages name a column: by its name, or else its number."""
        return repr(self.feature_names[column]) if self.feature_names else str(column)


@dataclass(frozen=True, eq=False)
class Table(Rows):
    """Rows of finite numbers, with the names of the columns where they are known.

    Parameters
    ----------
    values : array, shape (n, d)
        float32 stays float32; every other number becomes float64. Where values may be missing,
        those that are missing are NaN.
    feature_names : tuple of str, optional
    holes : bool, optional
        Whether any value is missing, if that is known.

    Examples
    --------
    >>> table = Table.of([[1, 2], [3, 4], [5, 6]])
    >>> len(table), table.n_features
    (3, 2)
    """

    values: FloatArray
    feature_names: tuple[str, ...] | None = None
    holes: bool | None = None

    @classmethod
    def of(cls, X: Any, first_row: int = 0, missing: bool = False) -> Self:
        """Read a table from an array, a pandas or polars frame, or nested lists.

        Messages count rows from `first_row`. With `missing`, values may be NaN, None or pandas.NA.

        Raises
        ------
        ValueError, TypeError
            When `X` is not a two-dimensional table of finite numbers.
        """
        table = X if isinstance(X, cls) else cls(as_numbers(X), feature_names(X))
        complete = table._refuse_non_finite(first_row, missing)
        return replace(table, holes=not complete)

    @cached_property
    def has_holes(self) -> bool:
        """Whether any value is missing."""
        if self.holes is not None:
            return self.holes
        with np.errstate(over="ignore", invalid="ignore"):
            return not np.isfinite(self.values.sum()) and bool(np.isnan(self.values).any())

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.values.shape[1]

    def __len__(self) -> int:
        return self.values.shape[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def take(self, indices: IntArray | BoolArray | slice) -> "Table":
        """Return the rows at `indices`, in that order."""
        holes = None if self.holes else self.holes
        return Table(self.values[indices], self.feature_names, holes)

    def as_vectors(self) -> FloatArray:
        """Return the rows themselves; a missing value is its column's mean."""
        return filled(self.values)

    def named(self, values: FloatArray) -> dict[str | int, FloatArray]:
        """Return columns of values (n, d), by name where columns have names."""
        names = self.feature_names or range(self.n_features)
        return dict(zip(names, values.T, strict=True))

    def allowing(self, missing: bool) -> "Table":
        """Return this table, in which values may be missing, or are refused if they are."""
        return Table.of(self, missing=missing)

    def _refuse_non_finite(self, first_row: int, missing: bool) -> bool:
        """Refuse what is not finite, but for missing values if these are allowed.

        Returns
        -------
        complete : bool
            Whether no value is missing.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(self.values.sum()):  # settles nearly every table without a copy
                return True
        bad = np.isinf(self.values) if missing else ~np.isfinite(self.values)
        if not bad.any():
            return not (missing and np.isnan(self.values).any())
        row, column = np.argwhere(bad)[0]
        is_missing = np.isnan(self.values[row, column])
        found = "NaN" if is_missing else "inf (infinity)"
        instead = ", or use a family that takes missing values" if is_missing else ""
        raise ValueError(
            f"X contains {found} in column {self.column_name(column)}, row {first_row + row}"
            f" ({bad.sum()} such value(s) in all): drop or fill these rows{instead}."
        )


def filled(values: FloatArray) -> FloatArray:
    """Return values (n, d) with missing ones replaced by their column's mean, or by zero."""
    there = ~np.isnan(values)
    if there.all():
        return values
    sums = values.sum(axis=0, dtype=float, where=there)
    return np.where(there, values, sums / np.maximum(there.sum(axis=0), 1)).astype(values.dtype)


def feature_names(X: Any) -> tuple[str, ...] | None:
    """Return the column names of a frame; None for anything without string names."""
    columns = list(getattr(X, "columns", []))
    are_text = [isinstance(name, str) for name in columns]
    if any(are_text) and not all(are_text):
        raise TypeError(
            "X has column names of which only some are strings: Feature names are only supported"
            " if all input features have string names; rename them, or pass X.to_numpy()."
        )
    return tuple(columns) if columns and all(are_text) else None


def as_numbers(X: Any) -> FloatArray:
    """Return `X` as a two-dimensional float array."""
    if hasattr(X, "toarray"):
        raise TypeError("X is a sparse matrix, which is not supported: pass X.toarray().")
    if np.ma.is_masked(X):
        raise ValueError("X has masked values, which count as missing: fill or drop them first.")
    array = X.to_numpy() if hasattr(X, "to_numpy") else np.asarray(X)
    if array.dtype == object and hasattr(X, "isna"):
        array = np.where(X.isna(), np.nan, array)
    if array.ndim != 2:
        raise ValueError(
            f"X must be a table with two dimensions, but has {array.ndim}. Reshape your data:"
            " X.reshape(-1, 1) for one feature, X.reshape(1, -1) for one observation. (For"
            " sequences, choose a family of sequences, such as HMM.)"
        )
    if array.dtype.kind in "mM":
        raise TypeError("X holds dates or times: turn them into numbers first.")
    if 0 in array.shape:
        raise ValueError(
            f"X is empty: found {array.shape[0]} sample(s) and {array.shape[1]} feature(s)"
            f" (shape={array.shape}) while a minimum of 1 is required."
        )
    if np.iscomplexobj(array):
        raise ValueError("Complex data not supported: X must hold real numbers.")
    if array.dtype == np.float32:
        return np.ascontiguousarray(array)
    try:
        return np.ascontiguousarray(array, dtype=float)
    except (TypeError, ValueError) as error:
        raise type(error)(f"X must hold numbers only: {error}.") from None
