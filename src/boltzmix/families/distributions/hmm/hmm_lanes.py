"""Sequences in the order in which kernels process them side by side, and memory for that."""

from collections.abc import Sequence
from itertools import pairwise
from threading import local
from typing import Any, NamedTuple

import numpy as np

from .... import kernels
from ....data import FloatArray, IntArray, Sequences, Table
from ...covariance.moments import as_kernel_array

MOST_KEPT = 2**22  # numbers that a thread keeps in memory for its next forward pass


class SideBySide(NamedTuple):
    """Sequences in the order in which kernels process their steps.

    Parameters
    ----------
    order : array of int, shape (N,)
        The numbers of the sequences from the longest to the shortest.
    layout : kernels.chain_lanes.Layout
        The order of the steps.
    slots : array of int, shape (n,)
        The place of each step in this order.
    rows : Table
        The steps in this order.
    """

    order: IntArray
    layout: Any
    slots: IntArray
    rows: Table

    @classmethod
    def of(cls, data: Sequences) -> "SideBySide":
        """Return sequences in this order, which they keep."""
        return data.derived(cls._of)

    @classmethod
    def _of(cls, data: Sequences) -> "SideBySide":
        order = np.argsort(-data.lengths, kind="stable")
        layout = kernels.chains.lay_out(data.ends, order)
        values = as_kernel_array(np.take(data.values, layout.steps, axis=0))
        rows = Table(values, data.feature_names, any_missing=False)
        slots = np.empty(len(values), dtype=np.int64)
        slots[layout.steps] = np.arange(len(values))
        return cls(order, layout, slots, rows)


class _Memory(local):
    """Memory of a thread that its next forward pass may use again.

    To get memory from the system takes longer than to fill it.
    """

    def __init__(self) -> None:
        self.free: FloatArray = np.empty(0)

    def take(self, size: int) -> FloatArray:
        """Return an array of at least this size, which nobody else uses."""
        found, self.free = self.free, np.empty(0)
        return found if len(found) >= size else np.empty(size)

    def give_back(self, numbers: FloatArray) -> None:
        """Keep memory that is not used any more, if it is more than what is kept."""
        if len(self.free) < len(numbers) <= MOST_KEPT:
            self.free = numbers


_MEMORY = _Memory()


def matrix_memory(height: int, width: int) -> tuple[FloatArray, FloatArray]:
    """Return memory as of `matrix_memories` for a matrix, and the matrix itself."""
    size = height * width
    memory = np.empty(size + kernels.chains.PADDING)
    return memory, memory[:size].reshape(height, width)


class MatrixMemories:
    """Memory for matrices, with numbers after each that kernels may overwrite.

    A later one in the same thread may use the memory again, once this object is gone.

    Parameters
    ----------
    heights : sequence of int
    width : int
    """

    _memory: FloatArray = np.empty(0)

    def __init__(self, heights: Sequence[int], width: int) -> None:
        sizes = [height * width + kernels.chains.PADDING for height in heights]
        bounds = np.cumsum([0, *sizes])
        self._memory = _MEMORY.take(bounds[-1])
        self._places = [slice(*pair) for pair in pairwise(bounds)]

    def __getitem__(self, k: int) -> FloatArray:
        return self._memory[self._places[k]]

    def __del__(self) -> None:
        _MEMORY.give_back(self._memory)
