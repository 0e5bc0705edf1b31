"""The contract of a family whose fit needs only sums over the observations."""

from abc import abstractmethod
from operator import add
from typing import Any, Protocol, Self

from ...data import Rng, Weights
from .base import Family


class Statistics(Protocol):
    """What an additive family has to know of some observations to be fitted to them."""

    def __add__(self, other: Self) -> Self: ...

    def __mul__(self, factor: float) -> Self: ...


class AdditiveFamily(Family):
    """A family whose fit needs only sums over the observations.

    Write ``summarise(data, weights)``, ``from_statistics(statistics, rng)`` and ``log_prob``,
    where statistics can be added, and multiplied by a number. For these you get `fit`, weights,
    and learning block by block: no matrix of observations by components is held in memory, data
    may be larger than memory, and `partial_fit` learns from a stream. Where statistics depend on
    the parameters, as those of Baum–Welch do, set ``n_passes`` to the number of times an M-step
    summarises the data.
    """

    weighted = True
    additive = True

    def fit(self, data: Any, *, weights: Weights = None, rng: Rng = None) -> Self:
        """Return a new component fitted to `data`."""
        return self.from_statistics(self.summarise(data, weights), rng)

    def background(self, data: Any, weights: Weights = None, rng: Rng = None) -> Family:
        """Return a component fitted to all the data, block by block."""
        return self.from_statistics(self.summarise_blocks(data, weights), rng)

    @abstractmethod
    def summarise(self, data: Any, weights: Weights = None) -> Statistics:
        """Return the statistics of some observations, which can be added to those of others."""

    @abstractmethod
    def from_statistics(self, statistics: Any, rng: Rng = None) -> Self:
        """Return a new component fitted to the observations behind `statistics`."""

    def summarise_blocks(self, data: Any, weights: Weights = None, *, check: bool = False) -> Any:
        """Return the statistics of all the data, of which one block at a time is in memory.

        Parameters
        ----------
        data : Data
        weights : array, shape (n,), optional
        check : bool
            Whether to `check` each block before it is summarised.
        """

        def summarise(block: Any, place: slice) -> Statistics:
            if check:
                self.check(block, place.start)
            return self.summarise(block, None if weights is None else weights[place])

        return data.fold(summarise, add)
