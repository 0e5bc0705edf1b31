"""A table of numbers: one observation per row, one feature per column."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from ..data_set import Data, FloatArray, Indices, NamedColumns, derived
from ..errors import DATA, InputError
from ..nouns import counted, shown
from ..reading.arrays import as_float_matrix, feature_names, mean_imputed


class Rows(Data):
    """Rows of numbers, whether they are in memory or read when they are needed."""

    is_table = True
    noun = "rows"

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.n_features

    @abstractmethod
    def as_vectors(self) -> FloatArray:
        """Return the rows, shape (n, d), with column means in place of missing values."""

    @abstractmethod
    def validated(self, missing: bool) -> "Rows":
        """Return these rows, in which values may be missing only if `missing` is set.

        A `ValueError` is raised if a value is not finite: at once if the rows are in memory, else
        when they are read.
        """

    @abstractmethod
    def take(self, indices: Indices) -> "Table": ...

    def count_distinct(self, enough: int) -> int:
        looked_at = 4 * enough
        while True:
            values = self.take(slice(0, looked_at)).values
            comparable = np.where(np.isnan(values), np.inf, values)  # NaN does not equal NaN
            distinct = len(np.unique(comparable, axis=0))
            if distinct >= enough or looked_at >= len(self):
                return min(distinct, enough)
            looked_at *= 4

    def column_name(self, column: int) -> str:
        """Return the name of a column for messages, or its number if it has no name."""
        return shown(self.feature_names[column]) if self.feature_names else str(column)


@dataclass(frozen=True, eq=False)
class Table(Rows):
    """Rows of finite numbers, with the names of the columns where they are known.

    Parameters
    ----------
    values : array, shape (n, d)
        float32 stays float32; every other number becomes float64. Missing values are NaN.
    feature_names : tuple of str, optional
    any_missing : bool, optional
        Whether any value is missing, if that is known.

    Examples
    --------
    >>> table = Table.of([[1, 2], [3, 4], [5, 6]])
    >>> len(table), table.n_features
    (3, 2)
    """

    values: FloatArray
    feature_names: tuple[str, ...] | None = None
    any_missing: bool | None = None

    @classmethod
    def of(cls, X: object, first_row: int = 0, missing: bool = False) -> Self:
        """Read a table from an array, a pandas or polars frame, or nested lists.

        Parameters
        ----------
        X : array, frame or nested lists, shape (n, d)
        first_row : int, default=0
            Number of the first row in messages.
        missing : bool, default=False
            Whether values may be missing (NaN, None or pandas.NA).

        Raises
        ------
        ValueError, TypeError
            When `X` is not a two-dimensional table of finite numbers.
        """
        table = X if isinstance(X, cls) else cls(as_float_matrix(X), feature_names(X))
        return replace(table, any_missing=table._check_finite(first_row, missing))

    @cached_property
    def has_missing(self) -> bool:
        """Whether any value is missing."""
        if self.any_missing is not None:
            return self.any_missing
        with np.errstate(over="ignore", invalid="ignore"):
            return not np.isfinite(self.values.sum()) and bool(np.isnan(self.values).any())

    @derived
    def n_features(self) -> int:
        """Number of columns."""
        return self.values.shape[1]

    def __len__(self) -> int:
        return self.values.shape[0]

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.values.nbytes

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def take(self, indices: Indices) -> "Table":
        any_missing = None if self.any_missing else self.any_missing
        return Table(self.values[indices], self.feature_names, any_missing)

    def as_vectors(self) -> FloatArray:
        return mean_imputed(self.values)

    def numbers(self) -> list[NamedColumns]:
        return [
            NamedColumns(self.values, lambda place: f"column {self.column_name(place)} of {DATA}")
        ]

    @classmethod
    def joined(cls, tables: Sequence["Table"]) -> Self:
        """Return the rows of several tables, one after the other."""
        return cls(np.concatenate([one.values for one in tables]), tables[0].feature_names)

    def named(self, values: FloatArray) -> dict[str | int, FloatArray]:
        """Return the columns of values (n, d) by name, or by number if columns have no names."""
        names = self.feature_names or range(self.n_features)
        return dict(zip(names, values.T, strict=True))

    def validated(self, missing: bool) -> "Table":
        """Return this table; raise if a value is infinite, or missing without `missing` set."""
        return Table.of(self, missing=missing)

    def _check_finite(self, first_row: int, missing: bool) -> bool:
        """Return whether any value is missing; raise if a value is not finite.

        Missing values raise unless `missing` is set.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(self.values.sum()):  # needs no copy, and is true of nearly every table
                return False
        bad = np.isinf(self.values) if missing else ~np.isfinite(self.values)
        if not bad.any():
            return missing and bool(np.isnan(self.values).any())
        row, column = np.argwhere(bad)[0]
        is_missing = np.isnan(self.values[row, column])
        found = "NaN" if is_missing else "inf (infinity)"
        instead = ", or use a family that takes missing values" if is_missing else ""
        raise InputError(
            f"{DATA} contains {found} in column {self.column_name(column)}, row {first_row + row}"
            f" ({counted(int(bad.sum()), 'such value')} in all): drop or fill these rows{instead}."
        )
