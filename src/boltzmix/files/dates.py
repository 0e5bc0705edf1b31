"""Dates in text: 2024-01-31, 31.01.2024 or 01/31/2024, maybe with a time of day."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import polars as pl
from polars.exceptions import PolarsError

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
