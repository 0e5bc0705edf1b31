"""Sequences in long tables: one step per row, and a column that names the sequence."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from ..data import Sequences
from ..views import listed
from .columns import Read, Symbols, check_column, choose, set_apart, to_numbers
from .paths import shown
from .reading import read_file


def read_sequences(
    path: Path,
    sequence: str,
    order: str | None = None,
    columns: Sequence[str] | None = None,
    codes: bool = False,
    single: bool = False,
    known: Symbols | None = None,
    membership: str | None = None,
) -> Read:
    """Read sequences, sorted by their names, whatever their order in the file.

    Parameters
    ----------
    path : Path
    sequence : str
        The column that names the sequence of each row.
    order : str, optional
        The column to sort the steps of a sequence by; rows stay in their order if absent.
    columns : list of str, optional
        The features; all other numeric columns if absent.
    codes : bool
        Whether text becomes codes, numbered in alphabetical order.
    single : bool
        Whether only one feature is allowed.
    known : mapping of str to list of str, optional
        The texts that codes stand for, if a fitted model has them.
    membership : str, optional
        Covariates of membership, as a formula; each is the same in all rows of a sequence.
    """
    frame, notes = read_file(path, ids=sequence)
    name = shown(path)
    frame, covariates = set_apart(frame, membership, columns, name)
    keys = [sequence] if order is None else [sequence, order]
    for key in keys:
        check_column(frame.schema, key, name)
        check_not_missing(frame[key], name)
    others = frame.drop(keys)
    if others.width == 0:
        raise ValueError(f"{name} has no column besides {listed(keys)}, and so nothing to cluster.")
    chosen = choose(others.schema, columns, name, codes)
    if single:
        _check_single(others.columns if columns is None else chosen, name)
    numbers, more, symbols = to_numbers(others, chosen, columns is None, known)
    _check_finite(numbers, frame[sequence], name)
    steps = numbers.with_columns(frame.select(keys)).sort(keys, maintain_order=True)
    notes = [*notes, *more]
    if order is not None:
        _check_distinct(steps, sequence, order, name)
        notes += _note_on_text(frame[order])
    runs = steps[sequence].rle().struct.unnest()
    sequences = Sequences.from_lengths(steps.select(chosen), runs["len"].cast(pl.Int64))
    ids = runs["value"].alias(sequence)
    if covariates is not None:
        covariates = of_sequences(covariates, frame[sequence], ids)
    return Read(sequences, notes, symbols, ids, covariates)


def of_sequences(covariates: pl.DataFrame, names: pl.Series, ids: pl.Series) -> pl.DataFrame:
    """Return the covariates of each sequence; raise if they differ within one."""
    rows = covariates.with_columns(names).unique()
    twice = rows[names.name].is_duplicated()
    if twice.any():
        raise ValueError(
            f"The covariates of membership ({listed(covariates.columns)}) differ between rows of"
            f" sequence {rows[names.name][twice.arg_max() or 0]}: they must be the same in all rows"
            " of a sequence."
        )
    return ids.to_frame().join(rows, on=ids.name, how="left").select(covariates.columns)


def check_not_missing(column: pl.Series, path: str) -> None:
    """Raise if a column has no value in some row."""
    missing = column.is_null()
    if column.dtype.is_float():
        missing |= column.is_nan().fill_null(True)
    if missing.any():
        raise ValueError(
            f"Column {column.name!r} of {path} has no value in row {missing.arg_max()}: fill it,"
            " or drop the row."
        )


def _check_single(columns: Sequence[str], path: str) -> None:
    if len(columns) > 1:
        raise ValueError(
            f"{path} has several columns ({listed(columns)}), but one column of symbols is wanted:"
            " name it with --columns."
        )


def _check_finite(numbers: pl.DataFrame, names: pl.Series, path: str) -> None:
    bad = ~np.isfinite(numbers.to_numpy())
    if bad.any():
        row, column = map(int, np.argwhere(bad)[0])
        value = numbers[row, column]
        found = "infinity" if value in (np.inf, -np.inf) else "no value"
        raise ValueError(
            f"Column {numbers.columns[column]!r} of {path} has {found} in row {row}, in sequence"
            f" {names[row]} ({bad.sum()} such value(s) in all): fill or drop these steps."
        )


def _check_distinct(steps: pl.DataFrame, sequence: str, order: str, path: str) -> None:
    twice = steps.select(sequence, order).is_duplicated()
    if twice.any():
        name, value = steps.select(sequence, order).row(twice.arg_max() or 0)
        raise ValueError(
            f"Column {order!r} of {path} has {value} more than once in sequence {name}: every step"
            " of a sequence needs a value of its own."
        )


def _note_on_text(order: pl.Series) -> list[str]:
    """Return a note if steps are sorted by text, in which 10 comes before 9."""
    if order.dtype != pl.String:
        return []
    return [
        f"steps were sorted by column {order.name!r} as text, from {order.min()!r} to"
        f" {order.max()!r}"
    ]
