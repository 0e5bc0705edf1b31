"""The contract of a data set: observations that can be counted and picked."""

from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.integer[Any]]
BoolArray = NDArray[np.bool_]


class Data(Protocol):
    """Observations of any kind: rows of a table, sequences, points on curves."""

    @property
    def n_features(self) -> int:
        """How many values describe one observation (or one step of it)."""

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of the columns, where the input had them."""

    @property
    def mean_size(self) -> float:
        """How much there is to an observation: 1 for a row, its mean length for a sequence."""

    def __len__(self) -> int: ...

    def take(self, indices: IntArray | BoolArray | slice) -> Self:
        """Return the observations at `indices`, in that order."""

    def as_vectors(self) -> FloatArray:
        """Return one vector per observation, for whatever needs distances."""

    def count_distinct(self, enough: int) -> int:
        """Count the distinct observations, but stop counting at `enough`."""

    def blocks(self, n_components: int) -> list[slice]:
        """Return the places of blocks worked on one at a time, the same on every machine."""
