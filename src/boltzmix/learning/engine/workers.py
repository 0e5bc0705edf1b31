"""Threads that work on blocks of observations."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cached_property, partial
from itertools import chain
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from ...data import Data, Remote, add_up_nested
from ...families.contract.base import Family
from ...families.contract.threads import limit_threads
from ...interrupts import Uninterrupted
from ...parallel import is_forked, one_openmp_thread, one_thread_per_product, thread_pool
from .training_data import TrainingData

T = TypeVar("T")


class Evaluated(Protocol):
    """A mixture or a bank of components, which is evaluated on blocks of observations."""

    @property
    def family(self) -> Family:
        """One of the components."""

    @property
    def n_columns(self) -> int:
        """Numbers that are computed for each row or step, for which blocks must have room."""


class Workers:
    """A number of threads, started when there is more than one block to work on.

    Results come in the order of the blocks, whatever the number of threads; and matrix products
    and K-means use one thread, so that they too are the same for any number.

    Parameters
    ----------
    n_threads : int
        Number of threads.
    threaded_kmeans : bool, default=False
        Whether K-means uses all threads that OpenMP has; never in a forked process, where that
        could wait forever.
    """

    def __init__(self, n_threads: int = 1, threaded_kmeans: bool = False) -> None:
        self.n_threads = n_threads
        self.threaded_kmeans = threaded_kmeans

    def __enter__(self) -> Self:
        self._limits = ExitStack()
        self._limits.enter_context(one_thread_per_product())
        if not self.threaded_kmeans or is_forked():
            self._limits.enter_context(one_openmp_thread())
        self._limits.enter_context(limit_threads(self.n_threads))
        return self

    def __exit__(self, *_: object) -> None:
        with Uninterrupted():
            if "_pool" in self.__dict__:
                self._pool.shutdown(wait=False, cancel_futures=True)
            self._limits.close()
        if "_pool" in self.__dict__:
            self._pool.shutdown()

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return thread_pool(self.n_threads)

    def fold(
        self,
        function: Callable[[TrainingData, slice], T],
        data: TrainingData,
        evaluated: Evaluated,
        add: Callable[[T, T], T],
    ) -> T:
        """Return the sum of a function's results over all blocks, in a fixed order.

        A family that is not additive sees all observations as one block. Remote data are summed up
        where they are.

        Parameters
        ----------
        function : function of a block and its place among all observations
        data : TrainingData
        evaluated : Evaluated
            The mixture that is evaluated on the blocks.
        add : function of two results
        """
        observations = data.observations
        if isinstance(observations, Remote):
            return observations.fold(partial(_on_observations, function), add, evaluated.n_columns)
        nested = self._nested(observations, evaluated)
        places = [*chain(*nested)]
        block = data.in_blocks(places)
        results = self._each(lambda place: function(block(place), place), places)
        return add_up_nested(nested, results, add)

    def map(
        self, function: Callable[[Any, slice], T], data: Data, evaluated: Evaluated
    ) -> Iterable[T]:
        """Yield the results of a function of each block and its place, in order."""
        places = [*chain(*self._nested(data, evaluated))]
        return self._each(lambda place: function(data.take(place), place), places)

    @staticmethod
    def _nested(data: Data, evaluated: Evaluated) -> list[list[slice]]:
        if not evaluated.family.additive:
            return [[slice(0, len(data))]]
        return data.nested_blocks(evaluated.n_columns)

    def _each(self, function: Callable[[slice], T], places: list[slice]) -> Iterable[T]:
        if self.n_threads == 1 or len(places) == 1:
            return map(partial(_without_overflow, function), places)
        return self._pool.map(partial(_without_overflow, function), places)


def _without_overflow(function: Callable[[slice], T], place: slice) -> T:
    """Call a function without warnings of log densities that overflow to minus infinity."""
    with np.errstate(over="ignore", under="ignore"):
        return function(place)


def _on_observations(function: Callable[[TrainingData, slice], T], block: Data, place: slice) -> T:
    """Call a function of training data with observations, in a task that has one thread."""
    with Workers(1):
        return function(TrainingData(block), place)
