"""Columns of different kinds, side by side: numbers, counts and categories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

from .base import BoolArray, FloatArray, IntArray
from .blocks import block_size, places
from .table import Table, feature_names, filled

Name = str | int
Categories = Mapping[Name, tuple[Any, ...]]


@dataclass(frozen=True, eq=False)
class Columns:
    """Groups of columns, each a table of numbers; text is there as codes.

    Parameters
    ----------
    tables : tuple of Table
        One for each group.
    groups : tuple of tuples of str or int
        The columns of each group, as the user names them.
    n_features : int
        Number of columns that the input must have.
    feature_names : tuple of str, optional
    categories : mapping of column to tuple
        What the codes 0, 1, 2, … stand for, in columns that are not numbers.

    Examples
    --------
    >>> X = np.array([[1.5, "red"], [2.5, "blue"], [None, "red"]], dtype=object)
    >>> columns = Columns.of(X, [(0,), (1,)], missing=[True, True], coded=[False, True])
    >>> columns.tables[0].values.ravel(), columns.tables[1].values.ravel()
    (array([1.5, 2.5, nan]), array([1., 0., 1.]))
    >>> columns.categories
    {1: ('blue', 'red')}
    """

    tables: tuple[Table, ...]
    groups: tuple[tuple[Name, ...], ...]
    n_features: int
    feature_names: tuple[str, ...] | None = None
    categories: Categories = field(default_factory=dict)
    mean_size: ClassVar[float] = 1.0

    @classmethod
    def of(
        cls,
        X: Any,
        groups: Sequence[tuple[Name, ...]],
        missing: Sequence[bool],
        coded: Sequence[bool],
        categories: Categories | None = None,
        names: tuple[str, ...] | None = None,
    ) -> Self:
        """Read groups of columns of an array or of a pandas or polars frame.

        Parameters
        ----------
        X : array or frame, shape (n, d)
        groups : sequence of tuples of str or int
        missing : sequence of bool
            Whether values may be missing in each group.
        coded : sequence of bool
            Whether text may be in each group: it becomes codes.
        categories : mapping, optional
            What codes stand for, if this is known already.
        names : tuple of str, optional
            What the columns of an array are, if this is known already.
        """
        source = Source.of(X, names)
        used = source.check([name for group in groups for name in group])
        known = None if categories is None else dict(categories)
        found: dict[Name, tuple[Any, ...]] = {}
        tables = []
        for group, holes, codes in zip(groups, missing, coded, strict=True):
            columns = [_numbers(source, name, codes, known, found) for name in group]
            labels = tuple(map(str, group))
            tables.append(Table.of(Table(np.column_stack(columns), labels), missing=holes))
        return cls(tuple(tables), tuple(groups), *used, found if known is None else known)

    def __len__(self) -> int:
        return len(self.tables[0])

    def take(self, indices: IntArray | BoolArray | slice) -> "Columns":
        """Return the observations at `indices`, in that order."""
        return replace(self, tables=tuple(table.take(indices) for table in self.tables))

    def blocks(self, n_components: int) -> list[slice]:
        """Return the places of blocks that fit into a core's cache."""
        width = sum(table.n_features for table in self.tables)
        return places(len(self), block_size(width, n_components))

    def as_vectors(self) -> FloatArray:
        """Return all columns side by side, each of unit variance; its mean, where missing."""
        vectors = filled(np.hstack([table.values.astype(float) for table in self.tables]))
        spread = vectors.std(axis=0)
        return vectors / np.where(spread > 0, spread, 1.0)

    def count_distinct(self, enough: int) -> int:
        """Count the distinct observations, but stop counting at `enough`."""
        together = np.hstack([table.values for table in self.tables])
        return Table(together).count_distinct(enough)

    def named(self, values: FloatArray) -> dict[Name, Any]:
        """Return columns of values (n, d), all groups side by side, with categories for codes."""
        names = [name for group in self.groups for name in group]
        columns = zip(names, values.T, strict=True)
        return {name: decoded(column, self.categories.get(name)) for name, column in columns}


@dataclass(frozen=True, eq=False)
class Source:
    """What a user passed, from which columns are read by name or by number.

    Parameters
    ----------
    X : frame or array
    width : int
    names : tuple of str, optional
    """

    X: Any
    width: int
    names: tuple[str, ...] | None

    @classmethod
    def of(cls, X: Any, names: tuple[str, ...] | None = None) -> Self:
        """Look at a frame or an array; `names` are those of an array of that many columns."""
        if hasattr(X, "toarray"):
            raise TypeError("X is a sparse matrix, which is not supported: pass X.toarray().")
        if not hasattr(X, "columns"):
            X = _as_array(X)
        if len(X.shape) != 2:
            raise ValueError(
                f"X must be a table with two dimensions, but has {len(X.shape)}: pass a frame, or"
                " an array of shape (n, d)."
            )
        rows, width = X.shape
        if 0 in (rows, width):
            raise ValueError(f"X is empty: it has {rows} row(s) and {width} column(s).")
        own = feature_names(X)
        return cls(X, width, names if own is None and names and len(names) == width else own)

    @property
    def every(self) -> list[Name]:
        """All columns, by name where they have names."""
        return list(range(self.width)) if self.names is None else list(self.names)

    def check(self, used: Sequence[Name]) -> tuple[int, tuple[str, ...] | None]:
        """Refuse columns that there are not, or that are used twice.

        Returns
        -------
        n_features : int
            How many columns must be there: those used, if all are used by name; else all.
        names : tuple of str or None
            Theirs.
        """
        by_place: dict[int, Name] = {}
        for name in used:
            place = self.place(name)
            if place in by_place:
                raise ValueError(
                    f"Column {name!r} of X is used twice: a column belongs to one family only."
                )
            by_place[place] = name
        named = [name for name in used if isinstance(name, str)]
        if len(named) == len(used):
            return len(used), tuple(named)
        return self.width, self.names

    def place(self, name: Name) -> int:
        """Return the number of a column."""
        if isinstance(name, str):
            if self.names is None:
                raise ValueError(
                    f"X has no column names, but column {name!r} is asked for: pass a frame, or"
                    " name columns by their number."
                )
            if name not in self.names:
                raise ValueError(
                    f"X has no column {name!r}: its columns are {', '.join(self.names[:10])}"
                    f"{' …' if self.width > 10 else ''}."
                )
            return self.names.index(name)
        if not 0 <= name < self.width:
            raise ValueError(f"X has {self.width} column(s), so there is no column {name}.")
        return name

    def column(self, name: Name) -> tuple[np.ndarray[Any, Any], BoolArray]:
        """Return the values of a column, shape (n,), and which are missing."""
        place = self.place(name)
        if isinstance(self.X, np.ndarray):
            return _simplest(self.X[:, place])
        series = self.X.iloc[:, place] if hasattr(self.X, "iloc") else self.X[:, place]
        if series.to_numpy().dtype.kind in "mM":
            raise TypeError(
                f"Column {name!r} of X holds dates or times: turn them into numbers first."
            )
        gone = series.isna() if hasattr(series, "isna") else series.is_null()
        return _simplest(series.to_numpy(), np.asarray(gone.to_numpy(), dtype=bool))


def decoded(codes: FloatArray, categories: tuple[Any, ...] | None) -> Any:
    """Return what codes stand for; without categories, the numbers that they are."""
    if categories is None:
        return codes
    values = np.empty(len(categories) + 1, dtype=object)
    values[:-1] = categories
    return values[np.where(np.isnan(codes), len(categories), codes).astype(int)]


def _as_array(X: Any) -> np.ndarray[Any, Any]:
    array = np.asarray(X)
    if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
        return np.array(X, dtype=object)  # NumPy has turned numbers beside text into text
    return array


def _simplest(
    values: np.ndarray[Any, Any], gone: BoolArray | None = None
) -> tuple[np.ndarray[Any, Any], BoolArray]:
    """Return values as numbers or truth values where all are, else as objects."""
    if values.dtype.kind in "biuf":
        floats = values.dtype.kind == "f"
        return values, np.isnan(values) if floats else np.zeros(len(values), dtype=bool)
    values = values.astype(object)
    if gone is None:
        gone = np.array([one is None or one != one for one in values], dtype=bool)
    present = values[~gone]
    if len(present) and all(isinstance(one, bool | np.bool_) for one in present):
        return values, gone
    if all(isinstance(one, Real) for one in present):
        numbers = np.full(len(values), np.nan)
        numbers[~gone] = present.astype(float)
        return numbers, gone
    return values, gone


def _numbers(
    source: Source,
    name: Name,
    coded: bool,
    known: Mapping[Name, tuple[Any, ...]] | None,
    found: dict[Name, tuple[Any, ...]],
) -> FloatArray:
    """Return a column as numbers, shape (n,); note in `found` what its codes stand for."""
    values, gone = source.column(name)
    categories = None if known is None else known.get(name)
    if categories is None and values.dtype.kind in "iuf":
        return values.astype(float)
    present = values[~gone]
    truths = all(isinstance(one, bool | np.bool_) for one in present)
    if not truths and not coded:
        raise ValueError(
            f"Column {name!r} of X holds {present[0]!r}, which is no number: give the column a"
            " family of categories, such as Categorical."
        )
    if categories is None and not truths and known is not None:
        raise ValueError(
            f"Column {name!r} of X held numbers when the mixture was fitted, and now holds"
            f" {present[0]!r}: pass numbers."
        )
    if categories is None:
        categories = (False, True) if truths else _ordered(present)
        if coded:
            found[name] = categories
    return _codes(values, gone, categories, name)


def _codes(
    values: np.ndarray[Any, Any], gone: BoolArray, categories: tuple[Any, ...], name: Name
) -> FloatArray:
    """Return the places of values among categories; refuse any that is not among them."""
    places = {category: code for code, category in enumerate(categories)}
    codes = np.array([places.get(one, -1) for one in values.tolist()], dtype=float)
    codes[gone] = np.nan
    unknown = np.flatnonzero(codes < 0)
    if len(unknown):
        raise ValueError(
            f"Column {name!r} of X holds {values.tolist()[unknown[0]]!r} in row {unknown[0]}, which"
            f" was not there when the mixture was fitted (its categories are"
            f" {', '.join(map(repr, categories))}): leave these rows out, or make the value a"
            " missing one."
        )
    return codes


def _ordered(values: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    """Return the distinct values in order; by how they are written, if they have none."""
    distinct = set(values.tolist())
    try:
        return tuple(sorted(distinct))
    except TypeError:
        return tuple(sorted(distinct, key=str))
