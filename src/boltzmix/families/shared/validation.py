"""Validation of the arguments that many families take, and of the values in their data."""

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

import numpy as np

from ...data import BoolArray, FloatArray, IntArray, Rows, shown
from ..base import Family

Place = Callable[[int, int, str], str]
MOST_WHOLE = 9e15  # about 2^53, above which not every whole number fits into double precision


def fitted(component: Family, *names: str) -> tuple[Any, ...]:
    """Return parameters of a fitted component; raise if it has none yet.

    Examples
    --------
    >>> from boltzmix.families import Poisson
    >>> fitted(Poisson(rate=2.0), "rate")
    (2.0,)
    """
    parameters = tuple(getattr(component, name) for name in names)
    if any(one is None for one in parameters):
        raise not_fitted(component)
    return parameters


def not_fitted(component: Family) -> ValueError:
    """Return the error that a component without parameters raises."""
    return ValueError(f"This {component.name} has no parameters yet: call fit first.")


def is_count(value: Any) -> bool:
    """Return whether a value is a whole number of at least one."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1


def check_count(name: str, value: Any) -> None:
    """Validate that an argument is a whole number of at least one."""
    if not is_count(value):
        raise ValueError(f"{name} must be a whole number of at least 1, not {shown(value)}.")


def check_floor(floor: Any) -> None:
    """Validate that `floor` is a fraction."""
    if not isinstance(floor, Real) or not 0 < float(floor) <= 1:
        raise ValueError(f"floor must be a number above 0 and at most 1, not {shown(floor)}.")


def check_not_negative(name: str, value: Any) -> None:
    """Validate that an argument is zero or a positive number."""
    if not isinstance(value, Real) or not 0 <= float(value) < np.inf:
        raise ValueError(f"{name} must be zero or a positive number, not {shown(value)}.")


def check_positive_arrays(component: Family, names: Sequence[str]) -> None:
    """Validate that arguments, where they are given, are finite and above zero."""
    for name in names:
        given = getattr(component, name)
        if given is not None and not (np.isfinite(given).all() and np.min(given) > 0):
            raise ValueError(f"{name} must be finite and above zero, not {shown(given)}.")


def check_added_variance(added_variance: Any) -> None:
    """Validate that `added_variance`, where it is given, is finite and not negative."""
    if added_variance is not None and not (
        np.isfinite(added_variance).all() and np.min(added_variance) >= 0
    ):
        raise ValueError(
            f"added_variance must be finite and not negative, not {shown(added_variance)}."
        )


def check_several_columns(data: Rows, name: str, what: str) -> None:
    """Validate that a table has more than one column."""
    if data.n_features < 2:
        raise ValueError(f"X has 1 column, but {name} takes {what} in at least two columns.")


def are_no_counts(values: FloatArray, least: int = 0) -> BoolArray:
    """Return which values are too low, too high or not whole; missing values are valid."""
    with np.errstate(invalid="ignore"):
        return (
            (values < least)
            | (values > MOST_WHOLE)
            | ((values != np.floor(values)) & ~np.isnan(values))
        )


def check_whole(
    values: FloatArray,
    place: Place,
    wanted: str,
    limits: IntArray | None = None,
    argument: str = "",
) -> None:
    """Raise for the first value that is negative, not whole, or not below its column's limit.

    Missing values are valid.

    Parameters
    ----------
    values : array, shape (n, d)
    place : function of (row, column, value)
        Returns the words that say where the value is.
    wanted : str
        Which values the family takes, and what to do about others.
    limits : array of int, shape (d,), optional
    argument : str
        The argument that a user would raise for higher limits.
    """
    bad = are_no_counts(values)
    if limits is not None:
        bad |= values >= limits
    if not bad.any():
        return
    row, column = map(int, np.argwhere(bad)[0])
    value = float(values[row, column])
    if limits is not None and value >= limits[column] and value.is_integer():
        wanted = (
            f"the codes known go from 0 to {limits[column] - 1}: leave it out, or fit with a larger"
            f" {argument}"
        )
    elif value > MOST_WHOLE:
        wanted = f"whole numbers above {MOST_WHOLE:g} are not exact: rescale the column"
    raise ValueError(f"{place(row, column, f'{value:.12g}')}, but {wanted}.")


def place_in_table(data: Rows, first_row: int | None) -> Place:
    """Return the function that says in messages where a value of a table is."""

    def place(row: int, column: int, value: str) -> str:
        where = "" if first_row is None else f" in row {first_row + row}"
        return f"Column {data.column_name(column)} of X holds {value}{where}"

    return place


def suggestion(name: str, known: Iterable[str], then: str) -> str:
    """Ask whether the closest of known names was meant, if one is close; then go on with `then`.

    Examples
    --------
    >>> suggestion("gausian", ["gaussian", "gamma"], "the names are")
    "did you mean 'gaussian'? The names are"
    """
    close = get_close_matches(name, list(known), n=1)
    return f"did you mean {close[0]!r}? {then[0].upper()}{then[1:]}" if close else then


def row_name(row: int, first_row: int | None) -> str:
    """Return how a message about a row begins."""
    return "A row" if first_row is None else f"Row {first_row + row}"
