"""The component that each observation is assigned to, and how certain that is."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from ..data import FloatArray, IntArray
from ..fitted import FittedMixture
from ..pictures import sample_of_groups

N_BINS = 20
UNSURE = 0.8  # an assignment of lower probability counts as unsure


@dataclass(frozen=True)
class Assignments:
    """The most probable component of each observation.

    Parameters
    ----------
    labels : array of int, shape (n,)
        -1 for noise.
    certainty : array, shape (n,)
        The probability of the most probable component.
    groups : tuple of int
        All components, and -1 last if there is noise.
    """

    labels: IntArray
    certainty: FloatArray
    groups: tuple[int, ...]

    @classmethod
    def of(cls, model: FittedMixture, probabilities: FloatArray) -> Self:
        """Assign observations with these probabilities (n, K) by a fitted model."""
        n_components = len(model.components_)
        best = probabilities.argmax(axis=1)
        groups = [*range(n_components), *([-1] if probabilities.shape[1] > n_components else [])]
        return cls(np.asarray(groups)[best], probabilities.max(axis=1), tuple(groups))

    @cached_property
    def places(self) -> IntArray:
        """The index of each observation's group, shape (n,)."""
        return np.where(self.labels < 0, len(self.groups) - 1, self.labels)

    @cached_property
    def sizes(self) -> IntArray:
        """Number of observations of each group."""
        return np.bincount(self.places, minlength=len(self.groups))

    @property
    def mean_certainty(self) -> FloatArray:
        """The mean certainty of each group; NaN where it has no observations."""
        sums = np.bincount(self.places, self.certainty, len(self.groups))
        return np.where(self.sizes > 0, sums / np.maximum(self.sizes, 1), np.nan)

    @property
    def n_unsure(self) -> IntArray:
        """Number of unsure assignments of each group."""
        return np.bincount(self.places[self.certainty < UNSURE], minlength=len(self.groups))

    @property
    def histogram(self) -> IntArray:
        """Counts of certainties in bins from zero to one, shape (groups, bins)."""
        return count(self.places, len(self.groups), bins_of(self.certainty, N_BINS), N_BINS)

    def sample(self) -> IntArray:
        """Return the indices of the observations that are drawn, with many of small groups."""
        return sample_of_groups(self.places, len(self.groups))


def bins_of(fractions: FloatArray, n_bins: int) -> IntArray:
    """Return the bin of each fraction between zero and one."""
    return np.minimum((fractions * n_bins).astype(int), n_bins - 1)


def count(rows: IntArray, n_rows: int, columns: IntArray, n_columns: int) -> IntArray:
    """Count pairs, shape (n_rows, n_columns)."""
    counts = np.bincount(rows * n_columns + columns, minlength=n_rows * n_columns)
    return counts.reshape(n_rows, n_columns)
