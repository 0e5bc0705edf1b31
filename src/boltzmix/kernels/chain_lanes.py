"""Many sequences side by side, in lanes.

A time step is taken in all lanes at once. Where a sequence ends, the next one of its lane begins.
Shapes: ends (N + 1,) of N sequences that lie end to end, order (m,) the numbers of some of them
from the longest to the shortest.
"""

from typing import Any, NamedTuple

import numpy as np

from .compile import kernel, part

LANES = (1, 2, 4, 8, 16, 32)  # possible numbers of lanes
OVERHEAD = 10  # cost of a time step besides its lanes, in units of a lane


class Layout(NamedTuple):
    """The lane and the times of every sequence.

    The steps of all lanes at the first time come first, then those at the second, and so on: this
    is the order of *slots*. Lanes are ordered from the fullest to the emptiest, so those that hold
    a step at some time are the first ones; sequences are ordered by the time of their last step.
    Shapes, for T times, m sequences and n steps of these: steps (n,) the step in each slot, begins
    (T + 1,) the first slot of each time, lane (m,) the lane of each sequence, first and last (m,)
    the times of its first and last step, and which (m,) its number among all sequences.
    """

    steps: Any
    begins: Any
    lane: Any
    first: Any
    last: Any
    which: Any


def lay_out(ends: Any, order: Any) -> Any:
    """Assign every sequence, the longest first, to the lane with the fewest steps so far.

    Kernels call `laid_out`, which is the same.
    """
    n, m = (ends[order + 1] - ends[order]).sum(), len(order)
    steps, begins = np.empty(n, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    lane, first = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    last, which = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    times = fill_layout(ends, order, steps, begins, lane, first, last, which)
    return Layout(steps, begins[: times + 1].copy(), lane, first, last, which)


@kernel()
def fill_layout(
    ends: Any,
    order: Any,
    steps: Any,
    begins: Any,
    lane: Any,
    first: Any,
    last: Any,
    which: Any,
) -> int:
    """Write a layout, whose `begins` are given n + 1 places; return the number of times."""
    m = len(order)
    lengths = ends[order + 1] - ends[order]
    loads = np.zeros(_count_lanes(lengths), dtype=np.int64)
    for k in range(m):
        emptiest = 0
        for other in range(1, len(loads)):
            if loads[other] < loads[emptiest]:
                emptiest = other
        lane[k], first[k] = emptiest, loads[emptiest]
        loads[emptiest] += lengths[k]
        last[k] = loads[emptiest] - 1
    fullest = np.argsort(-loads)
    rank = np.argsort(fullest)
    times = loads[fullest[0]]
    begins[: times + 1] = 0
    for load in loads:
        begins[1 : load + 1] += 1
    for t in range(times):
        begins[t + 1] += begins[t]
    for k in range(m):
        lane[k] = rank[lane[k]]
        begin = ends[order[k]] - first[k]
        for t in range(first[k], last[k] + 1):
            steps[begins[t] + lane[k]] = begin + t
    by_end = np.argsort(last)
    lane[:], first[:], last[:], which[:] = lane[by_end], first[by_end], last[by_end], order[by_end]
    return int(times)


laid_out = part()(lay_out)


@part()
def _count_lanes(lengths: Any) -> int:
    """Return the cheapest number of lanes for sequences of these lengths, the longest first."""
    best, least = 1, np.inf
    if len(lengths) == 0:
        return best
    for most in LANES:
        lanes = min(most, len(lengths))
        rounds = -(-len(lengths) // lanes)
        times = max(lengths[0], lengths.sum() / lanes, rounds * lengths[-1])
        price = times * (OVERHEAD + lanes)
        if price < least:
            best, least = lanes, price
    return best
