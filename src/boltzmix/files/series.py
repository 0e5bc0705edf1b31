"""Sequences and trajectories, whose observations take several rows of a file, and their dates."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import polars as pl
from polars.exceptions import PolarsError

from ..data import Sequences, Trajectories
from ..views import listed
from .choosing import choose
from .columns import COVARIATES, Content, Read, Symbols, per_sequence, set_apart, to_numbers

DAYS = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y")
CLOCKS = ("%H:%M:%S%.f", "%H:%M", "%H:%M:%S%.f%#z")
TIMES = ("", *(f"{mark}{clock}" for mark in "T " for clock in CLOCKS))


class Dates(NamedTuple):
    """Dates that were read from text.

    Parameters
    ----------
    values : Series of datetimes
    wrong : int, optional
        The first row that is not a date, if there is any.
    notes : list of str
    """

    values: pl.Series
    wrong: int | None
    notes: list[str]


def read_dates(text: pl.Series) -> Dates:
    """Read dates that are all written in the same way; the day comes first, if it may."""
    text = text.str.strip_chars()
    found = [(form, dates) for form, dates in _parsed(text) if dates.null_count() < len(text)]
    if not found:
        return Dates(text, 0, [])
    form, dates = min(found, key=lambda one: one[1].null_count())
    if dates.null_count():
        return Dates(dates, dates.is_null().arg_max(), [])
    other = form.replace("%d/%m", "%m/%d")
    if other != form and any(one == other and not more.null_count() for one, more in found):
        note = f"{text[0]!r} in column {text.name!r} was read as day/month/year"
        return Dates(dates, None, [note])
    return Dates(dates, None, [])


def _parsed(text: pl.Series) -> Iterator[tuple[str, pl.Series]]:
    """Return the dates of each format that the first text has; null where they are wrong."""
    for day, time in product(DAYS, TIMES):
        try:
            if text.head(1).str.to_datetime(day + time, strict=False).null_count() == 0:
                dates = text.str.to_datetime(day + time, strict=False, time_unit="us")
                yield day + time, dates.dt.replace_time_zone(None)
        except PolarsError:
            continue


def read_sequences(
    content: Content,
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
    content : Content
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
    content, covariates = set_apart(content, membership, columns)
    name = content.name
    keys = [sequence] if order is None else [sequence, order]
    others = content.beside(keys)
    chosen = choose(others, columns, codes, for_text=("markov-chain",))
    if single:
        _check_single(others.frame.columns if columns is None else chosen.names, name)
    numbers, more, symbols = to_numbers(others, chosen.names, known)
    _check_complete(numbers, content, sequence)
    frame = content.frame.select(keys)
    notes = [*content.notes, *chosen.notes, *more]
    if order is not None:
        times, on_order = _sortable(content.frame[order])
        frame, notes = frame.with_columns(times), [*notes, *on_order]
    steps = numbers.with_columns(frame).sort(keys, maintain_order=True)
    if order is not None:
        _check_distinct(steps, sequence, order, name)
    runs = steps[sequence].rle().struct.unnest()
    sequences = Sequences.from_lengths(steps.select(chosen.names), runs["len"].cast(pl.Int64))
    ids = runs["value"].alias(sequence)
    if covariates is not None:
        covariates = per_sequence(covariates, content.frame[sequence], ids, COVARIATES)
    return Read(sequences, content, notes, symbols, ids, covariates)


def _check_single(columns: Sequence[str], path: str) -> None:
    if len(columns) > 1:
        raise ValueError(
            f"{path} has several columns ({listed(columns)}), but one column of symbols is wanted:"
            " name it with --columns."
        )


def _check_complete(numbers: pl.DataFrame, content: Content, sequence: str) -> None:
    missing = np.isnan(numbers.to_numpy())
    if missing.any():
        row, column = map(int, np.argwhere(missing)[0])
        raise ValueError(
            f"Column {numbers.columns[column]!r} of {content.name} has no value in"
            f" {content.place(row)}, in sequence {content.frame[sequence][row]} (cells without a"
            f" value: {missing.sum()}): fill or drop these steps."
        )


def _check_distinct(steps: pl.DataFrame, sequence: str, order: str, path: str) -> None:
    twice = steps.select(sequence, order).is_duplicated()
    if twice.any():
        name, value = steps.select(sequence, order).row(twice.arg_max() or 0)
        raise ValueError(
            f"Column {order!r} of {path} has {value} more than once in sequence {name}: every step"
            " of a sequence needs a value of its own."
        )


def _sortable(order: pl.Series) -> tuple[pl.Series, list[str]]:
    """Return what steps are sorted by, with a note if it is text, in which 10 comes before 9."""
    if order.dtype != pl.String:
        return order, []
    dates = read_dates(order)
    if dates.wrong is None:
        return dates.values, dates.notes
    note = (
        f"steps were sorted by column {order.name!r} as text, from {order.min()!r} to"
        f" {order.max()!r}"
    )
    return order, [note]


def read_trajectories(
    content: Content,
    trajectory: str,
    time: str,
    columns: Sequence[str] | None = None,
    membership: str | None = None,
) -> Read:
    """Read trajectories, sorted by their names, whatever their order in the file.

    Parameters
    ----------
    content : Content
    trajectory : str
        The column that names the trajectory of each row.
    time : str
        The column of times: numbers, or dates.
    columns : list of str, optional
        The columns of values; all other numeric columns if absent.
    membership : str, optional
        Covariates of membership, as a formula; each is the same in all rows of a trajectory.
    """
    content, covariates = set_apart(content, membership, columns)
    others = content.beside([trajectory, time])
    content.check_finite([time])
    chosen = choose(others, columns)
    numbers, more, symbols = to_numbers(others, chosen.names)
    names, (times, on_dates) = content.frame[trajectory], _times(content, time)
    points = numbers.with_columns(names, times).sort(trajectory, maintain_order=True)
    X = Trajectories.from_long(points, trajectory, time, chosen.names)
    if X.time_unit is not None:
        on_dates = [*on_dates, f"column {time!r} holds {X.time_unit}"]
    ids = points[trajectory].unique(maintain_order=True)
    if covariates is not None:
        covariates = per_sequence(covariates, names, ids, COVARIATES)
    notes = [*content.notes, *chosen.notes, *more, *on_dates]
    return Read(X, content, notes, symbols, ids, covariates)


def _times(content: Content, time: str) -> tuple[pl.Series, list[str]]:
    """Return times as numbers or dates, and notes; raise if they are other text."""
    times = content.frame[time]
    if times.dtype != pl.String:
        return times, []
    dates = read_dates(times)
    if dates.wrong is not None:
        raise ValueError(
            f"Column {time!r} of {content.name} has {times[dates.wrong]!r} in"
            f" {content.place(dates.wrong)}, which is neither a number nor a date: write dates as"
            " 2024-01-31."
        )
    return dates.values, dates.notes
