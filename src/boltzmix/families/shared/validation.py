"""Validation of the arguments that many families take, and of the values in their data."""

from collections.abc import Callable, Iterable
from dataclasses import fields
from difflib import get_close_matches
from functools import cache
from typing import Any, Protocol

import numpy as np

from ...data import (
    DATA,
    MOST_COUNT,
    BoolArray,
    FloatArray,
    InputError,
    IntArray,
    Rows,
    as_number,
    check_count,
    check_flag,
    counted,
    shown,
)
from ..contract.base import Family

Place = Callable[[int, int, str], str]
MOST = 1e300  # of parameters, in units of the data or squares of them
SMALLEST, LARGEST = 1e-75, 1e75  # of settings, whose squares and products are computed
SHAPES = {
    (0,): "a number",
    (1,): "one number for each column or category",
    (2,): "an array with rows and columns,",
    (0, 1): "a number, or one for each column,",
    (0, 1, 2): "an array of numbers",
}
MOST_STEPS = 100_000  # of one fit, which has converged long before
MOST_DEGREE = 100
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


def read_count(component: Family, *names: str, least: int = 1, most: int = MOST_COUNT) -> None:
    """Validate arguments that are whole numbers, where they are given; store them as int."""
    for name in names:
        given = getattr(component, name)
        if given is not None or is_required(type(component), name):
            check_count(name, given, least, most)
            object.__setattr__(component, name, int(given))


@cache
def is_required(kind: Any, name: str) -> bool:
    """Return whether an argument has a default other than None, so that it cannot be None."""
    return any(one.name == name and one.default is not None for one in fields(kind))


class HasFloor(Protocol):
    """A family whose components have a least variance or deviation."""

    @property
    def floor(self) -> float: ...


def read_floor(component: HasFloor) -> None:
    """Validate that `floor` is a fraction; store it as float."""
    floor = as_number(component.floor)
    if not 0 < floor <= 1:
        raise ValueError(
            f"floor must be a number above 0 and at most 1, not {shown(component.floor)}."
        )
    if floor < SMALLEST:
        raise ValueError(f"floor must be a number above 0 that is at least {SMALLEST:g}.")
    object.__setattr__(component, "floor", floor)


def read_not_negative(component: Family, *names: str) -> None:
    """Validate arguments that are zero or positive; store them as float."""
    for name in names:
        given = getattr(component, name)
        number = as_number(given)
        if not (number == 0 or SMALLEST <= number <= LARGEST):
            limits = f" from {SMALLEST:g} to {LARGEST:g}" if 0 < number < np.inf else ""
            raise ValueError(
                f"{name} must be zero or a positive number{limits}, not {shown(given)}."
            )
        object.__setattr__(component, name, number)


def read_flag(component: Family, *names: str) -> None:
    """Validate arguments that are True or False; store them as bool."""
    for name in names:
        check_flag(name, getattr(component, name))
        object.__setattr__(component, name, bool(getattr(component, name)))


def as_numbers(given: object) -> FloatArray:
    """Return a number or an array of numbers as an array; NaN where it is something else."""
    if isinstance(given, range | set | str | bytes | None):
        return np.array(np.nan)
    try:
        numbers = np.asarray(given.to_numpy() if hasattr(given, "to_numpy") else given)
        with np.errstate(over="ignore"):
            return numbers.astype(float) if numbers.dtype.kind in "biuf" else np.array(np.nan)
    except Exception:  # of any kind, as other libraries convert their objects here
        return np.array(np.nan)


def read_arrays(
    component: Family,
    *names: str,
    axes: tuple[int, ...] = (0, 1),
    least: float = -MOST,
    most: float = MOST,
) -> None:
    """Validate arguments that are numbers or arrays, where they are given, and store them.

    Parameters
    ----------
    component : Family
    names : str
    axes : tuple of int
        How many axes they may have.
    least, most : float
        The least number, and the largest.
    """
    for name in names:
        given = getattr(component, name)
        if given is None:
            continue
        numbers = as_numbers(given)
        if not (
            numbers.ndim in axes
            and numbers.size
            and np.isfinite(numbers).all()
            and least <= numbers.min()
            and numbers.max() <= most
        ):
            sign = "" if least < 0 else " and above zero" if least else " and not negative"
            raise ValueError(
                f"{name} must be finite{sign}: {SHAPES[axes]} up to {most:g}, not {shown(given)}."
            )
        object.__setattr__(component, name, numbers if numbers.ndim else float(numbers))


def read_positive(component: Family, *names: str, axes: tuple[int, ...] = (0, 1)) -> None:
    """Validate that arguments, where they are given, are finite and above zero."""
    read_arrays(component, *names, axes=axes, least=1 / MOST)


def check_width(component: Family, name: str, data: Rows) -> None:
    """Validate that a parameter, where it is given, has one number for each column of a table."""
    given = getattr(component, name)
    if given is not None and np.size(given) != data.n_features:
        raise InputError(
            f"{DATA} has {counted(data.n_features, 'column')}, but {name} of {component.name} has"
            f" {counted(np.size(given), 'number')}: one is needed for each column."
        )


def check_several_columns(data: Rows, name: str, what: str) -> None:
    """Validate that a table has more than one column."""
    if data.n_features < 2:
        raise InputError(f"{DATA} has 1 column, but {name} takes {what} in at least two columns.")


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
    raise InputError(f"{place(row, column, f'{value:.12g}')}, but {wanted}.")


def place_in_table(data: Rows, first_row: int | None) -> Place:
    """Return the function that says in messages where a value of a table is."""

    def place(row: int, column: int, value: str) -> str:
        where = "" if first_row is None else f" in row {first_row + row}"
        return f"Column {data.column_name(column)} of {DATA} holds {value}{where}"

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
