"""Sequences of different lengths, with the same features at every step."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any, Self

import numpy as np

from .base import BoolArray, FloatArray, IntArray
from .blocks import places
from .table import Table, as_numbers, feature_names

STEPS_PER_BLOCK = 2**13
SIDE_BY_SIDE, LONG = 16, 2**18
LAYOUT = "a list of arrays of shape (steps, features)"


@dataclass(frozen=True, eq=False)
class Sequences:
    """Sequences, held end to end.

    A list of arrays of shape (steps, features) becomes sequences wherever a family asks for them.
    Other layouts have a constructor each, because axes are never guessed: `from_lengths` (one
    array and lengths, as hmmlearn has it), `from_padded` (steps before features, NaN after the
    end, as tslearn has it), `from_channels_first` (features before steps, as aeon has it),
    `from_frame` (a frame indexed by sequence and step) and `from_rows` (a column that names the
    sequence of each row).

    Parameters
    ----------
    values : array, shape (total number of steps, d)
    ends : array of int, shape (n + 1,)
        Where sequences begin and end: sequence i is ``values[ends[i]:ends[i + 1]]``.
    feature_names : tuple of str, optional

    Examples
    --------
    >>> sequences = Sequences.of([[[1.0], [2.0], [4.0]], [[3.0], [5.0]]])
    >>> len(sequences), sequences.n_features, sequences.lengths
    (2, 1, array([3, 2]))
    >>> sequences[1]
    array([[3.], [5.]])
    """

    values: FloatArray
    ends: IntArray
    feature_names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        ends = np.asarray(self.ends)
        if np.ndim(self.values) != 2 or ends.ndim != 1 or ends.dtype.kind not in "iu":
            raise ValueError(
                "Sequences are made of values (steps, features) and ends, whole numbers: use"
                " Sequences.of, or the constructor of your layout."
            )
        if (
            len(ends) < 1
            or ends[0] != 0
            or ends[-1] != len(self.values)
            or (np.diff(ends) < 1).any()
        ):
            raise ValueError(
                f"ends must rise from 0 to the {len(self.values)} steps of values, not"
                f" {self.ends!r}: use Sequences.from_lengths for lengths."
            )

    def __repr__(self) -> str:
        if len(self) == 0:
            return "<no sequences>"
        return (
            f"<{len(self)} sequences of {self.lengths.min()} to {self.lengths.max()} steps,"
            f" {self.n_features} feature(s)>"
        )

    @classmethod
    def of(cls, X: Any) -> Self:
        """Read sequences from a list of arrays (or frames) of shape (steps, features)."""
        if isinstance(X, cls):
            return X
        if hasattr(X, "columns"):
            raise TypeError(
                f"X must be {LAYOUT}, not a frame: use Sequences.from_frame(X) if its index names"
                " the sequence and the step of each row, or Sequences.from_rows(X, ids)."
            )
        if isinstance(X, np.ndarray) and X.dtype != object:
            raise ValueError(
                f"X must be {LAYOUT}, not one array of shape {X.shape}, whose axes could mean"
                " several things: use Sequences.from_padded(X) for (sequences, steps, features),"
                " Sequences.from_channels_first(X) for (sequences, features, steps), or"
                " Sequences.from_lengths(X, lengths) for sequences end to end."
            )
        return cls._join(_list_of(X, LAYOUT))

    @classmethod
    def from_lengths(cls, X: Any, lengths: Any) -> Self:
        """Read sequences that lie end to end in X (total steps, features), as hmmlearn has them."""
        values = as_numbers(X)
        sizes = _whole_numbers("lengths", lengths)
        if sizes.sum() != len(values):
            raise ValueError(
                f"lengths must add up to the {len(values)} steps of X, but add up to {sizes.sum()}."
            )
        return cls._checked(values, sizes, feature_names(X))

    @classmethod
    def from_padded(cls, X: Any) -> Self:
        """Read X (sequences, steps, features) with NaN after the end of each, as tslearn has it."""
        padded = _three_dimensions(X, "from_padded", "(sequences, steps, features)")
        there: BoolArray = np.logical_not(np.isnan(padded).all(axis=2))
        sizes = np.where(there.any(axis=1), there.shape[1] - there[:, ::-1].argmax(axis=1), 0)
        return cls._join([one[:size] for one, size in zip(padded, sizes, strict=True)])

    @classmethod
    def from_channels_first(cls, X: Any) -> Self:
        """Read X (sequences, features, steps), or a list of (features, steps), as aeon has it."""
        if isinstance(X, np.ndarray) and X.dtype != object:
            X = _three_dimensions(X, "from_channels_first", "(sequences, features, steps)")
        parts = _list_of(X, "a list of arrays of shape (features, steps)")
        arrays = [_two_dimensions(part, i, "(features, steps)") for i, part in enumerate(parts)]
        return cls._join([array.T for array in arrays])

    @classmethod
    def from_frame(cls, frame: Any) -> Self:
        """Read a pandas frame whose index has two levels: the sequence, and the step in it."""
        index = getattr(frame, "index", None)
        if getattr(index, "nlevels", 0) != 2 or index is None:
            raise ValueError(
                "from_frame expects a pandas frame whose index has two levels, the sequence and"
                " the step (frame.set_index(['id', 'time'])): for plain columns use"
                " Sequences.from_rows(frame[features], frame['id'], frame['time'])."
            )
        return cls.from_rows(frame, index.get_level_values(0), index.get_level_values(1))

    @classmethod
    def from_rows(cls, X: Any, sequence: Any, order: Any = None) -> Self:
        """Read a table with one row per step, and whose sequence each row belongs to.

        Sequences come in the order of their first rows.

        Parameters
        ----------
        X : array or frame, shape (total steps, features)
        sequence : array, shape (total steps,)
            Names or numbers of the sequences.
        order : array, shape (total steps,), optional
            What the steps of a sequence are sorted by; the order of the rows if absent.
        """
        values = as_numbers(X)
        numbers, _ = number_sequences(sequence, len(values))
        if order is None:
            places = np.argsort(numbers, kind="stable")
        else:
            times = _column("order", order, len(values))
            try:
                places = np.lexsort((times, numbers))
            except TypeError as error:
                raise ValueError(f"order must hold values that can be sorted: {error}.") from None
            again = (np.diff(numbers[places]) == 0) & (times[places][1:] == times[places][:-1])
            if again.any():
                twice = places[1:][again][0]
                raise ValueError(
                    f"order has {times[twice]} twice in sequence {np.asarray(sequence)[twice]}:"
                    " every step of a sequence needs a place of its own."
                )
        return cls._checked(values[places], np.bincount(numbers), feature_names(X))

    @classmethod
    def _join(cls, parts: list[Any]) -> Self:
        if not parts:
            raise ValueError(f"X is empty: it must be {LAYOUT}, with at least one of them.")
        arrays, names = zip(*map(_read_part, parts, range(len(parts))), strict=True)
        widths = {array.shape[1] for array in arrays}
        if len(widths) > 1:
            odd = next(i for i, a in enumerate(arrays) if a.shape[1] != arrays[0].shape[1])
            raise ValueError(
                f"Sequence {odd} of X has {arrays[odd].shape[1]} features, but sequence 0 has"
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
        return cls._checked(np.concatenate(arrays), lengths, names[0])

    @classmethod
    def _checked(cls, values: FloatArray, lengths: IntArray, names: Any) -> Self:
        sequences = cls(values, np.concatenate([[0], np.cumsum(lengths)]), names)
        bad = ~np.isfinite(values)
        if bad.any():
            row, column = np.argwhere(bad)[0]
            place = int(np.searchsorted(sequences.ends, row, side="right")) - 1
            found = "NaN" if np.isnan(values[row, column]) else "inf (infinity)"
            raise ValueError(
                f"Sequence {place} of X contains {found} at step {row - sequences.ends[place]},"
                f" column {sequences.steps.column_name(column)} ({bad.sum()} such value(s) in"
                " all): fill or cut these steps first."
            )
        return sequences

    @property
    def n_features(self) -> int:
        """Number of features at each step."""
        return self.values.shape[1]

    @property
    def mean_size(self) -> float:
        """Mean number of steps of a sequence; at least one."""
        return max(len(self.values) / max(len(self), 1), 1.0)

    @property
    def lengths(self) -> IntArray:
        """Number of steps of each sequence, shape (n,)."""
        return np.diff(self.ends)

    @cached_property
    def steps(self) -> Table:
        """The steps of all sequences as the rows of one table."""
        return Table(self.values, self.feature_names, holes=False)

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, place: int) -> FloatArray:
        if not isinstance(place, Integral):
            raise TypeError("Sequences are picked one by one: use take(indices) for several.")
        if not -len(self) <= place < len(self):
            raise IndexError(f"There are {len(self)} sequences, and no number {place}.")
        place %= len(self)
        return self.values[self.ends[place] : self.ends[place + 1]]

    def __iter__(self) -> Iterator[FloatArray]:
        return (self[place] for place in range(len(self)))

    def take(self, indices: IntArray | BoolArray | slice) -> "Sequences":
        """Return the sequences at `indices`, in that order."""
        if isinstance(indices, slice) and indices.step in (None, 1):
            start, stop, _ = indices.indices(len(self))
            ends = self.ends[start : max(start, stop) + 1]
            return Sequences(self.values[ends[0] : ends[-1]], ends - ends[0], self.feature_names)
        chosen = np.arange(len(self))[indices]
        lengths = self.lengths[chosen]
        ends = np.concatenate([[0], np.cumsum(lengths)])
        steps = np.arange(ends[-1]) + np.repeat(self.ends[chosen] - ends[:-1], lengths)
        return Sequences(self.values[steps], ends, self.feature_names)

    def blocks(self, n_components: int) -> list[slice]:
        """Return the places of blocks, each of enough steps to be worth a thread's while.

        A block holds a multiple of the sequences that kernels work on side by side; of long ones,
        fewer.
        """
        together = int(min(max(LONG // self.mean_size, 1), SIDE_BY_SIDE))
        size = -(-STEPS_PER_BLOCK // self.mean_size)
        return places(len(self), together * -(-int(size) // together))

    def as_vectors(self) -> FloatArray:
        """Return mean, standard deviation and mean absolute change of each sequence's features."""
        starts, lengths = self.ends[:-1], self.lengths[:, None]
        values = self.values.astype(float)
        means = np.add.reduceat(values, starts) / lengths
        centred = values - np.repeat(means, self.lengths, axis=0)
        deviations = np.sqrt(np.add.reduceat(centred**2, starts) / lengths)
        changes = np.abs(np.diff(values, axis=0, prepend=values[:1]))
        changes[starts] = 0
        moves = np.add.reduceat(changes, starts) / np.maximum(lengths - 1, 1)
        return np.hstack([means, deviations, moves])

    def count_distinct(self, enough: int) -> int:
        """Count the distinct sequences, but stop counting at `enough`."""
        seen = set()
        for one in self:
            seen.add((one + 0.0).tobytes())  # -0.0 becomes 0.0
            if len(seen) >= enough:
                break
        return len(seen)


def number_sequences(sequence: Any, n: int) -> tuple[IntArray, Any]:
    """Give numbers to the sequences that rows belong to, in the order of their first rows.

    Returns
    -------
    numbers : array of int, shape (n,)
    ids : array
        The name of each sequence.
    """
    column = _column("sequence", sequence, n)
    seen: dict[Any, int] = {}
    numbers = np.array([seen.setdefault(name, len(seen)) for name in column.tolist()], dtype=int)
    _, first = np.unique(numbers, return_index=True)
    return numbers, column[first]


def _column(name: str, given: Any, n: int) -> Any:
    column = np.asarray(given)
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
    return np.array([value is None or _is_not_itself(value) for value in column])


def _is_not_itself(value: Any) -> bool:
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA answers neither yes nor no
        return True


def _whole_numbers(name: str, given: Any) -> IntArray:
    try:
        numbers = np.asarray(given)
    except ValueError:
        numbers = np.array(None)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise ValueError(f"{name} must be a list of whole numbers of at least 1, one per sequence.")
    if (numbers < 1).any():
        place = (numbers < 1).argmax()
        raise ValueError(
            f"{name} must be at least 1 for every sequence, but is {numbers[place]} for sequence"
            f" {place}."
        )
    return numbers.astype(int)


def _list_of(X: Any, layout: str) -> list[Any]:
    no_list = isinstance(X, str | bytes | dict) or getattr(X, "ndim", 1) == 0
    if no_list or not hasattr(X, "__iter__"):
        raise TypeError(f"X must be {layout}, not {type(X).__name__}.")
    return list(X)


def _read_part(part: Any, place: int) -> tuple[FloatArray, tuple[str, ...] | None]:
    if np.ma.is_masked(part):
        raise ValueError(
            f"Sequence {place} of X has masked values, which count as missing: fill or cut them."
        )
    array = _two_dimensions(part, place, "(steps, features)")
    if 0 in array.shape:
        raise ValueError(
            f"Sequence {place} of X is empty ({array.shape[0]} steps of {array.shape[1]}"
            " features): leave it out."
        )
    try:
        return as_numbers(array), feature_names(part)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Sequence {place}: {error}") from None


def _two_dimensions(part: Any, place: int, layout: str) -> Any:
    if hasattr(part, "toarray"):
        raise TypeError(f"Sequence {place} of X is sparse, which is not supported: use toarray().")
    try:
        array = part.to_numpy() if hasattr(part, "to_numpy") else np.asarray(part)
    except ValueError:
        raise ValueError(
            f"Sequence {place} of X must have shape {layout}, but its rows differ in length."
        ) from None
    if array.ndim != 2:
        one_feature = "(-1, 1)" if layout == "(steps, features)" else "(1, -1)"
        hint = f" (sequence.reshape{one_feature} for one feature)" if array.ndim == 1 else ""
        raise ValueError(
            f"Sequence {place} of X must have shape {layout}{hint}, but has {array.ndim}"
            " dimension(s)."
        )
    return array


def _describe(names: tuple[str, ...] | None) -> str:
    return f"the feature names {list(names)}" if names else "no feature names"


def _three_dimensions(X: Any, name: str, layout: str) -> FloatArray:
    try:
        array = np.asarray(X)
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
