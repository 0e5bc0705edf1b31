"""Conversion of user input to arrays, and computations on them."""

from typing import Any

import numpy as np

from .base import FloatArray

RESHAPING = (
    " Reshape your data: X.reshape(-1, 1) for one feature, X.reshape(1, -1) for one observation."
)
FOR_SEQUENCES = " (For sequences, choose a family of sequences, such as HMM.)"


def as_float_matrix(
    X: Any, way_out: str = "turn it into numbers, leave it out, or use family='auto'"
) -> FloatArray:
    """Return an array, a frame or nested lists as a two-dimensional float array.

    Parameters
    ----------
    X : array, pandas or polars frame, or nested lists, shape (n, d)
    way_out : str
        What the message advises where a value is not a number.

    Returns
    -------
    array, shape (n, d)
        Contiguous in memory. float32 stays float32; every other number becomes float64.

    Raises
    ------
    ValueError, TypeError
        When `X` is not a two-dimensional table of real numbers. NaN and infinity pass.
    """
    check_in_memory(X)
    array = as_array(X)
    if array.dtype == object and hasattr(X, "isna"):
        array = np.where(X.isna(), np.nan, array)
    if array.ndim != 2:
        raise ValueError(
            f"X must be a table with two dimensions, but has {array.ndim}."
            f"{RESHAPING if array.ndim < 2 else ''}{FOR_SEQUENCES}"
        )
    if array.dtype.kind in "mM":
        raise TypeError("X holds dates or times: turn them into numbers first.")
    if 0 in array.shape:
        raise ValueError(
            f"X is empty: found {array.shape[0]} sample(s) and {array.shape[1]} feature(s)"
            f" (shape={array.shape}) while a minimum of 1 is required."
        )
    if np.iscomplexobj(array):
        raise ValueError("Complex data not supported: X must hold real numbers.")
    if array.dtype == np.float32:
        return np.ascontiguousarray(array)
    try:
        return np.ascontiguousarray(array, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return _cell_by_cell(array, feature_names(X), way_out)


def _cell_by_cell(
    array: np.ndarray[Any, Any], names: tuple[str, ...] | None, way_out: str
) -> FloatArray:
    """Return an array (n, d) as floats; raise an error that names the first cell that is none."""
    numbers = np.full(array.shape, np.nan)
    for (row, column), value in np.ndenumerate(array):
        if is_missing(value):
            continue
        try:
            numbers[row, column] = float(value.item() if isinstance(value, np.str_) else value)
        except (TypeError, ValueError, OverflowError) as error:
            place = column if names is None else repr(names[column])
            raise (ValueError if isinstance(error, OverflowError) else type(error))(
                f"X must hold numbers only, but column {place} holds {_short(value)} in row {row}"
                f" ({error}): {way_out}."
            ) from None
    return numbers


def _short(value: Any) -> str:
    plain = value.item() if isinstance(value, np.generic) else value
    text = " ".join(repr(plain).split())
    return text if len(text) <= 40 else f"{text[:37]}..."


def as_array(given: Any, argument: str = "X") -> np.ndarray[Any, Any]:
    """Return an array, a frame or nested lists as an array.

    Examples
    --------
    >>> as_array([[1, 2], [3]], "labels")
    Traceback (most recent call last):
    ValueError: labels must be an array or nested lists whose rows all have the same length.
    """
    if np.ma.is_masked(given):
        raise ValueError(
            f"{argument} has masked values, which count as missing: fill or drop them first."
        )
    try:
        return np.asarray(given.to_numpy() if hasattr(given, "to_numpy") else given)
    except (TypeError, ValueError):
        raise ValueError(
            f"{argument} must be an array or nested lists whose rows all have the same length."
            f"{FOR_SEQUENCES if argument == 'X' else ''}"
        ) from None


def check_in_memory(X: Any) -> None:
    """Raise if X is a Dask collection, of which all values would be loaded, or a sparse matrix."""
    if hasattr(X, "__dask_graph__"):
        raise TypeError(
            "X is a Dask collection, which can be fitted and predicted, but not be used here: pass"
            " a sample in memory, such as X[:10_000].compute()."
        )
    if hasattr(X, "toarray"):
        raise TypeError("X is a sparse matrix, which is not supported: pass X.toarray().")


def feature_names(X: Any) -> tuple[str, ...] | None:
    """Return the column names of a frame, or None if `X` has no column names that are strings."""
    columns = list(getattr(X, "columns", []))
    are_text = [isinstance(name, str) for name in columns]
    if any(are_text) and not all(are_text):
        raise TypeError(
            "X has column names of which only some are strings: Feature names are only supported"
            " if all input features have string names; rename them, or pass X.to_numpy()."
        )
    return tuple(columns) if columns and all(are_text) else None


def is_missing(value: Any) -> bool:
    """Return whether a value of an array of objects is None, NaN, NaT or pandas.NA."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ArithmeticError):  # pandas.NA, and NaN of Decimal that signals errors
        return True
    except ValueError:  # an array
        return False


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
