"""Blocks of observations that are processed one at a time, and sums over them in a fixed order.

A block fits into a core's cache. A super-block holds several blocks. The results of its blocks are
added up first, then those of super-blocks, in groups of sixteen. So a sum is the same to the last
bit in one thread, in several, and on a cluster, where a task works on one super-block.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

MOST_TASKS = 2**12  # super-blocks, so that a scheduler has little to do
FAN_IN = 16  # results that are added up in one step


@dataclass(frozen=True)
class BlockSizes:
    """How large blocks and super-blocks are.

    Parameters
    ----------
    smallest, largest : int
        Observations per block.
    numbers : int
        Numbers in the rows and the log-likelihoods of a block, so that a core's cache holds them.
    numbers_of_task : int
        Numbers in the rows of a super-block, so that it is enough work for a task.
    """

    smallest: int = 2**10
    largest: int = 2**16
    numbers: int = 2**18
    numbers_of_task: int = 2**20

    def block(self, width: int, n_components: int) -> int:
        """Return the number of observations per block: a power of two that fits the cache.

        It depends on nothing else, so that sums are made in the same order on every machine.
        """
        rows = self.numbers // (width + n_components)
        return max(self.smallest, min(self.largest, _power_of_two(rows)))

    def super_block(self, n: int, width: int, least: int | None = None) -> int:
        """Return the number of observations per super-block: a power of two, at least a block.

        Parameters
        ----------
        n : int
            Number of all observations.
        width : int
            Number of values in an observation.
        least : int, optional
            Least number of observations in a super-block.
        """
        least = self.smallest if least is None else least
        size = max(least, _power_of_two(self.numbers_of_task // max(width, 1)))
        while size * MOST_TASKS < n:
            size *= 2
        return size


def block_slices(n: int, size: int) -> list[slice]:
    """Return the slices of n observations, in order, that hold `size` of them each."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def shifted(place: slice, first: int) -> slice:
    """Return a slice that begins a number of observations later."""
    return slice(place.start + first, place.stop + first)


def groups_of(items: Iterable[T], size: int) -> Iterable[list[T]]:
    """Yield items in lists of the given size."""
    rest = iter(items)
    while group := list(islice(rest, size)):
        yield group


def add_up(results: Iterable[T], add: Callable[[T, T], T]) -> T:
    """Return the sum of the results of super-blocks: of groups of sixteen, then of these."""
    sums = [reduce(add, group) for group in groups_of(results, FAN_IN)]
    return sums[0] if len(sums) == 1 else add_up(sums, add)


def add_up_nested(nested: list[list[slice]], results: Iterable[T], add: Callable[[T, T], T]) -> T:
    """Return the sum of the results of all blocks, which come in order."""
    rest = iter(results)
    return add_up((reduce(add, islice(rest, len(blocks))) for blocks in nested), add)


def _power_of_two(number: int) -> int:
    """Return the largest power of two that is not above a number; at least one."""
    return 1 << max(number, 1).bit_length() - 1
