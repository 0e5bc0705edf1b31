"""Sequences of different lengths, with the same features at every step."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from ..arguments import check_count
from ..blocks import block_slices
from ..data_set import FloatArray, Indices, IntArray, NamedColumns, Remote
from ..errors import DATA, InputError
from ..nouns import counted, shown
from ..reading.containers import as_array
from ..reading.sequence_layouts import (
    EndToEnd,
    read_channels_first,
    read_end_to_end,
    read_list,
    read_padded,
    read_rows,
)
from .sequence_columns import normalised_columns, slopes
from .table import Table
from .variable_length import VariableLength

T = TypeVar("T")

# Numbers per block. Python code between kernels, which threads cannot run side by side, takes 0.33
# and 0.22 of an iteration of EM at the two larger sizes of `python -m benchmarks sequences` with
# blocks of half this size, 0.26 and 0.16 with these, and 0.21 and 0.13 with twice as large ones, of
# which there are too few for several threads.
NUMBERS = 2**19
FEWEST_STEPS, MOST_STEPS = 2**12, 2**14  # per block
SIDE_BY_SIDE = 32  # sequences that kernels process at the same time
MOST_NUMBERS = 2**22  # of the sequences side by side
PLACES = 24  # of a sequence at which shapes are compared
# Mean ARI on ten sets of the UCR archive (left-right chains of 8 states, EM of 3 runs, 2 seeds)
# without slopes 0.452, with windows of 1, 2 and 4 steps 0.479, 0.508 and 0.443.
WINDOW = 2


@dataclass(frozen=True, eq=False)
class Sequences(VariableLength):
    """Sequences, stored end to end in one array.

    Families of sequences accept a list of arrays of shape (steps, features); one array of shape
    (steps, features) or (steps,) is one long sequence. Each other layout has a constructor, because
    the meaning of axes is never guessed: `from_lengths` (one array and
    lengths, as hmmlearn has it), `from_padded` (steps before features, NaN after the end, as
    tslearn has it), `from_channels_first` (features before steps, as aeon has it), `from_frame` (a
    frame indexed by sequence and step) and `from_rows` (a column that names the sequence of each
    row).

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
    noun: ClassVar[str] = "sequences"

    def derived(self, make: Callable[["Sequences"], T]) -> T:
        """Return what a function makes of these sequences, which they keep from the first time."""
        kept = self.__dict__.setdefault("_derived", {})
        if make not in kept:
            kept[make] = make(self)
        found: T = kept[make]
        return found

    def __post_init__(self) -> None:
        ends = as_array(self.ends, "ends", "an array of whole numbers")
        if (
            not isinstance(self.values, np.ndarray)
            or self.values.ndim != 2
            or ends.ndim != 1
            or ends.dtype.kind not in "iu"
        ):
            raise ValueError(
                "Sequences are made of values (steps, features) and ends, whole numbers: use"
                " Sequences.of, or the constructor of your layout."
            )
        ends = ends.astype(np.int64, copy=False)
        if (
            len(ends) < 1
            or ends[0] != 0
            or ends[-1] != len(self.values)
            or (np.diff(ends) < 1).any()
        ):
            raise ValueError(
                f"ends must rise from 0 to the {len(self.values)} steps of values, not"
                f" {shown(self.ends)}: use Sequences.from_lengths for lengths."
            )
        object.__setattr__(self, "ends", ends)

    def __repr__(self) -> str:
        if len(self) == 0:
            return "<no sequences>"
        noun = "feature" if self.n_features == 1 else "features"
        return (
            f"<{len(self)} sequences of {self.lengths.min()} to {self.lengths.max()} steps,"
            f" {self.n_features} {noun}>"
        )

    @classmethod
    def of(cls, X: object) -> Self:
        """Read a list of arrays (or frames) of shape (steps, features), or one sequence."""
        if isinstance(X, Remote):
            remote: Any = X
            return remote
        return X if isinstance(X, cls) else cls._checked(read_list(X))

    @classmethod
    def from_lengths(cls, X: object, lengths: object) -> Self:
        """Read sequences that lie end to end in X (total steps, features), as hmmlearn has them."""
        return cls._checked(read_end_to_end(X, lengths))

    @classmethod
    def from_padded(cls, X: object) -> Self:
        """Read X (sequences, steps, features) with NaN after the end of each, as tslearn has it."""
        return cls._checked(read_padded(X))

    @classmethod
    def from_channels_first(cls, X: object) -> Self:
        """Read X (sequences, features, steps), or a list of (features, steps), as aeon has it."""
        return cls._checked(read_channels_first(X))

    @classmethod
    def from_frame(cls, frame: object) -> Self:
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
    def from_rows(cls, X: object, sequence: object, order: object = None) -> Self:
        """Read a table with one row per step, and the name of the sequence of each row.

        Sequences come in the order of their first rows.

        Parameters
        ----------
        X : array or frame, shape (total steps, features)
        sequence : array, shape (total steps,)
            Names or numbers of the sequences.
        order : array, shape (total steps,), optional
            Values by which the steps of a sequence are sorted; the order of the rows if absent.
        """
        return cls._checked(read_rows(X, sequence, order))

    @classmethod
    def _checked(cls, read: EndToEnd) -> Self:
        """Return sequences; raise if a value is not finite."""
        values = read.values
        sequences = cls(values, np.concatenate([[0], np.cumsum(read.lengths)]), read.names)
        bad = ~np.isfinite(values)
        if bad.any():
            row, column = np.argwhere(bad)[0]
            number = int(np.searchsorted(sequences.ends, row, side="right")) - 1
            found = "NaN" if np.isnan(values[row, column]) else "inf (infinity)"
            raise InputError(
                f"Sequence {number} of {DATA} contains {found} at step"
                f" {row - sequences.ends[number]},"
                f" column {sequences.steps.column_name(column)}"
                f" ({counted(int(bad.sum()), 'such value')} in all): fill or cut these steps first."
            )
        return sequences

    @property
    def n_counted(self) -> int:
        """Number of steps: parameters are learned from these."""
        return len(self.values)

    @cached_property
    def steps(self) -> Table:
        """The steps of all sequences as the rows of one table."""
        return Table(self.values, self.feature_names, any_missing=False)

    def numbers(self) -> list[NamedColumns]:
        """Return the steps of all sequences."""
        return self.steps.numbers()

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.values.nbytes + self.ends.nbytes

    def __getitem__(self, index: int) -> FloatArray:
        if not isinstance(index, Integral):
            raise TypeError("Sequences are picked one by one: use take(indices) for several.")
        if not -len(self) <= index < len(self):
            raise IndexError(f"There are {len(self)} sequences, and no number {index}.")
        index %= len(self)
        return self.values[self.ends[index] : self.ends[index + 1]]

    def __iter__(self) -> Iterator[FloatArray]:
        return (self[index] for index in range(len(self)))

    def take(self, indices: Indices) -> "Sequences":
        if isinstance(indices, slice) and indices.step in (None, 1):
            start, stop, _ = indices.indices(len(self))
            if start == 0 and stop == len(self):
                return self
            ends = self.ends[start : max(start, stop) + 1]
            return Sequences(self.values[ends[0] : ends[-1]], ends - ends[0], self.feature_names)
        chosen = np.arange(len(self))[indices]
        lengths = self.lengths[chosen]
        ends = np.concatenate([[0], np.cumsum(lengths)])
        steps = np.arange(ends[-1]) + np.repeat(self.ends[chosen] - ends[:-1], lengths)
        return Sequences(self.values[steps], ends, self.feature_names)

    @classmethod
    def joined(cls, parts: "Sequence[Sequences]") -> Self:
        """Return the sequences of several of these, one after the other."""
        lengths = np.concatenate([one.lengths for one in parts])
        values = np.concatenate([one.values for one in parts])
        return cls(values, np.concatenate([[0], np.cumsum(lengths)]), parts[0].feature_names)

    def with_slopes(self, window: int = WINDOW) -> Self:
        """Return sequences that also have the slope of each column, as further columns.

        A hidden Markov model sees each step by itself. With slopes, a state can tell a value that
        rises from the same value that falls.

        Parameters
        ----------
        window : int, default=2
            The slope is that of the least-squares line through the step and so many steps before
            and after it; fewer at both ends of a sequence. A wider window smooths more.

        Examples
        --------
        >>> Sequences.of([[[1.0], [2.0], [4.0]]]).with_slopes(1)[0]
        array([[1. , 1. ],
               [2. , 1.5],
               [4. , 2. ]])
        """
        check_count("window", window, most=10_000)
        names = self.feature_names
        if names is not None:
            names = *names, *(f"slope of {name}" for name in names)
        columns = np.hstack([self.values, slopes(self.values, self.ends, int(window))])
        return type(self)(columns, self.ends, names)

    def normalised(self) -> Self:
        """Return sequences whose columns have mean zero and deviation one in each sequence.

        Sequences then differ by their shape alone, and not by level or scale. A column that is
        constant in a sequence becomes zero there.

        Examples
        --------
        >>> Sequences.of([[[1.0], [3.0]], [[5.0], [5.0]]]).normalised().values.ravel()
        array([-1.,  1.,  0.,  0.])
        """
        return type(self)(normalised_columns(self.values, self.ends), self.ends, self.feature_names)

    def blocks(self, n_components: int) -> list[slice]:
        """Return the slices of blocks, each with enough steps to occupy a thread.

        The number of sequences in a block is a multiple of those that kernels process side by
        side, which are fewer if sequences are long.

        Parameters
        ----------
        n_components : int
            Numbers that are computed for each step.
        """
        most = MOST_NUMBERS / (n_components * self.mean_size)
        together = int(min(max(most, 1), SIDE_BY_SIDE))
        steps = min(max(NUMBERS // n_components, FEWEST_STEPS), MOST_STEPS)
        size = -(-steps // self.mean_size)
        return block_slices(len(self), together * -(-int(size) // together))

    def super_blocks(self) -> list[slice]:
        size = self.block_sizes.super_block(len(self), self.width, SIDE_BY_SIDE)
        return block_slices(len(self), size)

    @property
    def width(self) -> int:
        """About how many values a sequence has."""
        return int(self.mean_size * self.n_features)

    def as_vectors(self) -> FloatArray:
        """Return mean, standard deviation and mean absolute change of each feature, (n, 3 d)."""
        starts, lengths = self.ends[:-1], self.lengths[:, None]
        values = self.values.astype(float)
        means = np.add.reduceat(values, starts) / lengths
        centred = values - np.repeat(means, self.lengths, axis=0)
        deviations = np.sqrt(np.add.reduceat(centred**2, starts) / lengths)
        changes = np.abs(np.diff(values, axis=0, prepend=values[:1]))
        changes[starts] = 0
        moves = np.add.reduceat(changes, starts) / np.maximum(lengths - 1, 1)
        return np.hstack([means, deviations, moves])

    def as_shapes(self) -> FloatArray:
        """Return each sequence at evenly spaced places from its first to its last step.

        Every feature has a deviation of one over all sequences and places, so that distances do not
        depend on units. The shape is (n, places times features).
        """
        places = self.ends[:-1, None] + np.linspace(0, 1, PLACES) * (self.lengths[:, None] - 1)
        below = np.floor(places).astype(np.int64)
        above = np.minimum(below + 1, self.ends[1:, None] - 1)
        share = (places - below)[:, :, None]
        values = self.values.astype(float)
        traced = values[below] * (1 - share) + values[above] * share
        deviations = traced.std(axis=(0, 1))
        traced /= np.where(deviations > 0, deviations, 1.0)
        return traced.reshape(len(self), -1)

    def count_distinct(self, enough: int) -> int:
        seen = set()
        for one in self:
            seen.add((one + 0.0).tobytes())  # -0.0 becomes 0.0
            if len(seen) >= enough:
                break
        return len(seen)
