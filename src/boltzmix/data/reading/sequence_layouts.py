"""The layouts in which users keep sequences, each read as sequences end to end."""

from typing import Any, NamedTuple

import numpy as np

from ..data_set import AnyArray, BoolArray, FloatArray, IntArray
from ..nouns import counted, shown
from .arrays import as_float_matrix, feature_names, is_missing
from .containers import as_array, as_known

LAYOUT = "a list of arrays of shape (steps, features)"
CODES = "turn symbols into codes 0, 1, 2, …, the same in all sequences"


class EndToEnd(NamedTuple):
    """Sequences in one array, one after the other.

    Parameters
    ----------
    values : array, shape (total number of steps, d)
    lengths : array of int, shape (n,)
    names : tuple of str, optional
        Names of the features.
    """

    values: FloatArray
    lengths: IntArray
    names: tuple[str, ...] | None


def read_list(X: object) -> EndToEnd:
    """Read a list of arrays (or frames) of shape (steps, features), or one such array.

    An array of shape (steps,) is one sequence with one feature.
    """
    X = as_known(X)
    if hasattr(X, "columns"):
        raise TypeError(
            f"X must be {LAYOUT}, not a frame: use Sequences.from_frame(X) if its index names"
            " the sequence and the step of each row, or Sequences.from_rows(X, ids)."
        )
    if isinstance(X, np.ndarray) and X.dtype != object and X.ndim in (1, 2):
        X = [X.reshape(len(X), -1)] if X.size else []
    if isinstance(X, np.ndarray) and X.dtype != object and X.ndim > 2:
        raise ValueError(
            f"X must be {LAYOUT}, not one array of shape {X.shape}, whose axes could mean"
            " several things: use Sequences.from_padded(X) for (sequences, steps, features), or"
            " Sequences.from_channels_first(X) for (sequences, features, steps)."
        )
    return _join(list_of(X, LAYOUT))


def read_end_to_end(X: object, lengths: object) -> EndToEnd:
    """Read sequences that lie end to end in X (total steps, features)."""
    values = as_float_matrix(X)
    sizes = _whole_numbers("lengths", lengths)
    if sizes.sum() != len(values):
        raise ValueError(
            f"lengths must add up to the {len(values)} steps of X, but add up to {sizes.sum()}."
        )
    return EndToEnd(values, sizes, feature_names(X))


def read_padded(X: object) -> EndToEnd:
    """Read X (sequences, steps, features) with NaN after the end of each sequence."""
    padded = _three_dimensions(X, "from_padded", "(sequences, steps, features)")
    present: BoolArray = np.logical_not(np.isnan(padded).all(axis=2))
    sizes = np.where(present.any(axis=1), present.shape[1] - present[:, ::-1].argmax(axis=1), 0)
    return _join([sequence[:size] for sequence, size in zip(padded, sizes, strict=True)])


def read_channels_first(X: object) -> EndToEnd:
    """Read X (sequences, features, steps), or a list of (features, steps)."""
    if isinstance(X, np.ndarray) and X.dtype != object:
        X = _three_dimensions(X, "from_channels_first", "(sequences, features, steps)")
    parts = list_of(X, "a list of arrays of shape (features, steps)")
    arrays = [_two_dimensions(part, i, "(features, steps)") for i, part in enumerate(parts)]
    return _join([array.T for array in arrays])


def read_rows(X: object, sequence: object, order: object) -> EndToEnd:
    """Read X (total steps, features) whose rows belong to the sequences that `sequence` names."""
    values = as_float_matrix(X)
    numbers, _ = number_sequences(sequence, len(values))
    if order is None:
        rows = np.argsort(numbers, kind="stable")
    else:
        times = _column("order", order, len(values))
        try:
            rows = np.lexsort((times, numbers))
        except TypeError as error:
            raise ValueError(f"order must hold values that can be sorted: {error}.") from None
        repeated = (np.diff(numbers[rows]) == 0) & (times[rows][1:] == times[rows][:-1])
        if repeated.any():
            row = rows[1:][repeated][0]
            raise ValueError(
                f"order has {times[row]} twice in sequence {np.asarray(sequence)[row]}:"
                " every step of a sequence needs a value of its own."
            )
    return EndToEnd(values[rows], np.bincount(numbers), feature_names(X))


def number_sequences(
    sequence: object, n: int, argument: str = "sequence"
) -> tuple[IntArray, AnyArray]:
    """Assign numbers to the sequences that rows belong to, in the order of their first rows.

    Parameters
    ----------
    sequence : array, shape (n,)
        The name of the sequence of each row.
    n : int
        Number of rows.
    argument : str
        The word for the names in messages.

    Returns
    -------
    numbers : array of int, shape (n,)
        The number of the sequence of each row.
    names : array, shape (number of sequences,)
    """
    column = _column(argument, sequence, n)
    seen: dict[object, int] = {}
    try:
        numbers = [seen.setdefault(name, len(seen)) for name in column.tolist()]
    except TypeError:
        raise TypeError(
            f"{argument} must hold numbers or text, and {shown(column.tolist())} are neither."
        ) from None
    _, first = np.unique(numbers, return_index=True)
    return np.array(numbers, dtype=int), column[first]


def _join(parts: list[object]) -> EndToEnd:
    """Put arrays or frames of shape (steps, features) end to end."""
    if not parts:
        raise ValueError(f"X is empty: it must be {LAYOUT}, with at least one of them.")
    arrays, names = zip(*map(_read_part, parts, range(len(parts))), strict=True)
    widths = {array.shape[1] for array in arrays}
    if len(widths) > 1:
        odd = next(i for i, a in enumerate(arrays) if a.shape[1] != arrays[0].shape[1])
        width = arrays[odd].shape[1]
        raise ValueError(
            f"Sequence {odd} of X has {counted(width, 'feature')}, but sequence 0 has"
            f" {arrays[0].shape[1]}: every sequence must have the same features."
        )
    if len(set(names)) > 1:
        odd = next(i for i, other in enumerate(names) if other != names[0])
        raise ValueError(
            f"Sequence {odd} of X has {_describe(names[odd])}, but sequence 0 has"
            f" {_describe(names[0])}: every sequence must have the same features, in the same"
            " order."
        )
    lengths = np.array([len(array) for array in arrays])
    return EndToEnd(np.concatenate(arrays), lengths, names[0])


def _read_part(part: object, number: int) -> tuple[FloatArray, tuple[str, ...] | None]:
    """Return the values of one sequence, and the names of its features."""
    if np.ma.is_masked(part):
        raise ValueError(
            f"Sequence {number} of X has masked values, which count as missing: fill or cut them."
        )
    part = as_known(part, f"Sequence {number} of X")
    array = _two_dimensions(part, number, "(steps, features)")
    if 0 in array.shape:
        n_steps, width = array.shape
        raise ValueError(
            f"Sequence {number} of X is empty ({counted(n_steps, 'step')} of"
            f" {counted(width, 'feature')}): leave it out."
        )
    try:
        return as_float_matrix(array, CODES), feature_names(part)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Sequence {number}: {error}") from None


def _two_dimensions(part: object, number: int, layout: str) -> Any:
    """Return one sequence as an array; raise unless it has two dimensions."""
    try:
        array = as_array(part, f"Sequence {number} of X", f"an array of shape {layout}")
    except ValueError:
        raise ValueError(
            f"Sequence {number} of X must have shape {layout}, but its rows differ in length."
        ) from None
    if array.ndim != 2:
        one_feature = "(-1, 1)" if layout == "(steps, features)" else "(1, -1)"
        hint = f" (np.reshape(sequence, {one_feature}) for one feature)" if array.ndim == 1 else ""
        raise ValueError(
            f"Sequence {number} of X must have shape {layout}{hint}, but has"
            f" {counted(array.ndim, 'dimension')}."
        )
    return array


def _three_dimensions(X: object, name: str, layout: str) -> FloatArray:
    """Return X as a float array; raise unless it has three dimensions."""
    try:
        array = as_array(X)
    except ValueError:
        raise ValueError(
            f"{name} expects one array of shape {layout}, but the parts of X differ in length."
        ) from None
    if array.ndim != 3 or array.dtype.kind not in "fiub" or 0 in array.shape:
        raise ValueError(
            f"{name} expects numbers of shape {layout}, not an array of shape {array.shape} and"
            f" dtype {array.dtype}."
        )
    return array if array.dtype == np.float32 else array.astype(float, copy=False)


def list_of(X: object, layout: str) -> list[object]:
    """Return the parts of X; raise if it has none."""
    no_list = isinstance(X, str | bytes | dict | type | range) or getattr(X, "ndim", 1) == 0
    if no_list or not hasattr(X, "__iter__") or hasattr(X, "toarray"):
        raise TypeError(f"X must be {layout}, not {type(X).__name__}.")
    return list(X)


def _describe(names: tuple[str, ...] | None) -> str:
    return f"the feature names {list(names)}" if names else "no feature names"


def _whole_numbers(name: str, given: object) -> IntArray:
    """Return a list of lengths as an array; raise unless all are whole numbers above zero."""
    try:
        numbers = np.asarray(given)
    except (ValueError, MemoryError):
        numbers = np.array(None)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise ValueError(f"{name} must be a list of whole numbers of at least 1, one per sequence.")
    if (numbers < 1).any():
        index = (numbers < 1).argmax()
        raise ValueError(
            f"{name} must be at least 1 for every sequence, but is {numbers[index]} for sequence"
            f" {index}."
        )
    return numbers.astype(int)


def _column(name: str, given: object, n: int) -> Any:
    """Return a column as an array (n,); raise if a value is missing."""
    column = as_array(given, name, "an array with one entry per row")
    if column.shape != (n,):
        raise ValueError(
            f"{name} must have one entry per row (shape ({n},)), not shape {column.shape}."
        )
    missing = _missing(column)
    if missing.any():
        raise ValueError(
            f"{name} has no value in row {missing.argmax()}: fill it, or drop the row."
        )
    return column


def _missing(column: Any) -> BoolArray:
    if column.dtype != object:
        return np.asarray(column != column)  # NaN and NaT
    return np.array([is_missing(value) for value in column])
