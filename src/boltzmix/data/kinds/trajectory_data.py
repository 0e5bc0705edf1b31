"""Trajectories: values that were observed at times, different ones for each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np

from ..blocks import block_slices
from ..data_set import BoolArray, FloatArray, Indices, IntArray, NamedColumns
from ..errors import DATA
from ..reading.times import DATES
from ..reading.trajectory_layouts import Observed, read_list, read_long, read_wide
from .variable_length import VariableLength

POINTS_PER_BLOCK = 2**13  # at least, so that a block is enough work for a thread
MOMENTS = 12  # at which trajectories are compared by `as_vectors`


@dataclass(frozen=True, eq=False)
class Trajectories(VariableLength):
    """Trajectories: each is a list of times, and of the values observed at them.

    Times may differ from trajectory to trajectory, in number and place. There may be several
    values (outputs) at each time, of which some may be missing (NaN). Families of trajectories
    accept a list of pairs ``(times, values)``; a long frame is read by `from_long`, and a wide
    frame or array by `from_wide`.

    Parameters
    ----------
    times : array, shape (total number of points,)
        In ascending order within each trajectory.
    values : array, shape (total number of points, m)
        NaN where a value is missing.
    ends : array of int, shape (n + 1,)
        Where trajectories begin and end: trajectory i is at ``ends[i]:ends[i + 1]``.
    feature_names : tuple of str, optional
        Names of the outputs.
    time_name : str, optional
    time_unit : str, optional
        What the times are, if they were read from dates or durations.
    ids : array, shape (n,), optional
        Names of the trajectories.

    Examples
    --------
    >>> data = Trajectories.of([([0.0, 1.0, 3.0], [2.0, 2.5, 4.0]), ([2.0, 0.5], [1.0, 0.0])])
    >>> len(data), data.lengths
    (2, array([3, 2]))
    >>> data[1]
    (array([0.5, 2. ]), array([[0.], [1.]]))
    """

    times: FloatArray
    values: FloatArray
    ends: IntArray
    feature_names: tuple[str, ...] | None = None
    time_name: str | None = None
    time_unit: str | None = None
    ids: Any = None
    noun: ClassVar[str] = "trajectories"

    def __repr__(self) -> str:
        if len(self) == 0:
            return "<no trajectories>"
        unit = f" ({self.time_unit})" if self.time_unit else ""
        noun = "output" if self.n_features == 1 else "outputs"
        return (
            f"<{len(self)} trajectories of {self.lengths.min()} to {self.lengths.max()} points,"
            f" {self.n_features} {noun}, times from {self.times.min():g} to"
            f" {self.times.max():g}{unit}>"
        )

    @classmethod
    def of(cls, X: object, names: Sequence[str] | None = None) -> Self:
        """Read a list of pairs (times, values), with values (T,) or (T, m).

        Parameters
        ----------
        X : list of pairs, or Trajectories
        names : list of str, optional
            Names of the m outputs.
        """
        return X if isinstance(X, cls) else cls._made_of(read_list(X, names))

    @classmethod
    def from_long(
        cls, frame: object, id: object, time: object, values: "str | Sequence[str] | None" = None
    ) -> Self:
        """Read a frame with one row for each point, such as the visits of patients.

        Trajectories come in the order of their first rows, and have the names in `ids`.

        Parameters
        ----------
        frame : pandas or polars frame
        id : str
            The column that names the trajectory of each row.
        time : str
            The column of times: numbers, dates or durations.
        values : str or list of str, optional
            The columns of values; all other columns if absent.
        """
        return cls._made_of(read_long(frame, id, time, values))

    @classmethod
    def from_wide(cls, X: object, times: object = None) -> Self:
        """Read a table with one row for each trajectory and one column for each time.

        Parameters
        ----------
        X : frame or array, shape (n, T), or array of shape (n, T, m) for several outputs
            NaN where nothing was observed.
        times : array, shape (T,), optional
            The times of the columns. If absent, they are the names of the columns of a frame, if
            these are numbers or dates, and 0, 1, 2, … for an array.
        """
        return cls._made_of(read_wide(X, times))

    @classmethod
    def _made_of(cls, observed: Observed) -> Self:
        """Return trajectories with sorted times, without points that have no value."""
        there = np.logical_not(np.isnan(observed.values).all(axis=1))
        _check_not_empty(observed, there)
        owner, times = observed.owner[there], observed.times[there]
        order = np.lexsort((times, owner))
        counts = np.bincount(owner, minlength=observed.n)
        return cls(
            times[order],
            np.ascontiguousarray(observed.values[there][order]),
            np.concatenate([[0], np.cumsum(counts)]),
            observed.names,
            observed.time_name,
            observed.time_unit,
            observed.ids,
        )

    @property
    def has_dates(self) -> bool:
        """Whether times were read from dates."""
        return self.time_unit == DATES

    @property
    def width(self) -> int:
        """About how many numbers a trajectory has."""
        return int(self.mean_size * (1 + self.n_features))

    def numbers(self) -> list[NamedColumns]:
        """Return all times and values."""
        names = self.feature_names or range(self.n_features)
        return [
            NamedColumns(self.times[:, None], lambda _: f"the times of {DATA}"),
            NamedColumns(self.values, lambda place: f"output {names[place]!r} of {DATA}"),
        ]

    def __sizeof__(self) -> int:
        arrays = (self.times, self.values, self.ends)
        return object.__sizeof__(self) + sum(array.nbytes for array in arrays)

    def __getitem__(self, index: int) -> tuple[FloatArray, FloatArray]:
        if not isinstance(index, Integral):
            raise TypeError("Trajectories are picked one by one: use take(indices) for several.")
        if not -len(self) <= index < len(self):
            raise IndexError(f"There are {len(self)} trajectories, and no number {index}.")
        index %= len(self)
        own = slice(self.ends[index], self.ends[index + 1])
        return self.times[own], self.values[own]

    def __iter__(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        return (self[index] for index in range(len(self)))

    def take(self, indices: Indices) -> "Trajectories":
        chosen = np.arange(len(self))[indices]
        lengths = self.lengths[chosen]
        ends = np.concatenate([[0], np.cumsum(lengths)])
        points: Any = np.arange(ends[-1]) + np.repeat(self.ends[chosen] - ends[:-1], lengths)
        if isinstance(indices, slice) and indices.step in (None, 1) and len(chosen):
            points = slice(self.ends[chosen[0]], self.ends[chosen[-1] + 1])
        return replace(
            self,
            times=self.times[points],
            values=self.values[points],
            ends=ends,
            ids=None if self.ids is None else self.ids[chosen],
        )

    @classmethod
    def joined(cls, parts: "Sequence[Trajectories]") -> "Trajectories":
        """Return the trajectories of several of these, one after the other."""
        lengths = np.concatenate([one.lengths for one in parts])
        named = all(one.ids is not None for one in parts)
        return replace(
            parts[0],
            times=np.concatenate([one.times for one in parts]),
            values=np.concatenate([one.values for one in parts]),
            ends=np.concatenate([[0], np.cumsum(lengths)]),
            ids=np.concatenate([one.ids for one in parts]) if named else None,
        )

    def blocks(self, n_components: int) -> list[slice]:
        """Return the slices of blocks, each with enough points to occupy a thread."""
        return block_slices(len(self), -(-POINTS_PER_BLOCK // int(self.mean_size)))

    def as_vectors(self) -> FloatArray:
        """Return the outputs at the same moments, interpolated between points, (n, MOMENTS m).

        Before its first and after its last point, a trajectory has the value there. An output
        without any value in a trajectory has its mean over all trajectories.
        """
        moments = np.quantile(self.times, np.linspace(0.02, 0.98, MOMENTS))
        vectors = np.empty((self.n_features, len(self), MOMENTS))
        overall = np.nanmean(self.values, axis=0)
        for place, (times, values) in enumerate(self):
            for output, column in enumerate(values.T):
                there = ~np.isnan(column)
                vectors[output, place] = (
                    np.interp(moments, times[there], column[there])
                    if there.any()
                    else overall[output]
                )
        spread = vectors.std(axis=(1, 2), keepdims=True)
        scaled = vectors / np.where(spread > 0, spread, 1.0)
        return np.hstack(list(scaled))

    def count_distinct(self, enough: int) -> int:
        seen = set()
        for times, values in self:
            seen.add((times + 0.0).tobytes() + (values + 0.0).tobytes())  # -0.0 becomes 0.0
            if len(seen) >= enough:
                break
        return len(seen)


def _check_not_empty(observed: Observed, there: BoolArray) -> None:
    """Raise if a trajectory has no value at all."""
    counts = np.bincount(observed.owner[there], minlength=observed.n)
    if (counts == 0).any():
        place = int((counts == 0).argmax())
        name = place if observed.ids is None else repr(observed.ids.tolist()[place])
        raise ValueError(
            f"Trajectory {name} has no value at any time ({(counts == 0).sum()} such trajectories"
            " in all): leave it out."
        )
