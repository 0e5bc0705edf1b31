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
    """

    start: float
    per_row: float
    per_task: float
    bytes_start: float
    bytes_per_task: float

    def seconds(self, n: int, workers: int, threads: int = 1, network: bool = True) -> float:
        """Return the seconds of an iteration; without a network, on this machine."""
        tasks = count_tasks(n)
        own = self.start + self.per_row * busiest(n, workers * threads) + self.per_task * tasks
        return own + (self.traffic(n) / BANDWIDTH if network else 0.0)

    def traffic(self, n: int) -> float:
        """Return the bytes over the network of an iteration."""
        return self.bytes_start + self.bytes_per_task * count_tasks(n)


def fit_model(rows: Iterable[Row]) -> Model | None:
    """Fit the model to the fits on Dask clusters; return None if there are fewer than three.

    Relative errors are minimised, and no coefficient may be negative. The seconds of empty tasks
    are measurements of c alone.
    """
    rows = [row for row in rows if "empty task" in row]
    if len(rows) < 3:
        return None
    terms = [[1.0, busiest(row["n"], row["workers"]), count_tasks(row["n"])] for row in rows]
    terms += [[0.0, 0.0, 1.0]] * len(rows)
    seconds = [row["seconds"] for row in rows] + [row["empty task"] for row in rows]
    traffic = _least_squares(
        [[1.0, count_tasks(row["n"])] for row in rows], [row["bytes"] for row in rows]
    )
    return Model(*_least_squares(terms, seconds), *traffic)


def _least_squares(terms: list[list[float]], values: list[float]) -> list[float]:
    """Return coefficients that are not negative and minimise the sum of squared relative errors."""
    scale = np.array(values, dtype=float)[:, None]
    weighted = np.array(terms, dtype=float) / scale
    sizes = np.abs(weighted).max(axis=0)
    return (nnls(weighted / sizes, np.ones(len(values)))[0] / sizes).tolist()


def block_rows(n: int) -> int:
    """Return the number of rows that a task summarises."""
    size = BLOCK
    while -(-n // size) > MOST_BLOCKS:
        size *= 2
    return size


def count_tasks(n: int) -> int:
    """Return the number of tasks of an iteration: blocks, and sums of 16 until one is left."""
    left = total = -(-n // block_rows(n))
    while left > 1:
        left = -(-left // FOLD)
        total += left
    return total


def busiest(n: int, threads: int) -> int:
    """Return the number of rows of the thread that has most, where whole blocks are shared out."""
    size = block_rows(n)
    blocks = -(-n // size)
    return min(n, -(-blocks // threads) * size)
