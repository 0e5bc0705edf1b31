"""Sequences in the order in which kernels process them side by side, and memory for that."""

from collections.abc import Sequence
from itertools import pairwise
from sys import getrefcount
from threading import local
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from .... import kernels
from ....data import FloatArray, IntArray, Sequences, Table
from ...covariance.moments import as_kernel_array

MOST_KEPT = 2**22  # numbers that a thread keeps in memory for its next forward pass
UNUSED = 2  # references to an array that nobody else refers to


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
        """Return sequences in this order, which is kept for as long as they exist."""
        found = _ORDERED.get(data)
        if found is None:
            order = np.argsort(-data.lengths, kind="stable")
            layout = kernels.chains.lay_out(data.ends, order)
            values = as_kernel_array(np.take(data.values, layout.steps, axis=0))
            rows = Table(values, data.feature_names, any_missing=False)
            slots = np.empty(len(values), dtype=np.int64)
            slots[layout.steps] = np.arange(len(values))
            found = _ORDERED[data] = cls(order, layout, slots, rows)
        return found


_ORDERED: WeakKeyDictionary[Sequences, SideBySide] = WeakKeyDictionary()


class _Memory(local):
    """Memory of a thread for its forward pass.

    It is used again for the next one, if nothing refers to it any more: to get memory from the
    system takes longer than to fill it.
    """

    def __init__(self) -> None:
        self.numbers = np.empty(0)

    def take(self, size: int) -> FloatArray:
        """Return an empty array (size,)."""
        if size > MOST_KEPT:
            return np.empty(size)
        if len(self.numbers) < size or getrefcount(self.numbers) > UNUSED:
            self.numbers = np.empty(size)
        return self.numbers[:size]


_MEMORY = _Memory()


def matrix_memory(height: int, width: int) -> tuple[FloatArray, FloatArray]:
    """Return memory as of `matrix_memories` for a matrix, and the matrix itself."""
    size = height * width
    memory = np.empty(size + kernels.chains.PADDING)
    return memory, memory[:size].reshape(height, width)


def matrix_memories(heights: Sequence[int], width: int) -> list[FloatArray]:
    """Return memory for matrices, with numbers after each that kernels may overwrite."""
    sizes = [height * width + kernels.chains.PADDING for height in heights]
    bounds = np.cumsum([0, *sizes])
    memory = _MEMORY.take(bounds[-1])
    return [memory[begin:end] for begin, end in pairwise(bounds)]
