"""Many sequences side by side, in lanes.

A step of all lanes is one product of small matrices. Where a sequence ends, the next one of its
lane begins. Shapes: ends (N + 1,) of N sequences that lie end to end, order (N,) their numbers from
the longest to the shortest.
"""

from typing import Any, NamedTuple

import numpy as np

from .compile import kernel

LANES = (1, 2, 4, 8, 16, 24, 32)  # possible numbers of lanes
OVERHEAD = 10  # cost of a time step besides its lanes, in units of a lane
GROUP = 2**13  # steps in a group of sequences: they fill all lanes, and fit into the cache
ROOM = 2**21  # numbers that the steps of all lanes may occupy: long sequences get fewer lanes


class Layout(NamedTuple):
    """The lane and the times of every sequence in a group.

    Lanes are ordered from the fullest to the emptiest, sequences by the time of their last step.
    Shapes, for T times, L lanes and m sequences: steps (T, L) the step in each lane at each time,
    active (T,) the number of lanes that hold a step, lane (m,) the lane of each sequence, first and
    last (m,) the times of its first and last step, and which (m,) its number among all sequences.
    """

    steps: Any
    active: Any
    lane: Any
    first: Any
    last: Any
    which: Any


@kernel()
def next_group(ends: Any, order: Any, begin: int, s: int) -> Any:
    """Return the numbers of the next sequences that are processed together, from `begin` on."""
    end, steps = begin, 0
    while end < len(order) and (steps < GROUP or (end - begin < LANES[-1] and steps * s < ROOM)):
        steps += ends[order[end] + 1] - ends[order[end]]
        end += 1
    return order[begin:end]


@kernel()
def lay_out(ends: Any, order: Any) -> Any:
    """Assign every sequence, the longest first, to the lane with the fewest steps so far."""
    m = len(order)
    lengths = ends[order + 1] - ends[order]
    loads = np.zeros(_count_lanes(lengths), dtype=np.int64)
    lane, first, last = np.empty((3, m), dtype=np.int64)
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
    steps = np.empty((loads[fullest[0]], len(loads)), dtype=np.int64)
    active = np.zeros(len(steps), dtype=np.int64)
    for k in range(m):
        lane[k] = rank[lane[k]]
        begin = ends[order[k]] - first[k]
        for t in range(first[k], last[k] + 1):
            steps[t, lane[k]] = begin + t
            active[t] += 1
    by_end = np.argsort(last)
    return Layout(steps, active, lane[by_end], first[by_end], last[by_end], order[by_end])


@kernel()
def _count_lanes(lengths: Any) -> int:
    """Return the cheapest number of lanes for sequences of these lengths, the longest first."""
    best, least = 1, np.inf
    for most in LANES:
        lanes = min(most, len(lengths))
        rounds = -(-len(lengths) // lanes)
        times = max(lengths[0], lengths.sum() / lanes, rounds * lengths[-1])
        price = times * (OVERHEAD + lanes)
        if price < least:
            best, least = lanes, price
    return best
