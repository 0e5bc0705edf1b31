"""Tables: one observation per row."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from polars.exceptions import PolarsError

from ..data import LazyTable
from .columns import Read, Symbols, check_column, choose, set_apart, take_ids, to_numbers
from .paths import shown
from .reading import read_file, unreadable


def read_table(
    path: Path,
    columns: Sequence[str] | None = None,
    codes: bool = False,
    known: Symbols | None = None,
    membership: str | None = None,
    id_column: str | None = None,
) -> Read:
    """Read columns of a CSV or Parquet file as numbers.

    Parameters
    ----------
    path : Path
    columns : list of str, optional
        All numeric columns if absent.
    codes : bool
        Whether text becomes codes, numbered in alphabetical order.
    known : mapping of str to list of str, optional
        The texts that codes stand for, if a fitted model has them.
    membership : str, optional
        Covariates of membership, as a formula.
    id_column : str, optional
        The column that names the rows, which is not clustered.
    """
    rows, notes = read_file(path, id_column)
    frame, ids = take_ids(rows, id_column, shown(path))
    frame, covariates = set_apart(frame, membership, columns, shown(path))
    chosen = choose(frame.schema, columns, shown(path), codes)
    numbers, more, symbols = to_numbers(frame, chosen, columns is None, known)
    return Read(numbers, [*notes, *more], symbols, ids, covariates, rows)


def read_mixed(
    path: Path,
    columns: Sequence[str] | None = None,
    targets: Sequence[str] = (),
    membership: str | None = None,
    id_column: str | None = None,
) -> Read:
    """Read columns of numbers and of text of a CSV or Parquet file, without codes.

    Parameters
    ----------
    path : Path
    columns : list of str, optional
        All columns of numbers and text if absent.
    targets : list of str
        Columns that are read in any case.
    membership : str, optional
        Covariates of membership, as a formula. They are inputs, too, where there are targets.
    id_column : str, optional
        The column that names the rows, which is not clustered.
    """
    rows, notes = read_file(path, id_column)
    frame, ids = take_ids(rows, id_column, shown(path))
    others, covariates = set_apart(frame, membership, columns, shown(path))
    frame = frame if targets else others
    for target in targets:
        check_column(frame.schema, target, shown(path))
    columns = columns and [*columns, *(name for name in targets if name not in columns)]
    chosen = choose(frame.schema, columns, shown(path), codes=True, mixed=True)
    left_out = [name for name in frame.columns if columns is None and name not in chosen]
    notes = [*notes, *(f"column {name!r} was left out: {frame[name].dtype}" for name in left_out)]
    return Read(frame.select(chosen), notes, {}, ids, covariates, rows)


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
    chosen = choose(schema, columns, str(path))

    def read(start: int, stop: int) -> Any:
        return lazy.select(chosen).slice(start, stop - start).collect()

    return LazyTable(read, (rows, len(chosen)), tuple(chosen))
