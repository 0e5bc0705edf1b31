"""The layouts in which users keep trajectories, each read as points of numbered trajectories."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..data_set import FloatArray, IntArray
from ..nouns import shown
from .arrays import as_float_matrix
from .containers import as_array, as_known
from .sequence_layouts import list_of, number_sequences
from .times import Times, read_times

LAYOUT = "a list of pairs (times, values)"


class Observed(NamedTuple):
    """Points of trajectories, in any order.

    Parameters
    ----------
    owner : array of int, shape (N,)
        The number of each point's trajectory.
    times : array, shape (N,)
    values : array, shape (N, m)
    n : int
        Number of trajectories.
    names : tuple of str, optional
        Names of the outputs.
    time_name, time_unit : str, optional
    ids : array, shape (n,), optional
    """

    owner: IntArray
    times: FloatArray
    values: FloatArray
    n: int
    names: tuple[str, ...] | None = None
    time_name: str | None = None
    time_unit: str | None = None
    ids: Any = None


def read_list(X: object, names: Sequence[str] | None = None) -> Observed:
    """Read a list of pairs (times, values), with values (T,) or (T, m), of outputs with names."""
    X = as_known(X)
    if hasattr(X, "columns"):
        raise TypeError(
            f"X must be {LAYOUT}, not a frame: use Trajectories.from_long(X, id, time, values) if"
            " it has one row for each point, or Trajectories.from_wide(X) if it has one row for"
            " each trajectory."
        )
    if isinstance(X, np.ndarray) and X.dtype != object:
        raise ValueError(
            f"X must be {LAYOUT}, not one array of shape {X.shape}: use Trajectories.from_wide(X,"
            " times) if it has one row for each trajectory."
        )
    pairs = [_read_pair(pair, place) for place, pair in enumerate(list_of(X, LAYOUT))]
    if not pairs:
        raise ValueError(f"X is empty: it must be {LAYOUT}, with at least one of them.")
    _check_same_outputs([values.shape[1] for _, values in pairs])
    if names is not None and (isinstance(names, str) or len(names) != pairs[0][1].shape[1]):
        raise ValueError(
            f"names must be a list of {pairs[0][1].shape[1]} name(s), one for each output, not"
            f" {shown(names)}."
        )
    units = {times.unit for times, _ in pairs}
    if len(units) > 1:
        raise ValueError(
            "Some trajectories of X have dates as times, and others have numbers: use one of these."
        )
    lengths = [len(values) for _, values in pairs]
    return Observed(
        np.repeat(np.arange(len(pairs)), lengths),
        np.concatenate([times.numbers for times, _ in pairs]),
        np.concatenate([values for _, values in pairs]),
        len(pairs),
        None if names is None else tuple(map(str, names)),
        time_unit=units.pop(),
    )


def read_long(frame: Any, id: Any, time: Any, values: Any) -> Observed:
    """Read a frame with one row for each point."""
    frame = as_known(frame)
    columns = list(getattr(frame, "columns", []))
    if not columns:
        raise TypeError(
            f"from_long reads a pandas or polars frame, not {type(frame).__name__}: pass {LAYOUT}"
            " to fit, or use from_wide."
        )
    chosen = [values] if isinstance(values, str) else values
    for argument, name in (("id", id), ("time", time)):
        if not isinstance(name, str | int | tuple):
            raise TypeError(f"{argument} must be the name of a column, not {shown(name)}.")
    if chosen is None:
        chosen = [name for name in columns if name not in (id, time)]
    for name in (id, time, *(chosen if isinstance(chosen, list | tuple) else [chosen])):
        if not isinstance(name, str | int | tuple) or name not in columns:
            raise ValueError(f"The frame has no column {shown(name)}: its columns are {columns}.")
    if not chosen or id in chosen or time in chosen or id == time:
        raise ValueError(
            "id, time and values must be different columns, and there must be at least one of"
            f" values: they are {shown(id)}, {shown(time)} and {shown(list(chosen))}."
        )
    owner, ids = number_sequences(frame[id].to_numpy(), len(frame), "id")
    times = read_times(frame[time], f"Column {time!r}")
    matrix = _finite_or_missing(as_float_matrix(frame[list(chosen)]), "The frame")
    _check_times(times, matrix, f"Column {time!r}")
    names = tuple(map(str, chosen))
    return Observed(owner, times.numbers, matrix, len(ids), names, str(time), times.unit, ids)


def read_wide(X: object, times: object) -> Observed:
    """Read one row for each trajectory and one column for each time."""
    X = as_known(X)
    has_outputs = getattr(X, "ndim", 2) == 3
    array = as_array(X) if has_outputs else as_float_matrix(X)
    n, n_times, m = array.shape if has_outputs else (*array.shape, 1)
    rows = as_float_matrix(array.reshape(n * n_times, m)).astype(float)
    moments = _column_times(X, n_times) if times is None else read_times(times)
    if len(moments.numbers) != n_times:
        raise ValueError(
            f"times must have one time for each of the {n_times} columns of X, not"
            f" {len(moments.numbers)}."
        )
    if np.isnan(moments.numbers).any():
        raise ValueError("times must not be missing.")
    points = _finite_or_missing(rows, "X")
    index = getattr(X, "index", None)
    return Observed(
        np.repeat(np.arange(n), n_times),
        np.tile(moments.numbers, n),
        points,
        n,
        time_unit=moments.unit,
        ids=None if index is None or callable(index) else np.asarray(index),
    )


def _read_pair(pair: Any, place: int) -> tuple[Times, FloatArray]:
    """Return the times and the values of one trajectory."""
    try:
        given, observed = pair
    except (TypeError, ValueError):
        raise ValueError(
            f"Trajectory {place} of X must be a pair (times, values), not {type(pair).__name__}."
        ) from None
    try:
        times = read_times(given)
        values = as_array(observed, "values")
        matrix = as_float_matrix(values[:, None] if values.ndim == 1 else values)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Trajectory {place} of X: {error}") from None
    if len(times.numbers) != len(matrix):
        raise ValueError(
            f"Trajectory {place} of X has {len(times.numbers)} times, but {len(matrix)} values."
        )
    _check_times(times, matrix, f"The times of trajectory {place}")
    return times, _finite_or_missing(matrix.astype(float), f"Trajectory {place} of X")


def _check_same_outputs(widths: Sequence[int]) -> None:
    odd = next((place for place, width in enumerate(widths) if width != widths[0]), None)
    if odd is not None:
        raise ValueError(
            f"Trajectory {odd} of X has {widths[odd]} outputs, but trajectory 0 has {widths[0]}:"
            " every trajectory must have the same outputs; mark missing values by NaN."
        )


def _check_times(times: Times, values: FloatArray, name: str) -> None:
    """Raise if a time is missing where there is a value."""
    lost = np.isnan(times.numbers) & ~np.isnan(values).all(axis=1)
    if lost.any():
        raise ValueError(f"{name} has no time in row {lost.argmax()}: fill it, or drop the row.")


def _finite_or_missing(values: FloatArray, name: str) -> FloatArray:
    if np.isinf(values).any():
        row, column = np.argwhere(np.isinf(values))[0]
        raise ValueError(f"{name} holds infinity in row {row}, column {column}.")
    return values


def _column_times(X: object, n_times: int) -> Times:
    """Return the times that the names of the columns of a frame are; 0, 1, 2, … for an array."""
    columns = getattr(X, "columns", None)
    if columns is None:
        return Times(np.arange(float(n_times)), None)
    names = np.asarray(list(columns), dtype=object)
    try:
        if all(isinstance(name, str) for name in names):
            return _times_in_text(names)
        return read_times(names)
    except (TypeError, ValueError):
        raise ValueError(
            f"The columns of X ({shown(names[0])}, …) are no times: pass the time of each column,"
            " as in"
            " from_wide(X, times)."
        ) from None


def _times_in_text(names: Any) -> Times:
    try:
        return Times(names.astype(float), None)
    except ValueError:
        return read_times(names.astype("datetime64[us]"))
