"""What data that hold other data leave to these."""

from typing import Any

from .base import FloatArray
from .magnitudes import Numbers


class AroundObservations:
    """Data that hold other observations, and add something to them."""

    observations: Any

    @property
    def n_features(self) -> int:
        """Number of features of one observation."""
        return self.observations.n_features

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of the features."""
        return self.observations.feature_names

    @property
    def mean_size(self) -> float:
        """Mean number of steps in an observation."""
        return self.observations.mean_size

    @property
    def n_counted(self) -> int:
        """Number of observations that criteria such as BIC count."""
        return self.observations.n_counted

    @property
    def noun(self) -> str:
        """What the observations are called."""
        return self.observations.noun

    @property
    def has_distances(self) -> bool:
        """Whether the vectors of observations are close if these are alike."""
        return self.observations.has_distances

    def as_vectors(self) -> FloatArray:
        """Return one vector per observation, shape (n, p)."""
        return self.observations.as_vectors()

    def as_shapes(self) -> FloatArray | None:
        """Return vectors that trace sequences from beginning to end; None for other data."""
        return self.observations.as_shapes()

    def numbers(self) -> list[Numbers]:
        """Return all numbers in memory."""
        return self.observations.numbers()

    def count_distinct(self, enough: int) -> int:
        """Count the distinct observations, but stop counting at `enough`."""
        return self.observations.count_distinct(enough)
