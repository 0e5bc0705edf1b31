"""Trajectories in long tables: one point per row, and columns of its trajectory and its time."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from ..data import Trajectories
from ..views import listed
from .columns import Read, check_column, choose, set_apart, to_numbers
from .paths import shown
from .reading import read_file
from .sequences import check_not_missing, of_sequences


def read_trajectories(
    path: Path,
    trajectory: str,
    time: str,
    columns: Sequence[str] | None = None,
    membership: str | None = None,
) -> Read:
    """Read trajectories, sorted by their names, whatever their order in the file.

    Parameters
    ----------
    path : Path
    trajectory : str
        The column that names the trajectory of each row.
    time : str
        The column of times: numbers, or dates.
    columns : list of str, optional
        The columns of values; all other numeric columns if absent.
    membership : str, optional
        Covariates of membership, as a formula; each is the same in all rows of a trajectory.
    """
    frame, notes = read_file(path, ids=trajectory)
    name = shown(path)
    frame, covariates = set_apart(frame, membership, columns, name)
    keys = [trajectory, time]
    for key in keys:
        check_column(frame.schema, key, name)
        check_not_missing(frame[key], name)
    frame = frame.with_columns(_as_times(frame[time], name)).sort(trajectory, maintain_order=True)
    others = frame.drop(keys)
    if others.width == 0:
        raise ValueError(f"{name} has no column besides {listed(keys)}, and so nothing to cluster.")
    chosen = choose(others.schema, columns, name)
    numbers, more, symbols = to_numbers(others, chosen, columns is None)
    X = Trajectories.from_long(numbers.with_columns(frame.select(keys)), trajectory, time, chosen)
    if X.time_unit is not None:
        more = [*more, f"column {time!r} holds {X.time_unit}"]
    ids = frame[trajectory].unique(maintain_order=True)
    if covariates is not None:
        covariates = of_sequences(covariates, frame[trajectory], ids)
    return Read(X, [*notes, *more], symbols, ids, covariates)


def _as_times(times: pl.Series, path: str) -> pl.Series:
    """Return times as numbers or dates; raise if they are other text."""
    if times.dtype != pl.String:
        return times
    try:
        dates = times.str.to_datetime(strict=False)
    except PolarsError:  # no text looks like a date
        dates = pl.Series(times.name, [None] * len(times))
    if dates.is_null().any():
        row = dates.is_null().arg_max() or 0
        raise ValueError(
            f"Column {times.name!r} of {path} has {times[row]!r} in row {row}, which is neither a"
            " number nor a date: write dates as 2024-01-31."
        )
    return dates
