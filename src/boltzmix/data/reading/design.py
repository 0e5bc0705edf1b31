"""Columns of a table as the columns of a design matrix, by names or by a formula."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from ..data_set import FloatArray
from ..errors import DATA, InputError
from ..nouns import shown
from .coding import Categories, ColumnReader
from .formulas import Formula, read_terms
from .source import ColumnSource, Name


@dataclass(frozen=True, eq=False)
class Design:
    """How columns of a table become the columns of a design matrix.

    A column of numbers is taken as it is. A column of categories (text or booleans) becomes one
    indicator column for each category but the first, which is the reference. There is no column
    for the intercept.

    Parameters
    ----------
    columns : tuple of str or int
        The columns of the table that are used.
    formula : str, optional
        What is made of them, if that is more than one column after the other.
    categories : mapping of column to tuple
        The categories of the columns that are not numbers.
    names : tuple of str, optional
        Names of the columns of the matrix.

    Raises
    ------
    ValueError
        If the formula is not one that boltzmix can read, or uses other columns.

    Examples
    --------
    >>> people = np.array([[31, "f"], [45, "m"], [28, "m"]], dtype=object)
    >>> design = Design.of([0, 1], people)
    >>> design.names
    ('0', '1[m]')
    >>> design.matrix(people)
    array([[31.,  0.],
           [45.,  1.],
           [28.,  1.]])
    """

    columns: tuple[Name, ...]
    formula: str | None
    categories: Categories
    names: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, terms: object, X: object, argument: str = "X") -> Self:
        """Read which columns of a table are used, and the categories in them.

        Parameters
        ----------
        terms : None, str, int or sequence of str or int
            None for all columns; names or numbers of columns; or the right-hand side of a formula,
            such as ``"age + sex"``.
        X : frame or array, shape (n, d)
        argument : str
            The word for the table in messages.
        """
        with naming(argument):
            source = ColumnSource.of(X)
            columns, formula = _used(terms, source)
            source.check(columns)
            reader = ColumnReader(source, None)
            for name in columns:
                _numbers(reader, name)
        kept = {name: reader.found[name] for name in columns if name in reader.found}
        return cls(columns, formula, kept)

    def __post_init__(self) -> None:
        names = self._names()
        if self.names and len(self.names) != len(names):
            raise ValueError(f"A design of {len(names)} columns has {len(self.names)} names.")
        object.__setattr__(self, "names", self.names or names)

    def __len__(self) -> int:
        """Return the number of columns of the matrix."""
        return len(self.names)

    def matrix(self, X: object, argument: str = "X") -> FloatArray:
        """Return the design matrix of a table, shape (n, q), without an intercept.

        Raises
        ------
        ValueError
            If a column or a value is missing, or a category was not there when the design was made.
        """
        with naming(argument):
            source = ColumnSource.of(X)
            reader = ColumnReader(source, self.categories)
            numbers = {name: _numbers(reader, name) for name in self.columns}
        if self.formula is None:
            parts = [self._indicators(name, values) for name, values in numbers.items()]
            return np.hstack(parts) if parts else np.empty((len(source.X), 0))
        matrix = self._formula(self.formula).matrix(numbers, len(source.X))
        _check_finite(matrix, self.names, argument)
        return matrix

    def with_intercept(self, X: object, argument: str = "X") -> FloatArray:
        """Return the design matrix after a column of ones, shape (n, 1 + q)."""
        matrix = self.matrix(X, argument)
        return np.column_stack([np.ones(len(matrix)), matrix])

    def _indicators(self, name: Name, values: FloatArray) -> FloatArray:
        """Return the columns of the matrix that belong to one column of the table, (n, c)."""
        if name not in self.categories:
            return values[:, None]
        codes = np.arange(1, len(self.categories[name]))
        return (values[:, None] == codes).astype(float)

    def _names(self) -> tuple[str, ...]:
        if self.formula is not None:
            return self._formula(self.formula).names
        return tuple(
            label
            for name in self.columns
            for label in (
                [f"{name}[{one}]" for one in self.categories[name][1:]]
                if name in self.categories
                else [str(name)]
            )
        )

    def _formula(self, text: str) -> Formula:
        return Formula.of(text, {name: self.categories.get(name) for name in self.columns})


@contextmanager
def naming(argument: str) -> Iterator[None]:
    """Call the table in messages by the name of the argument it was passed as."""
    try:
        yield
    except InputError as error:
        raise error.renamed("X", argument) from None


def _used(terms: object, source: ColumnSource) -> tuple[tuple[Name, ...], str | None]:
    """Return the columns that terms name, and a formula if they are more than names."""
    if terms is None:
        return tuple(source.all_columns), None
    if isinstance(terms, str):
        return read_terms(terms, source.names or ())
    if isinstance(terms, int | np.integer):
        terms = [terms]
    if not isinstance(terms, Sequence) or not all(
        isinstance(one, str | int | np.integer) for one in terms
    ):
        raise ValueError(
            "Covariates must be named by a formula such as 'age + sex', or by a list of columns,"
            f" not {shown(terms)}."
        )
    return tuple(one if isinstance(one, str) else int(one) for one in terms), None


def _numbers(reader: ColumnReader, name: Name) -> FloatArray:
    """Return a column as numbers or codes; raise if one of them is missing or not finite."""
    values = reader.numbers(name, coded=True)
    bad = ~np.isfinite(values)
    if bad.any():
        row = int(np.argmax(bad))
        raise InputError(
            f"Column {shown(name)} of {DATA} is missing or not finite in row {row}: leave such rows"
            " out, or fill them in first."
        )
    return values


def _check_finite(matrix: FloatArray, names: Sequence[str], argument: str) -> None:
    bad = ~np.isfinite(matrix)
    if bad.any():
        row, column = map(int, np.argwhere(bad)[0])
        raise ValueError(
            f"The term {shown(names[column])} of the formula is not finite in row {row} of"
            f" {argument}: change the formula, or leave such rows out."
        )
