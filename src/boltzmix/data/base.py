"""The contract of a data set: observations that can be counted and selected."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .magnitudes import NamedColumns

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.integer[Any]]
BoolArray = NDArray[np.bool_]

T = TypeVar("T")


class Data(Protocol):
    """Observations of any kind: rows of a table, sequences, points on curves."""

    @property
    def noun(self) -> str:
        """The plural noun for the observations, such as "rows" or "sequences"."""

    @property
    def in_memory(self) -> bool:
        """Whether all observations are in memory."""

    @property
    def is_table(self) -> bool:
        """Whether observations are rows of a table."""

    @property
    def has_distances(self) -> bool:
        """Whether the vectors of observations are close if these are alike."""

    @property
    def n_features(self) -> int:
        """Number of features of one observation, or of each step of a sequence."""

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of the features, or None if the input had no column names."""

    @property
    def mean_size(self) -> float:
        """Mean number of steps per observation: 1 for rows, the mean length for sequences."""

    @property
    def n_counted(self) -> int:
        """Number of observations that criteria such as BIC count; for sequences, that of steps."""

    def __len__(self) -> int: ...

    def take(self, indices: IntArray | BoolArray | slice) -> Self:
        """Return the observations at `indices`, in that order."""

    def as_vectors(self) -> FloatArray:
        """Return one vector per observation, shape (n, p), for methods that need distances."""

    def as_shapes(self) -> FloatArray | None:
        """Return vectors that trace sequences from beginning to end; None for other data."""

    def count_distinct(self, enough: int) -> int:
        """Count the distinct observations, but stop counting at `enough`."""

    def numbers(self) -> "list[NamedColumns]":
        """Return all numbers in memory, with the names of their columns in messages."""

    def blocks(self, n_components: int) -> list[slice]:
        """Return the slices of the blocks that are processed one at a time.

        They depend on the data and on `n_components` only, so they are the same on every machine.
        """

    def nested_blocks(self, n_components: int) -> list[list[slice]]:
        """Return the slices of blocks, in one list for each super-block."""

    def fold(
        self,
        function: Callable[[Any, slice], T],
        add: Callable[[T, T], T],
        n_components: int = 1,
    ) -> T:
        """Return the sum of a function's results over all blocks, in a fixed order.

        Parameters
        ----------
        function : function of a block and its place among all observations
        add : function of two results
        n_components : int
            For which blocks shall be small enough.
        """
