"""The columns of a file that are clustered, as numbers."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from ..data import Design
from ..views import listed

TEXT = (pl.String, pl.Categorical, pl.Enum, pl.Boolean)
SHOWN = 20  # largest number of codes that a note lists
Symbols = Mapping[str, Sequence[str]]


class Read(NamedTuple):
    """The observations of a file, and notes for the user on how they were read.

    Parameters
    ----------
    X : polars frame, Sequences, Trajectories or Regression
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
    notes: list[str]
    symbols: dict[str, list[str]]
    ids: pl.Series | None = None
    covariates: pl.DataFrame | None = None
    rows: pl.DataFrame | None = None

    def with_covariates(self, model: Any) -> "Read":
        """Return the same with observations that hold their covariates, as a fitted model reads."""
        if self.covariates is None:
            return self
        return self._replace(X=model.read(self.X, covariates=self.covariates))

    @property
    def columns(self) -> list[str]:
        """Names of the columns that are clustered."""
        return list(self.X.columns if hasattr(self.X, "columns") else self.X.feature_names or ())


def choose(
    schema: pl.Schema,
    columns: Sequence[str] | None,
    path: str,
    codes: bool = False,
    mixed: bool = False,
) -> list[str]:
    """Return the names of the columns to cluster.

    Parameters
    ----------
    schema : polars.Schema
    columns : list of str, optional
        The columns that the user has named; all numeric columns if absent.
    path : str
        Name of the file in messages.
    codes : bool
        Whether columns of text can be used too. Without `columns`, they are used if no column is
        numeric.
    mixed : bool
        Whether, without `columns`, columns of text are used beside numeric ones.
    """
    names = list(schema)
    numeric = [name for name in names if schema[name].is_numeric()]
    text = [name for name in names if codes and schema[name].base_type() in TEXT]
    if columns is None:
        if not numeric and not text:
            raise ValueError(
                f"{path} has no numeric column (its columns are {listed(names)}): at least one"
                " is needed, with commas between the columns of a .csv and tabs in a .tsv."
            )
        usable = [name for name in names if name in numeric or name in text]
        return usable if mixed else numeric or text
    if isinstance(columns, str) or len(columns) == 0 or len(set(columns)) < len(columns):
        raise ValueError(f"columns must be a list of different names, not {columns!r}.")
    for name in columns:
        check_column(schema, name, path)
        if name not in numeric and name not in text:
            raise ValueError(
                f"Column {name!r} of {path} is not numeric (it is {schema[name]}): choose others."
            )
    return list(columns)


def take_ids(
    frame: pl.DataFrame, id_column: str | None, path: str
) -> tuple[pl.DataFrame, pl.Series | None]:
    """Return a frame without the column that names rows, and that column, if there is one."""
    if id_column is None:
        return frame, None
    check_column(frame.schema, id_column, path)
    return frame.drop(id_column), frame[id_column]


def set_apart(
    frame: pl.DataFrame, membership: str | None, columns: Sequence[str] | None, path: str
) -> tuple[pl.DataFrame, pl.DataFrame | None]:
    """Return a frame without covariates of membership, and these, if there are any.

    Covariates that are also named in `columns` stay in the frame.
    """
    if membership is None:
        return frame, None
    covariates = frame.select(map(str, Design.of(membership, frame, path).columns))
    apart = [name for name in covariates.columns if name not in (columns or ())]
    return frame.drop(apart), covariates


def check_column(schema: pl.Schema, name: str, path: str) -> None:
    """Raise if there is no column of this name."""
    if name not in schema:
        raise ValueError(f"{path} has no column {name!r}: its columns are {listed(list(schema))}.")


def to_numbers(
    frame: pl.DataFrame,
    chosen: Sequence[str],
    note_left_out: bool,
    known: Symbols | None = None,
) -> tuple[pl.DataFrame, list[str], dict[str, list[str]]]:
    """Return the chosen columns as numbers, with codes in place of text.

    Parameters
    ----------
    frame : polars.DataFrame
    chosen : list of str
    note_left_out : bool
        Whether a note mentions each column that was not chosen.
    known : mapping of str to list of str, optional
        The texts that codes stand for in a fitted model. Any other text raises.

    Returns
    -------
    numbers : polars.DataFrame
    notes : list of str
    symbols : dict of str to list of str
        The texts that the codes 0, 1, 2, … stand for.
    """
    notes = [
        f"column {name!r} was left out, because it is not numeric (it has"
        f" {frame[name].drop_nulls().head(1).to_list()})"
        for name in frame.columns
        if note_left_out and name not in chosen
    ]
    symbols = {name: list(known[name]) for name in chosen if known and name in known}
    for name, values in symbols.items():
        frame = frame.with_columns(_codes(frame[name].cast(pl.String), values))
    for name in chosen:
        if not frame[name].dtype.is_numeric():
            text = frame[name].cast(pl.String)
            symbols[name] = text.drop_nulls().unique().sort().to_list()
            frame = frame.with_columns(text.rank("dense").cast(pl.Int64) - 1)
            notes.append(_explain(name, symbols[name]))
    return frame.select(pl.col(chosen).cast(pl.Float64)), notes, symbols


def _codes(text: pl.Series, symbols: list[str]) -> pl.Series:
    """Return the index of each text among the known ones; raise if a text is not known."""
    codes = text.replace_strict(symbols, range(len(symbols)), default=None, return_dtype=pl.Int64)
    unknown = text.is_not_null() & codes.is_null()
    if unknown.any():
        row = unknown.arg_max() or 0
        raise ValueError(
            f"Column {text.name!r} has {text[row]!r} in row {row}, which the model has never seen:"
            f" it knows {listed(symbols)}."
        )
    return codes


def _explain(name: str, symbols: Sequence[str]) -> str:
    """Return the note that lists the codes of a column."""
    shown = ", ".join(f"{code} = {symbol}" for code, symbol in enumerate(symbols[:SHOWN]))
    more = f" and {len(symbols) - SHOWN} more" if len(symbols) > SHOWN else ""
    return f"the text of column {name!r} was turned into codes: {shown}{more}"
