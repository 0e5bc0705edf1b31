"""Conversion of what users pass as data to the few kinds that all readers know."""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from ..data_set import AnyArray
from ..nouns import shortened, shown

FRAMES = ("pandas", "polars")
KINDS = "an array, a pandas or polars frame, a dict of columns, or nested lists"


def as_known(given: Any, argument: str = "X") -> Any:
    """Return data as an array, a frame or nested lists; what is of another kind stays as it is.

    A dict of columns, a list of dicts, a structured array, a table of pyarrow and all else that
    other libraries can read as a table becomes a frame of pandas or polars. A lazy frame of polars
    is collected.

    Parameters
    ----------
    given : whatever a user passed
    argument : str
        What messages call it.

    Raises
    ------
    TypeError, ValueError
        If it is sparse, lies elsewhere, or has columns that no frame can hold.

    Examples
    --------
    >>> list(as_known({"a": [1, 2], "b": ["x", "y"]}).columns)
    ['a', 'b']
    """
    if hasattr(given, "__dask_graph__"):
        raise TypeError(
            f"{argument} is a Dask collection, which can be fitted and predicted, but not be used"
            " here: pass a sample in memory, such as X[:10_000].compute()."
        )
    if hasattr(given, "toarray"):
        raise TypeError(
            f"{argument} is a sparse matrix, which is not supported: make it dense by toarray()."
        )
    if isinstance(given, np.ndarray):
        return _plain(given, argument)
    if isinstance(given, Mapping) or _is_list_of_mappings(given):
        columns = dict(given) if isinstance(given, Mapping) else list(given)
        return _read_by(FRAMES, "DataFrame", columns, argument)
    if _is_of(given, "polars") and hasattr(given, "collect"):
        return _tried(given.collect, given, argument)
    if isinstance(given, type) or _is_frame(given):
        return given
    return _converted(given, argument)


def as_array(given: object, argument: str = "X", wanted: str = KINDS) -> AnyArray:
    """Return an array, a frame, nested lists, or what else NumPy can read, as an array.

    Examples
    --------
    >>> as_array([[1, 2], [3]], "labels")
    Traceback (most recent call last):
    ValueError: labels must be an array or nested lists whose rows all have the same length.
    """
    if given is None or isinstance(given, str | bytes | Iterator | Set | type):
        raise TypeError(f"{argument} must be {wanted}, not {_name(given)}.")
    known = as_known(given, argument)
    try:
        array = np.asarray(known.to_numpy() if hasattr(known, "to_numpy") else known)
    except ValueError:
        raise ValueError(
            f"{argument} must be an array or nested lists whose rows all have the same length."
            f"{FOR_SEQUENCES if argument == 'X' else ''}"
        ) from None
    except Exception as error:  # of any kind, as other libraries convert their objects here
        raise _not_converted(given, argument, error) from None
    if array.dtype == object and array.ndim == 0:
        raise TypeError(f"{argument} must be {wanted}, not {_name(given)}.")
    return array


FOR_SEQUENCES = " (For sequences, choose a family of sequences, such as HMM.)"


def _plain(array: AnyArray, argument: str) -> Any:
    """Return an array without the behaviour of matrices and masks, its fields as columns."""
    if np.ma.is_masked(array):
        raise ValueError(
            f"{argument} has masked values, which count as missing: fill or drop them first."
        )
    if array.dtype.names is not None:
        if array.ndim != 1:
            raise ValueError(
                f"{argument} is a structured array with {array.ndim} dimensions, and a table has"
                f" one: pass {argument}.ravel()."
            )
        columns = {name: np.asarray(array[name]) for name in array.dtype.names}
        return _read_by(FRAMES, "DataFrame", columns, argument)
    return np.asarray(array) if isinstance(array, np.matrix | np.ma.MaskedArray) else array


def _is_list_of_mappings(given: object) -> bool:
    return (
        isinstance(given, list | tuple)
        and len(given) > 0
        and all(isinstance(one, Mapping) for one in given)
    )


def _is_of(given: object, library: str) -> bool:
    """Return whether an object is of a class of a library, or of one derived from it."""
    return any(one.__module__.partition(".")[0] == library for one in type(given).__mro__)


def _is_frame(given: object) -> bool:
    """Return whether readers know an object: a frame or series, or data of boltzmix."""
    known = any(_is_of(given, one) for one in (*FRAMES, "boltzmix"))
    return known or hasattr(given, "iloc")


def _converted(given: object, argument: str) -> Any:
    """Return an object of another library as a frame or an array, if it offers to be one."""
    if hasattr(given, "to_pandas"):
        return _tried(given.to_pandas, given, argument)
    if hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__"):
        return _read_by(("polars",), "DataFrame", given, argument)
    if hasattr(given, "__dataframe__"):
        return _read_by(("polars",), "from_dataframe", given, argument)
    if hasattr(given, "__array__") or isinstance(given, memoryview):
        return _plain(_tried(partial(np.asarray, given), given, argument), argument)
    if hasattr(given, "columns"):
        raise TypeError(f"{argument} must be {KINDS}, not {_name(given)}.")
    return given


def _read_by(libraries: Sequence[str], reader: str, given: object, argument: str) -> Any:
    """Return as a frame what the first library that is installed makes of it."""
    for library in libraries:
        try:
            read = getattr(import_module(library), reader)
        except ImportError:
            continue
        return _tried(partial(read, given), given, argument)
    raise TypeError(
        f"{argument} is {_name(given)}, which only {' or '.join(libraries)} can turn into a table:"
        " install it, or pass an array."
    )


def _tried(convert: Any, given: Any, argument: str) -> Any:
    """Return what a library makes of its own object; raise one sentence if it cannot."""
    try:
        return convert()
    except Exception as error:
        raise _not_converted(given, argument, error) from None


def _not_converted(given: object, argument: str, error: Exception) -> TypeError:
    said = shortened(" ".join(str(error).split()).rstrip("."), 120)
    return TypeError(
        f"{argument} is {_name(given)}, which cannot be turned into a table ({said}): pass {KINDS}."
    )


def _name(given: object) -> str:
    """Return what a message calls something that is no table."""
    if given is None:
        return "None"
    if isinstance(given, str | bytes):
        return f"the text {shown(given)}"
    kind = given.__name__ if isinstance(given, type) else type(given).__name__
    if isinstance(given, Iterator):
        return f"a {kind}, which can be read only once: use list(…)"
    return f"{'the class' if isinstance(given, type) else 'an object of type'} {kind}"
