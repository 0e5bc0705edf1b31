"""A model of the seconds of an iteration on a cluster, fitted to what was measured on two cores.

seconds = a + b × rows of the busiest thread + c × tasks + bytes / bandwidth
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import nnls

BLOCK, MOST_BLOCKS = 2**17, 4_096  # rows that a task summarises, doubled until there are so few
FOLD = 16  # statistics that a task adds up
BANDWIDTH = 1.25e8  # bytes per second of a network of 1 Gbit/s; it is assumed, not measured

Row = dict[str, Any]


@dataclass(frozen=True)
class Model:
    """The fitted model.

    Parameters
    ----------
    start : float
        Seconds of an iteration without rows.
    per_row : float
        Seconds per row of a thread.
    per_task : float
        Seconds of the scheduler per task.
    bytes_start, bytes_per_task : float
        The traffic of an iteration is the first plus the second times the number of tasks.
    tasks_per_block : float
        Tasks that read and summarise a block.
    """

    start: float
    per_row: float
    per_task: float
    bytes_start: float
    bytes_per_task: float
    tasks_per_block: float

    def seconds(self, n: int, workers: int, network: bool = True) -> float:
        """Return the seconds of an iteration on workers of one thread each.

        Without a network, they are on this machine.
        """
        own = self.start + self.per_row * busiest(n, workers) + self.per_task * self.tasks(n)
        return own + (self.traffic(n) / BANDWIDTH if network else 0.0)

    def tasks(self, n: int) -> float:
        """Return the number of tasks of an iteration."""
        return self.tasks_per_block * count_blocks(n) + count_sums(n)

    def traffic(self, n: int) -> float:
        """Return the bytes over the network of an iteration."""
        return self.bytes_start + self.bytes_per_task * self.tasks(n)


def fit_model(rows: Iterable[Row]) -> Model | None:
    """Fit the model to the fits on Dask clusters; return None if there are fewer than three.

    Relative errors are minimised, and no coefficient may be negative. The seconds of empty tasks
    are measurements of c alone. The tasks per block are those of the largest number of rows.
    """
    rows = list(rows)
    if len(rows) < 3:
        return None
    terms = [[1.0, busiest(row["n"], row["workers"]), row["tasks"]] for row in rows]
    terms += [[0.0, 0.0, 1.0]] * len(rows)
    seconds = [row["seconds"] for row in rows] + [row["empty task"] for row in rows]
    traffic = _least_squares([[1.0, row["tasks"]] for row in rows], [row["bytes"] for row in rows])
    last = max(rows, key=lambda row: row["n"])
    per_block = (last["tasks"] - count_sums(last["n"])) / count_blocks(last["n"])
    start, per_row, per_task = _least_squares(terms, seconds)
    return Model(start, per_row, per_task, traffic[0], traffic[1], per_block)


def _least_squares(terms: list[list[float]], values: list[float]) -> list[float]:
    """Return coefficients that are not negative and minimise the sum of squared relative errors."""
    weighted = np.array(terms, dtype=float) / np.array(values, dtype=float)[:, None]
    sizes = np.abs(weighted).max(axis=0)
    return (nnls(weighted / sizes, np.ones(len(values)))[0] / sizes).tolist()


def block_rows(n: int) -> int:
    """Return the number of rows of a block, which one task summarises."""
    size = BLOCK
    while -(-n // size) > MOST_BLOCKS:
        size *= 2
    return size


def count_blocks(n: int) -> int:
    """Return the number of blocks."""
    return -(-n // block_rows(n))


def count_sums(n: int) -> int:
    """Return the number of tasks that add up statistics, 16 at a time, until one is left."""
    left, total = count_blocks(n), 0
    while left > 1:
        left = -(-left // FOLD)
        total += left
    return total


def busiest(n: int, threads: int) -> int:
    """Return the number of rows of the thread that has most, where whole blocks are shared out."""
    return min(n, -(-count_blocks(n) // threads) * block_rows(n))
