"""Times as numbers: dates become days."""

from typing import Any, NamedTuple

import numpy as np

from ..data_set import AnyArray, FloatArray
from ..nouns import shown
from .containers import as_array

DAY = np.timedelta64(1, "D")
DATES = "dates, read as days since 1970-01-01"
DURATIONS = "durations, read as days"


class Times(NamedTuple):
    """Times as numbers.

    Parameters
    ----------
    numbers : array, shape (n,)
        Missing times are NaN.
    unit : str, optional
        The unit of the numbers, where the times were dates or durations.
    """

    numbers: FloatArray
    unit: str | None


def read_times(times: object, name: str = "times") -> Times:
    """Read numbers, dates or durations, in an array, a list or a column of a frame.

    Examples
    --------
    >>> read_times(np.array(["1970-01-02", "1970-01-03T12:00"], dtype="datetime64[s]"))
    Times(numbers=array([1. , 2.5]), unit='dates, read as days since 1970-01-01')
    """
    array = _as_array(times, name)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one column, not an array of shape {array.shape}.")
    if array.dtype == object:
        array = _simplest(array, name)
    if array.dtype.kind == "M":
        epoch = np.datetime64(0, "us")
        return Times((array.astype("datetime64[us]") - epoch) / DAY, DATES)
    if array.dtype.kind == "m":
        return Times(array.astype("timedelta64[us]") / DAY, DURATIONS)
    if array.dtype.kind not in "fiu":
        raise _not_times(name, array[:1].tolist())
    with np.errstate(over="ignore"):
        numbers = array.astype(float)
    if np.isinf(numbers).any():
        raise ValueError(f"{name} holds infinity at row {np.isinf(numbers).argmax()}.")
    return Times(numbers, None)


def given_times(numbers: FloatArray, unit: str | None) -> Any:
    """Return times (n,) as dates or durations, if they were read from such."""
    if unit is None:
        return numbers
    microseconds = np.round(numbers * (DAY / np.timedelta64(1, "us"))).astype(np.int64)
    return microseconds.astype("datetime64[us]" if unit == DATES else "timedelta64[us]")


def _as_array(times: Any, name: str) -> AnyArray:
    """Return times as an array; those with a time zone become universal time."""
    zone = getattr(getattr(times, "dt", None), "tz_convert", None)
    if zone is not None and getattr(times.dt, "tz", None) is not None:
        times = zone(None)
    elif getattr(times, "tz", None) is not None and hasattr(times, "tz_convert"):
        times = times.tz_convert(None)
    return as_array(times, name)


def _simplest(values: AnyArray, name: str) -> AnyArray:
    """Return objects as numbers, dates or durations, if all of them are."""
    present = [value for value in values.tolist() if value is not None]
    if any(isinstance(value, str | bytes) for value in present):
        raise _not_times(name, [v for v in present if isinstance(v, str | bytes)][:1])
    for kind in (float, "datetime64[us]", "timedelta64[us]"):
        try:
            with np.errstate(over="ignore"):
                return values.astype(kind)
        except (TypeError, ValueError, OverflowError):
            continue
    raise _not_times(name, present[:1])


def _not_times(name: str, example: list[Any]) -> TypeError:
    found = f", such as {shown(example[0])}" if example else ""
    return TypeError(
        f"{name} must hold numbers, dates or durations, and has other values{found}: turn text into"
        " dates first, for example with pandas.to_datetime."
    )
