"""The observations that a mixture is learned from."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ...data import Data, FloatArray, IntArray, evenly_spaced


@dataclass(frozen=True)
class TrainingData:
    """Observations, with their sample weights and known labels if there are any.

    Parameters
    ----------
    observations : Data
    sample_weight : array, shape (n,), optional
    known_labels : array of int, shape (n,), optional
        The component of each observation, or -1 where it is not known.
    """

    observations: Data
    sample_weight: FloatArray | None = None
    known_labels: IntArray | None = None
    _blocks: dict[tuple[int, int], "TrainingData"] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __len__(self) -> int:
        return len(self.observations)

    @property
    def total_weight(self) -> float:
        """Sum of the sample weights; the number of observations where there are none."""
        return float(len(self) if self.sample_weight is None else self.sample_weight.sum())

    def take(self, indices: IntArray | slice) -> "TrainingData":
        """Return some of the observations, with their weights and known labels."""
        return TrainingData(
            self.observations.take(indices),
            None if self.sample_weight is None else self.sample_weight[indices],
            None if self.known_labels is None else self.known_labels[indices],
        )

    def in_blocks(self, places: list[slice]) -> "Callable[[slice], TrainingData]":
        """Return a function that returns the observations at one of some places.

        Observations in memory are the same objects in the next call with the same places, so that
        families can keep what they compute from a block alone from one E-step to the next.
        """
        if not self.observations.in_memory:
            return self.take
        wanted = {(place.start, place.stop) for place in places}
        if not self._blocks.keys() <= wanted:
            self._blocks.clear()
        return self._block

    def _block(self, place: slice) -> "TrainingData":
        key = place.start, place.stop
        found = self._blocks.get(key)
        if found is None:
            found = self._blocks.setdefault(key, self.take(place))
        return found

    def thinned(self, most: int) -> "TrainingData":
        """Return at most so many of the observations, evenly spaced and read into memory."""
        if len(self) <= most and self.observations.in_memory:
            return self
        return self.take(evenly_spaced(len(self), most))

    def sample(self, most: int) -> "TrainingData":
        """Return at most so many observations, or all of them if some labels are known.

        Known labels may be few, so that a sample would miss them.
        """
        return self if self.known_labels is not None else self.thinned(most)

    def weighted_sum(self, scores: FloatArray) -> float:
        """Return the sum of one score (n,) per observation, each times its sample weight."""
        return float(scores.sum() if self.sample_weight is None else self.sample_weight @ scores)
