"""Trajectories in long tables: one point per row, and columns of its trajectory and its time."""

from collections.abc import Sequence

import polars as pl

from ..data import Trajectories
from ..views import listed
from .choosing import choose
from .columns import Read, set_apart, to_numbers
from .content import Content
from .dates import read_dates
from .sequences import of_sequences


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
    keys = [trajectory, time]
    for key in keys:
        content.check_not_missing(key)
    content.check_finite([time])
    others = content.without(keys)
    if others.frame.width == 0:
        raise ValueError(
            f"{content.name} has no column besides {listed(keys)}, and so nothing to cluster."
        )
    chosen = choose(others, columns)
    numbers, more, symbols = to_numbers(others, chosen.names)
    names, (times, on_dates) = content.frame[trajectory], _times(content, time)
    points = numbers.with_columns(names, times).sort(trajectory, maintain_order=True)
    X = Trajectories.from_long(points, trajectory, time, chosen.names)
    if X.time_unit is not None:
        on_dates = [*on_dates, f"column {time!r} holds {X.time_unit}"]
    ids = points[trajectory].unique(maintain_order=True)
    if covariates is not None:
        covariates = of_sequences(covariates, names, ids)
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
