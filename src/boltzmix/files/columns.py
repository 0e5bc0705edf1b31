"""The content of a file, and its columns that are clustered, as numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import polars as pl

from ..data import Design, IntArray
from ..fitted import FittedMixture
from ..views import listed


@dataclass(frozen=True, eq=False)
class Content:
    """All columns of a file, and notes for the user on how they were read.

    Parameters
    ----------
    frame : polars.DataFrame
    name : str
        Name of the file in messages.
    notes : list of str
        One sentence each, without a full stop.
    lines : array, shape (n,), optional
        The line of each row in the file, from 1; None if the file has no lines.
    noun : str
        What messages call a line.
    decimal : str, optional
        The decimal mark, if it was recognised.
    """

    frame: pl.DataFrame
    name: str
    notes: list[str] = field(default_factory=list)
    lines: IntArray | None = None
    noun: str = "line"
    decimal: str | None = None

    def place(self, row: int) -> str:
        """Say where a row is in the file, such as "line 5"."""
        return f"row {row}" if self.lines is None else f"{self.noun} {self.lines[row]}"

    def check_column(self, name: str) -> None:
        """Raise if there is no column of this name."""
        if name not in self.frame.columns:
            raise ValueError(
                f"{self.name} has no column {name!r}: its columns are {listed(self.frame.columns)}."
            )

    def check_not_missing(self, name: str) -> None:
        """Raise if there is no column of this name, or if it has no value in some row."""
        self.check_column(name)
        column = self.frame[name]
        missing = column.is_null()
        if column.dtype.is_float():
            missing |= column.is_nan().fill_null(True)
        if missing.any():
            raise ValueError(
                f"Column {name!r} of {self.name} has no value in"
                f" {self.place(missing.arg_max() or 0)}: fill it, or drop the row."
            )

    def check_finite(self, names: Sequence[str]) -> None:
        """Raise if some column has an infinite number."""
        floats = self.frame.select(names).select(pl.selectors.float())
        infinite = floats.select(pl.all().is_infinite().any())
        for name in infinite.columns:
            if infinite[name][0]:
                row = floats[name].is_infinite().arg_max() or 0
                raise ValueError(
                    f"Column {name!r} of {self.name} has infinity in {self.place(row)}, or a number"
                    " that is too large: correct it, or leave it empty."
                )

    def beside(self, keys: Sequence[str]) -> Self:
        """Return the content without the columns that name and sort observations.

        Raise if these have missing values, or if there is no other column.
        """
        for key in keys:
            self.check_not_missing(key)
        others = self.without(keys)
        if others.frame.width == 0:
            raise ValueError(
                f"{self.name} has no column besides {listed(keys)}, and so nothing to cluster."
            )
        return others

    def without(self, names: Sequence[str]) -> Self:
        """Return the content without some columns."""
        for name in names:
            self.check_column(name)
        return replace(self, frame=self.frame.drop(names))


SHOWN = 20  # largest number of codes that a note lists
Symbols = Mapping[str, Sequence[str]]


class Read(NamedTuple):
    """The observations of a file, and notes for the user on how they were read.

    Parameters
    ----------
    X : polars frame, Sequences, Trajectories or Regression
    content : Content
        All columns of the file, with rows in their order.
    notes : list of str
        One sentence each, without a full stop.
    symbols : dict of str to list of str
        The texts that the codes 0, 1, 2, … stand for, in columns that were text.
    ids : Series, optional
        The name of each sequence, trajectory or row, with the name and type of its column in the
        file.
    covariates : polars frame, optional
        The covariates of membership, one row for each observation.
    rows : polars frame, optional
        All columns of the file, where each of its rows is an observation.
    """

    X: Any
    content: Content
    notes: list[str]
    symbols: dict[str, list[str]]
    ids: pl.Series | None = None
    covariates: pl.DataFrame | None = None
    rows: pl.DataFrame | None = None

    def with_covariates(self, model: FittedMixture) -> "Read":
        """Return observations with their covariates, as a fitted model reads them."""
        if self.covariates is None:
            return self
        return self._replace(X=model.read(self.X, covariates=self.covariates))

    def values_of(self, name: str) -> pl.Series:
        """Return a column of the file, with one value for each observation.

        Raise if it is not the same in all rows of a sequence or trajectory.
        """
        values = self.content.frame[name]
        if self.ids is None:
            return values
        what = f"Column {name!r} of {self.content.name} differs"
        owners = self.content.frame[self.ids.name]
        return per_sequence(values.to_frame(), owners, self.ids, what)[name]

    def as_numbers(self) -> "Read":
        """Return observations whose columns are all numbers."""
        return self._replace(X=self.X.cast(pl.Float64))

    @property
    def columns(self) -> list[str]:
        """Names of the columns that are clustered."""
        return list(self.X.columns if hasattr(self.X, "columns") else self.X.feature_names or ())


COVARIATES = "Covariates of membership differ"


def per_sequence(
    values: pl.DataFrame, owners: pl.Series, ids: pl.Series, what: str
) -> pl.DataFrame:
    """Return columns with one row for each sequence or trajectory; raise if rows of one differ."""
    rows = values.with_columns(owners).unique()
    twice = rows[owners.name].is_duplicated()
    if twice.any():
        raise ValueError(
            f"{what} between rows of {owners.name} {rows[owners.name][twice.arg_max() or 0]}:"
            " values must be the same in all rows of a sequence or trajectory."
        )
    return ids.to_frame().join(rows, on=ids.name, how="left").select(values.columns)


def set_apart(
    content: Content, membership: str | None, columns: Sequence[str] | None
) -> tuple[Content, pl.DataFrame | None]:
    """Return the content without covariates of membership, and these, if there are any.

    Covariates that are also named in `columns` stay in the content.
    """
    if membership is None:
        return content, None
    used = Design.of(membership, content.frame, content.name).columns
    covariates = content.frame.select(map(str, used))
    apart = [name for name in covariates.columns if name not in (columns or ())]
    return content.without(apart), covariates


def to_numbers(
    content: Content, chosen: Sequence[str], known: Symbols | None = None
) -> tuple[pl.DataFrame, list[str], dict[str, list[str]]]:
    """Return the chosen columns as numbers, with codes in place of text.

    Parameters
    ----------
    content : Content
    chosen : list of str
    known : mapping of str to list of str, optional
        The texts that codes stand for in a fitted model. Another text raises.

    Returns
    -------
    numbers : polars.DataFrame
    notes : list of str
    symbols : dict of str to list of str
        The texts that the codes 0, 1, 2, … stand for.
    """
    content.check_finite(chosen)
    notes = []
    symbols = {name: list(known[name]) for name in chosen if known and name in known}
    columns = []
    for name in chosen:
        column = content.frame[name]
        if name in symbols:
            column = _codes(content, column.cast(pl.String), symbols[name])
        elif column.dtype.base_type() != pl.Null and not column.dtype.is_numeric():
            text = column.cast(pl.String)
            symbols[name] = text.drop_nulls().unique().sort().to_list()
            column = text.rank("dense").cast(pl.Int64) - 1
            notes.append(_explain(name, symbols[name]))
        columns.append(column.cast(pl.Float64))
    return pl.DataFrame(columns), notes, symbols


def _codes(content: Content, text: pl.Series, symbols: list[str]) -> pl.Series:
    """Return the index of each text among the known ones; raise if a text is not known."""
    codes = text.replace_strict(symbols, range(len(symbols)), default=None, return_dtype=pl.Int64)
    unknown = text.is_not_null() & codes.is_null()
    if unknown.any():
        row = unknown.arg_max() or 0
        raise ValueError(
            f"Column {text.name!r} has {text[row]!r} in {content.place(row)}, which the model has"
            f" never seen: it knows {listed(symbols)}."
        )
    return codes


def _explain(name: str, symbols: Sequence[str]) -> str:
    """Return the note that lists the codes of a column."""
    shown = ", ".join(f"{code} = {symbol}" for code, symbol in enumerate(symbols[:SHOWN]))
    more = f" and {len(symbols) - SHOWN} more" if len(symbols) > SHOWN else ""
    return f"the text of column {name!r} was turned into codes: {shown}{more}"
