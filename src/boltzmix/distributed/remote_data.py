"""Data whose observations are those of a Dask collection."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import attrgetter
from typing import Any, Self, TypeVar

import numpy as np
from dask.delayed import Delayed, delayed

from ..data import (
    BoolArray,
    Columns,
    Data,
    FloatArray,
    IntArray,
    Remote,
    Rows,
    Table,
    derived,
    shifted,
)
from .client import computed
from .super_blocks import SuperBlocks, lazy_sum

T = TypeVar("T")
MOST_SAMPLES = 4  # that are remembered


@dataclass(frozen=True)
class Form:
    """Properties that all observations of a collection have in common.

    Parameters
    ----------
    width : int
        Number of values in an observation; the mean where they differ.
    n_features : int
    feature_names : tuple of str, optional
    mean_size : float
        Mean number of steps in an observation.
    """

    width: int
    n_features: int
    feature_names: tuple[str, ...] | None = None
    mean_size: float = 1.0


@dataclass(frozen=True, eq=False)
class DaskData(Remote):
    """Observations of a Dask collection.

    Parameters
    ----------
    source : SuperBlocks
        The observations.
    form : Form
        Their common properties.
    """

    source: SuperBlocks
    form: Form
    _samples: dict[bytes, Any] = field(default_factory=dict, repr=False, init=False)

    def __len__(self) -> int:
        return len(self.source)

    @property
    def width(self) -> int:
        """Number of values in an observation; the mean where they differ."""
        return self.form.width

    @derived
    def n_features(self) -> int:
        """Number of features of one observation, or of each step of a sequence."""
        return self.form.n_features

    @derived
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of the features, or None if the input had no column names."""
        return self.form.feature_names

    @derived
    def mean_size(self) -> float:
        """Mean number of steps per observation."""
        return self.form.mean_size

    def kept(self) -> Self:
        """Return the same observations, held in the memory of workers where there is room."""
        n_bytes = len(self) * self.width * np.dtype(float).itemsize
        return replace(self, source=self.source.kept(n_bytes))

    def take(self, indices: IntArray | BoolArray | slice) -> Any:
        """Bring the observations at `indices` here, in that order."""
        if isinstance(indices, slice):
            indices = np.arange(*indices.indices(len(self)))
        elif indices.dtype == bool:
            indices = np.flatnonzero(indices)
        key = indices.tobytes()
        if key not in self._samples:
            while len(self._samples) >= MOST_SAMPLES:
                del self._samples[next(iter(self._samples))]
            order = np.argsort(indices, kind="stable")
            parts = self.source.at(indices[order])
            found = parts[0] if len(parts) == 1 else type(parts[0]).joined(parts)
            self._samples[key] = found.take(np.argsort(order, kind="stable"))
        return self._samples[key]

    def fold(
        self,
        function: Callable[[Any, slice], T],
        add: Callable[[T, T], T],
        n_components: int = 1,
    ) -> T:
        """Return the sum of a function's results over all blocks, computed by tasks."""
        sums = self.source.each(_fold_part, function, add, n_components)
        found: T = computed(lazy_sum(sums, add))[0]
        return found

    def for_each(
        self, function: Callable[[Any, slice], Any], n_components: int, result: np.ndarray[Any, Any]
    ) -> Any:
        """Return the results of a function for all blocks, end to end, as a Dask array."""
        import dask.array as da

        parts = self.source.each(_map_part, function, n_components)
        chunks = [
            da.from_delayed(part, (place.stop - place.start, *result.shape[1:]), result.dtype)
            for part, place in zip(parts, self.source.places, strict=True)
        ]
        return da.concatenate(chunks)

    def as_vectors(self) -> FloatArray:
        """Bring all observations here, as one vector each."""
        return np.asarray(self.take(slice(None)).as_vectors())

    def count_distinct(self, enough: int) -> int:
        """Count the distinct observations, but stop counting at `enough`."""
        looked_at = 4 * enough
        while True:
            found = int(self.take(slice(0, looked_at)).count_distinct(enough))
            if found >= enough or looked_at >= len(self):
                return found
            looked_at *= 4


class DaskRows(DaskData, Rows):
    """Rows of a Dask array or frame."""

    def validated(self, missing: bool) -> "DaskRows":
        """Return these rows: they are validated where they are read."""
        return self


class DaskSequences(DaskData):
    """Sequences of a Dask bag or frame."""

    noun = "sequences"

    @property
    def n_counted(self) -> int:
        """Number of steps: parameters are learned from these."""
        return round(len(self) * self.mean_size)

    @cached_property
    def steps(self) -> DaskRows:
        """The steps of all sequences as the rows of one table."""
        tables = [delayed(attrgetter("steps"))(part) for part in self.source.parts]
        lengths = computed([delayed(len)(table) for table in tables])[0]
        return rows_of(tables, lengths, self.n_features, self.feature_names)


class DaskRegression(DaskData):
    """Inputs and targets of Dask arrays."""

    noun = "points"


@dataclass(frozen=True, eq=False)
class DaskColumns(DaskData):
    """Groups of columns of a Dask frame.

    Parameters
    ----------
    groups : tuple of tuples of str or int
        The columns of each group.
    categories : mapping of column to tuple
        The values that codes stand for.
    """

    noun = "rows"
    is_table = True

    groups: tuple[tuple[str | int, ...], ...] = ()
    categories: Mapping[str | int, tuple[Any, ...]] = field(default_factory=dict)

    @cached_property
    def tables(self) -> tuple[DaskRows, ...]:
        """The rows of each group."""
        lengths = [place.stop - place.start for place in self.source.places]
        return tuple(
            rows_of(
                [delayed(_table)(part, number) for part in self.source.parts],
                lengths,
                len(group),
                tuple(map(str, group)),
            )
            for number, group in enumerate(self.groups)
        )


def rows_of(
    tables: Sequence[Delayed],
    lengths: Sequence[int],
    n_features: int,
    feature_names: tuple[str, ...] | None,
) -> DaskRows:
    """Return the rows of lazy tables of these lengths."""
    size = Data.block_sizes.super_block(sum(lengths), n_features)
    source = SuperBlocks.cut(tables, lengths, size)
    return DaskRows(source, Form(n_features, n_features, feature_names))


def _table(columns: Columns, number: int) -> Table:
    return columns.tables[number]


def _fold_part(
    part: Any,
    place: slice,
    function: Callable[[Any, slice], T],
    add: Callable[[T, T], T],
    n_components: int,
) -> T:
    """Return the sum of a function's results over the blocks of a super-block."""
    results = (
        function(part.take(block), shifted(block, place.start))
        for block in part.blocks(n_components)
    )
    return reduce(add, results)


def _map_part(
    part: Any, place: slice, function: Callable[[Any, slice], Any], n_components: int
) -> Any:
    """Return the results of a function for the blocks of a super-block, end to end."""
    results = [
        function(part.take(block), shifted(block, place.start))
        for block in part.blocks(n_components)
    ]
    return np.concatenate(results)
