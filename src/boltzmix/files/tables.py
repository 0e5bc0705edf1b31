"""Tables: one observation per row."""

import re
from collections.abc import Sequence
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from ..data import InputError, LazyTable, Regression, marked
from ..views import listed
from .choosing import choose
from .columns import Content, Read, Symbols, set_apart, to_numbers
from .writing import unreadable


def read_table(
    content: Content,
    columns: Sequence[str] | None = None,
    codes: bool = False,
    known: Symbols | None = None,
    membership: str | None = None,
) -> Read:
    """Read columns as numbers.

    Parameters
    ----------
    content : Content
    columns : list of str, optional
        All numeric columns if absent.
    codes : bool
        Whether text becomes codes, numbered in alphabetical order.
    known : mapping of str to list of str, optional
        The texts that codes stand for, if a fitted model has them.
    membership : str, optional
        Covariates of membership, as a formula.
    """
    content, covariates = set_apart(content, membership, columns)
    chosen = choose(content, columns, codes, rows=True, for_text=("auto", "categorical"))
    numbers, more, symbols = to_numbers(content, chosen.names, known)
    return Read(
        numbers, content, [*content.notes, *chosen.notes, *more], symbols, covariates=covariates
    )


def read_mixed(
    content: Content,
    columns: Sequence[str] | None = None,
    targets: Sequence[str] = (),
    membership: str | None = None,
    formula: str = "",
) -> Read:
    """Read columns of numbers and of text, without codes.

    Parameters
    ----------
    content : Content
    columns : list of str, optional
        All columns of numbers and text if absent.
    targets : list of str
        Columns that are read in any case.
    membership : str, optional
        Covariates of membership, as a formula. They are inputs, too, where there are targets.
    formula : str
        Text with the names of other columns that are read in any case.
    """
    others, covariates = set_apart(content, membership, columns)
    content = content if targets else others
    for target in targets:
        content.check_column(target)
    columns = columns and [*columns, *(name for name in targets if name not in columns)]
    kept = [name for name in content.frame.columns if name in targets or _names(formula, name)]
    chosen = choose(content, columns, mixed=True, kept=kept, rows=not targets)
    content.check_finite(chosen.names)
    notes = [*content.notes, *chosen.notes]
    return Read(content.frame.select(chosen.names), content, notes, {}, covariates=covariates)


def _names(formula: str, column: str) -> bool:
    """Return whether a formula has the name of a column in it."""
    return re.search(rf"(?<![\w.]){re.escape(column)}(?![\w.])", formula) is not None


def scan_parquet(path: Path | str, columns: Sequence[str] | None = None) -> LazyTable:
    """Open a Parquet file whose rows are read piece by piece, when they are needed.

    Mixtures can be fitted to the result as to any table, even if it does not fit into memory.

    Parameters
    ----------
    path : path or str
    columns : list of str, optional
        All numeric columns if absent.

    Returns
    -------
    LazyTable
    """
    if not Path(path).is_file():
        raise ValueError(f"There is no file {path}.")
    lazy = pl.scan_parquet(path)
    try:
        schema = lazy.collect_schema()
        rows = lazy.select(pl.len()).collect().item()
    except PolarsError as error:
        raise unreadable(path, error) from None
    if rows == 0:
        raise ValueError(f"{path} has no rows.")
    chosen = _numeric(schema, columns, path)

    def read(start: int, stop: int) -> pl.DataFrame:
        return lazy.select(chosen).slice(start, stop - start).collect()

    return LazyTable(read, (rows, len(chosen)), tuple(chosen))


def _numeric(schema: pl.Schema, columns: Sequence[str] | None, path: Path | str) -> list[str]:
    """Return the numeric columns, or those that are named; raise if these are not numeric."""
    numeric = [name for name, kind in schema.items() if kind.is_numeric()]
    wanted = numeric if columns is None else list(columns)
    if isinstance(columns, str) or not wanted or len(set(wanted)) < len(wanted):
        raise InputError(
            f"{path} has no numeric column: its columns are {listed(list(schema))}."
            if columns is None
            else f"{marked('columns')} must be a list of different names, not {columns!r}."
        )
    for name in wanted:
        if name not in schema:
            raise ValueError(
                f"{path} has no column {name!r}: its columns are {listed(list(schema))}."
            )
        if name not in numeric:
            raise ValueError(
                f"Column {name!r} of {path} is not numeric (it is {schema[name]}): choose others."
            )
    return wanted


def read_curves(
    content: Content,
    targets: Sequence[str],
    columns: Sequence[str] | None = None,
    membership: str | None = None,
) -> Read:
    """Read points on curves.

    Parameters
    ----------
    content : Content
    targets : list of str
        The target columns.
    columns : list of str, optional
        The input columns; all other numeric columns if absent.
    membership : str, optional
        Covariates of membership, as a formula; they are inputs, too.
    """
    outputs = choose(content, targets).names
    content.check_finite(outputs)
    others = content.without(outputs)
    if others.frame.width == 0:
        raise ValueError(
            f"{content.name} has no column besides {listed(outputs)}, and so no input of the"
            " curves."
        )
    inputs = choose(others, columns)
    numbers, more, symbols = to_numbers(others, inputs.names)
    values = content.frame.select(pl.col(outputs).cast(pl.Float64)).to_numpy()
    covariates = set_apart(content, membership, None)[1]
    notes = [*content.notes, *inputs.notes, *more]
    return Read(Regression.of(numbers, values), content, notes, symbols, covariates=covariates)
