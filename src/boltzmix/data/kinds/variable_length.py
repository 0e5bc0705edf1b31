"""Observations of different lengths, which lie end to end in one array."""

import numpy as np

from ..data_set import Data, FloatArray, IntArray, derived


class VariableLength(Data):
    """Observations that have several steps each, and not all as many.

    Subclasses are frozen dataclasses with the fields annotated here.

    Parameters
    ----------
    values : array, shape (total number of steps, d)
    ends : array of int, shape (n + 1,)
        Where observations begin and end: observation i is ``values[ends[i]:ends[i + 1]]``.
    """

    values: FloatArray
    ends: IntArray

    @derived
    def n_features(self) -> int:
        """Number of features at each step."""
        return self.values.shape[1]

    @derived
    def mean_size(self) -> float:
        """Mean number of steps of an observation; at least one."""
        return max(len(self.values) / max(len(self), 1), 1.0)

    @property
    def lengths(self) -> IntArray:
        """Number of steps of each observation, shape (n,)."""
        return np.diff(self.ends)

    @property
    def has_distances(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self.ends) - 1

    def blocks_within(self, place: slice, n_components: int) -> list[slice]:
        blocks: list[slice] = self.take(place).blocks(n_components)
        return blocks
