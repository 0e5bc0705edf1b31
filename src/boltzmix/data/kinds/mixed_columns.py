"""Columns of different kinds, side by side: numbers, counts and categories."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from sys import getsizeof
from typing import ClassVar, Self

import numpy as np

from ..data_set import Data, FloatArray, Indices, NamedColumns
from ..reading.arrays import mean_imputed, with_unit_variance
from ..reading.coding import Categories, ColumnReader, decoded
from ..reading.source import ColumnSource, Name
from .table import Table


@dataclass(frozen=True, eq=False)
class Columns(Data):
    """Groups of columns, each a table of numbers in which codes stand for text.

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
        The values that the codes 0, 1, 2, … stand for, in columns that are not numbers.

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
    is_table: ClassVar[bool] = True
    noun: ClassVar[str] = "rows"

    @classmethod
    def of(
        cls,
        X: object,
        groups: Sequence[tuple[Name, ...]],
        missing: Sequence[bool],
        coded: Sequence[bool],
        categories: Categories | None = None,
        names: tuple[str, ...] | None = None,
        as_categories: Sequence[Name] = (),
    ) -> Self:
        """Read groups of columns of an array or of a pandas or polars frame.

        Parameters
        ----------
        X : array or frame, shape (n, d)
        groups : sequence of tuples of str or int
        missing : sequence of bool
            Whether values may be missing in each group.
        coded : sequence of bool
            Whether each group may hold text, which becomes codes.
        categories : mapping of column to tuple, optional
            The values that codes stand for, if the mixture is already fitted.
        names : tuple of str, optional
            Names of the columns of an array, if the mixture is already fitted.
        as_categories : sequence of str or int
            Columns of numbers whose distinct values are categories, and become codes, too.
        """
        source = ColumnSource.of(X, names)
        used = source.check([name for group in groups for name in group])
        known = None if categories is None else dict(categories)
        reader = ColumnReader(source, known, frozenset(as_categories))
        tables = []
        for group, may_miss, may_code in zip(groups, missing, coded, strict=True):
            columns = [reader.numbers(name, may_code) for name in group]
            labels = tuple(map(str, group))
            tables.append(Table.of(Table(np.column_stack(columns), labels), missing=may_miss))
        return cls(tuple(tables), tuple(groups), *used, reader.categories)

    def __len__(self) -> int:
        return len(self.tables[0])

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + sum(map(getsizeof, self.tables))

    def take(self, indices: Indices) -> "Columns":
        return replace(self, tables=tuple(table.take(indices) for table in self.tables))

    def together(self, places: tuple[int, ...]) -> Table:
        """Return the columns of some groups as one table, which is kept for the next time."""
        if len(places) == 1:
            return self.tables[places[0]]
        found = self._together.get(places)
        if found is None:
            own = [self.tables[place] for place in places]
            names = tuple(str(name) for place in places for name in self.groups[place])
            known = [one.any_missing for one in own]
            any_missing = None if None in known else any(known)
            joined = Table(np.hstack([one.values for one in own]), names, any_missing)
            found = self._together.setdefault(places, joined)
        return found

    @cached_property
    def _together(self) -> dict[tuple[int, ...], Table]:
        """Tables of several groups, by the places of these."""
        return {}

    @property
    def width(self) -> int:
        """Number of columns in all groups."""
        return sum(table.n_features for table in self.tables)

    def numbers(self) -> list[NamedColumns]:
        """Return the columns of all groups."""
        return [part for table in self.tables for part in table.numbers()]

    @classmethod
    def joined(cls, parts: "Sequence[Columns]") -> "Columns":
        """Return the observations of several of these, one after the other."""
        groups = zip(*(one.tables for one in parts), strict=True)
        return replace(parts[0], tables=tuple(map(Table.joined, groups)))

    def as_vectors(self) -> FloatArray:
        """Return all columns side by side, each of unit variance, with means for missing values."""
        together = np.hstack([table.values.astype(float) for table in self.tables])
        return with_unit_variance(mean_imputed(together))

    def count_distinct(self, enough: int) -> int:
        together = np.hstack([table.values for table in self.tables])
        return Table(together).count_distinct(enough)

    def named(self, values: FloatArray) -> dict[Name, object]:
        """Return the columns of values (n, d) by name, with categories in place of codes.

        The columns of `values` are those of all groups, side by side.
        """
        names = [name for group in self.groups for name in group]
        columns = zip(names, values.T, strict=True)
        return {name: decoded(column, self.categories.get(name)) for name, column in columns}
