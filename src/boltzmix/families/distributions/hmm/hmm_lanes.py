"""Sequences in the order in which kernels process them side by side."""

from typing import Any, NamedTuple

import numpy as np

from .... import kernels
from ....data import IntArray, Sequences, Table
from ...covariance.moments import as_kernel_array


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
