"""Conversion of user input to arrays, and computations on them."""

from typing import Any

import numpy as np

from ..data_set import AnyArray, BoolArray, FloatArray, IntArray
from ..errors import DATA, InputError, InputTypeError
from ..nouns import shown
from .containers import FOR_SEQUENCES, as_array, as_known

RESHAPING = (
    " Reshape your data: X.reshape(-1, 1) for one feature, X.reshape(1, -1) for one observation."
)


def as_float_matrix(
    X: object, way_out: str = "turn it into numbers, leave it out, or use family='auto'"
) -> FloatArray:
    """Return an array, a frame or nested lists as a two-dimensional float array.

    Parameters
    ----------
    X : array, pandas or polars frame, or nested lists, shape (n, d)
    way_out : str
        The advice of the message where a value is not a number.

    Returns
    -------
    array, shape (n, d)
        Contiguous in memory. float32 stays float32; every other number becomes float64.

    Raises
    ------
    ValueError, TypeError
        When `X` is not a two-dimensional table of real numbers. NaN and infinity pass.
    """
    X = as_known(X)
    array = as_array(X)
    reshaping = RESHAPING if array.ndim < 2 else ""
    check_two_dimensions(array, f".{reshaping}{FOR_SEQUENCES}")
    if array.dtype == object and hasattr(X, "isna"):
        array = np.where(missing_in(X), np.nan, array)
    if array.dtype.kind in "mM":
        raise InputTypeError(f"{DATA} holds dates or times: turn them into numbers first.")
    if 0 in array.shape:
        raise InputError(
            f"{DATA} is empty: found {array.shape[0]} sample(s) and {array.shape[1]} feature(s)"
            f" (shape={array.shape}) while a minimum of 1 is required."
        )
    if np.iscomplexobj(array):
        raise InputError(f"Complex data not supported: {DATA} must hold real numbers.")
    if array.dtype == np.float32:
        return np.ascontiguousarray(array)
    try:
        return np.ascontiguousarray(array, dtype=float)
    except MemoryError:
        raise InputError(
            f"{DATA} has {array.shape[0]:,} rows and {array.shape[1]:,} columns, which do not fit"
            " into"
            " memory: pass a part of them, or a folder of Parquet files."
        ) from None
    except (TypeError, ValueError, OverflowError):
        return _cell_by_cell(array, feature_names(X), way_out)


def check_two_dimensions(
    array: AnyArray, advice: str = ": pass a frame, or an array of shape (n, d)."
) -> None:
    """Raise unless an array is a table; `advice` ends the message."""
    if array.ndim == 2:
        return
    if array.shape == (0,):
        raise InputError(f"{DATA} is empty: found 0 sample(s) while a minimum of 1 is required.")
    if array.ndim == 1 and array.dtype == object:
        kind = type(array[0]).__name__
        raise InputError(
            f"{DATA} must be a table with two dimensions, but is a list of objects of type {kind}:"
            " pass"
            " one list of numbers for each row."
        )
    raise InputError(f"{DATA} must be a table with two dimensions, but has {array.ndim}{advice}")


def _cell_by_cell(array: AnyArray, names: tuple[str, ...] | None, way_out: str) -> FloatArray:
    """Return an array (n, d) as floats; raise an error that names the first cell that is none."""
    numbers = np.full(array.shape, np.nan)
    for (row, column), value in np.ndenumerate(array):
        if is_missing(value):
            continue
        try:
            numbers[row, column] = float(value.item() if isinstance(value, np.str_) else value)
        except (TypeError, ValueError, OverflowError) as error:
            place = column if names is None else shown(names[column])
            raise (ValueError if isinstance(error, OverflowError) else type(error))(
                f"X must hold numbers only, but column {place} holds {_written(value)} in row {row}"
                f" ({error}): {way_out}."
            ) from None
    return numbers


def _written(value: object) -> str:
    return shown(value.item() if isinstance(value, np.generic) else value)


def feature_names(X: object) -> tuple[str, ...] | None:
    """Return the column names of a frame, or None if `X` has no column names that are strings."""
    columns = list(getattr(X, "columns", []))
    are_text = [isinstance(name, str) for name in columns]
    if any(are_text) and not all(are_text):
        raise InputTypeError(
            f"{DATA} has column names of which only some are strings: Feature names are only"
            " supported"
            " if all input features have string names; rename them, or pass X.to_numpy()."
        )
    return tuple(columns) if columns and all(are_text) else None


def is_missing(value: object) -> bool:
    """Return whether a value of an array of objects is None, NaN, NaT or pandas.NA."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ArithmeticError):  # pandas.NA, and NaN of Decimal that signals errors
        return True
    except ValueError:  # an array
        return False


def missing_in(frame: Any) -> BoolArray:
    """Return which values of a frame or a column of pandas are missing, in its own shape."""
    try:
        return np.asarray(frame.isna().to_numpy(), dtype=bool)
    except ArithmeticError:  # NaN of Decimal that signals errors
        values = frame.to_numpy()
        return np.reshape([is_missing(one) for one in values.ravel()], values.shape)


def mean_imputed(values: FloatArray) -> FloatArray:
    """Return values (n, d) in which the mean of its column replaces each missing value.

    A column without any value becomes zero.
    """
    present = ~np.isnan(values)
    if present.all():
        return values
    sums = values.sum(axis=0, dtype=float, where=present)
    return np.where(present, values, sums / np.maximum(present.sum(axis=0), 1)).astype(values.dtype)


def with_unit_variance(vectors: FloatArray) -> FloatArray:
    """Return vectors (n, d) divided by the standard deviation of each column; constants stay."""
    deviations = vectors.std(axis=0)
    return vectors / np.where(deviations > 0, deviations, 1.0)


def evenly_spaced(n: int, most: int) -> IntArray:
    """Return the indices of at most `most` of n observations, evenly spaced.

    The first and the last observation are among them, if `most` is at least two.

    Parameters
    ----------
    n : int
        Number of observations.
    most : int
        Largest number of indices to return.

    Returns
    -------
    array of int, shape (min(n, most),)
        Distinct indices, in ascending order.

    Examples
    --------
    >>> evenly_spaced(10, 4)
    array([0, 3, 6, 9])
    >>> evenly_spaced(3, 4)
    array([0, 1, 2])
    """
    return np.linspace(0, n - 1, min(most, n)).astype(int)
