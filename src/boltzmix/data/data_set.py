"""The contract of a data set: observations that can be counted, selected and summed over blocks."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from .blocks import BlockSizes, add_up_nested, block_slices, shifted

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.integer[Any]]
BoolArray = NDArray[np.bool_]
AnyArray = NDArray[Any]
Indices: TypeAlias = IntArray | BoolArray | slice
Weights: TypeAlias = FloatArray | None  # of observations, shape (n,); None if all are one
Rng: TypeAlias = np.random.Generator | None

T = TypeVar("T")


def derived(function: Callable[[Any], T]) -> T:
    """Make a property that takes the place of an attribute of the base class."""
    return cast(T, property(function))


def derived_once(function: Callable[[Any], T]) -> T:
    """Make a cached property that takes the place of an attribute of the base class."""
    return cast(T, cached_property(function))


class NamedColumns(NamedTuple):
    """Columns of numbers, and how messages call them.

    Parameters
    ----------
    values : array, shape (n, d)
        NaN where a value is missing.
    name : function of the number of a column
    """

    values: FloatArray
    name: Callable[[int], str]


class Data(ABC):
    """Observations of any kind: rows of a table, sequences, points on curves.

    Write ``take``, ``__len__``, ``width``, ``as_vectors`` and ``count_distinct``; for these you get
    blocks, and sums over them.
    """

    noun: ClassVar[str] = "observations"  # what the observations are called
    in_memory: ClassVar[bool] = True
    is_table: ClassVar[bool] = False  # whether observations are rows of a table
    mean_size: ClassVar[float] = 1.0  # mean number of steps per observation
    n_features: int  # of one observation, or of each step of a sequence
    feature_names: tuple[str, ...] | None
    block_sizes: BlockSizes = BlockSizes()

    def in_blocks(self, sizes: BlockSizes) -> Self:
        """Return these observations, processed in blocks of other sizes.

        Observations that are taken from them have blocks of the default sizes again.
        """
        changed = copy(self)
        object.__setattr__(changed, "block_sizes", sizes)
        return changed

    @property
    def has_distances(self) -> bool:
        """Whether the vectors of observations are close if these are alike."""
        return self.is_table

    @property
    def n_counted(self) -> int:
        """Number of observations that criteria such as BIC count; for sequences, that of steps."""
        return len(self)

    @property
    @abstractmethod
    def width(self) -> int:
        """Number of values in an observation; the mean where they differ."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def take(self, indices: Indices) -> Any:
        """Return the observations at `indices`, in that order."""

    @abstractmethod
    def as_vectors(self) -> FloatArray:
        """Return one vector per observation, shape (n, p), for methods that need distances."""

    def as_shapes(self) -> FloatArray | None:
        """Return vectors that trace sequences from beginning to end; None for other data."""
        return None

    @abstractmethod
    def count_distinct(self, enough: int) -> int:
        """Count the distinct observations, but stop counting at `enough`."""

    def numbers(self) -> list[NamedColumns]:
        """Return all numbers in memory, with the names of their columns in messages."""
        return []

    def blocks(self, n_components: int) -> list[slice]:
        """Return the slices of blocks that fit into a core's cache.

        They depend on the data and on `n_components` only, so they are the same on every machine.
        """
        return block_slices(len(self), self.block_sizes.block(self.width, n_components))

    def super_blocks(self) -> list[slice]:
        """Return the slices of super-blocks, which hold about a million values each."""
        return block_slices(len(self), self.block_sizes.super_block(len(self), self.width))

    def blocks_within(self, place: slice, n_components: int) -> list[slice]:
        """Return the slices of the blocks of a super-block, counted from its first observation."""
        size = self.block_sizes.block(self.width, n_components)
        return block_slices(place.stop - place.start, size)

    def nested_blocks(self, n_components: int) -> list[list[slice]]:
        """Return the slices of all blocks, in one list for each super-block."""
        return [
            [shifted(block, place.start) for block in self.blocks_within(place, n_components)]
            for place in self.super_blocks()
        ]

    def fold(
        self, function: Callable[[Any, slice], T], add: Callable[[T, T], T], n_components: int = 1
    ) -> T:
        """Return the sum of a function's results over all blocks, in a fixed order.

        Parameters
        ----------
        function : function of a block and its place among all observations
        add : function of two results
        n_components : int
            For which blocks shall be small enough.
        """
        nested = self.nested_blocks(n_components)
        results = (function(self.take(place), place) for place in chain(*nested))
        return add_up_nested(nested, results, add)


class Remote(Data):
    """Observations of which only a sample, or sums over all of them, are ever held here.

    A subclass computes `fold` where the observations are, super-block by super-block, and `take`
    brings some of them here. Functions that are passed to it may run in another process.
    """

    in_memory = False

    def kept(self) -> Self:
        """Return these observations, held in memory where they are, if there is room."""
        return self

    @abstractmethod
    def for_each(
        self, function: Callable[[Any, slice], Any], n_components: int, result: AnyArray
    ) -> Any:
        """Return the results of a function for all blocks, end to end, as a lazy collection.

        Parameters
        ----------
        function : function of a block and its place, returning one entry for each observation
        n_components : int
            For which blocks shall be small enough.
        result : array
            The results for no observation: its type, and its shape but for the first axis.
        """
