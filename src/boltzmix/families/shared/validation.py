"""Validation of the arguments that many families take, and of the values in their data."""

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from ...data import (
    MOST_COUNT,
    BoolArray,
    FloatArray,
    IntArray,
    Rows,
    as_number,
    check_count,
    check_flag,
    shown,
)
from ..base import Family

Place = Callable[[int, int, str], str]
SMALLEST, LARGEST = 1e-75, 1e75  # of settings, whose squares and products are computed
POSITIVE = "finite and above zero"
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
        if given is not None:
            check_count(name, given, least, most)
            object.__setattr__(component, name, int(given))


def read_floor(component: Family) -> None:
    """Validate that `floor` is a fraction; store it as float."""
    floor = as_number(component.floor)  # type: ignore[attr-defined]
    if not 0 < floor <= 1:
        raise ValueError(
            f"floor must be a number above 0 and at most 1, not {shown(component.floor)}."  # type: ignore[attr-defined]
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
            raise ValueError(
                f"{name} must be zero or a positive number from {SMALLEST:g} to {LARGEST:g}, not"
                f" {shown(given)}."
            )
        object.__setattr__(component, name, number)


def read_flag(component: Family, *names: str) -> None:
    """Validate arguments that are True or False; store them as bool."""
    for name in names:
        check_flag(name, getattr(component, name))
        object.__setattr__(component, name, bool(getattr(component, name)))


def as_numbers(given: Any) -> FloatArray:
    """Return a number or an array of numbers as an array; NaN where it is something else."""
    try:
        numbers = np.asarray(given.to_numpy() if hasattr(given, "to_numpy") else given)
        return numbers.astype(float) if numbers.dtype.kind in "biuf" else np.array(np.nan)
    except Exception:  # of any kind, as other libraries convert their objects here
        return np.array(np.nan)


def read_arrays(
    component: Family, names: Sequence[str], axes: int | None = None, least: float = -LARGEST
) -> None:
    """Validate arguments that are numbers or arrays, where they are given, and store them.

    Parameters
    ----------
    component : Family
    names : sequence of str
    axes : int, optional
        How many axes arrays have: one number or one axis unless given.
    least : float
        No number may be below it, nor above its inverse order of magnitude.
    """
    for name in names:
        given = getattr(component, name)
        if given is None:
            continue
        numbers = as_numbers(given)
        right = numbers.ndim == axes if axes is not None else numbers.ndim <= 1
        if not (right and numbers.size and np.isfinite(numbers).all()):
            wanted = {None: "", 1: " with one axis", 2: " with two axes"}[axes]
            kind = "finite" if least < 0 else "finite and not negative" if least == 0 else POSITIVE
            raise ValueError(f"{name} must be {kind} numbers{wanted}, not {shown(given)}.")
        if numbers.min() < least or numbers.max() > LARGEST:
            kind = "finite" if least < 0 else "finite and not negative" if least == 0 else POSITIVE
            raise ValueError(f"{name} must be {kind}, up to {LARGEST:g}, not {shown(given)}.")
        object.__setattr__(component, name, numbers if numbers.ndim else float(numbers))


def read_positive_arrays(component: Family, names: Sequence[str]) -> None:
    """Validate that arguments, where they are given, are finite and above zero."""
    read_arrays(component, names, least=SMALLEST)


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
