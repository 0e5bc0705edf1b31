"""What the benchmark `scale` reads from the system: peak memory and traffic. It needs Linux."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

LOOPBACK = "lo:"


def peak_memory(process: int | str = "self") -> int:
    """Return the largest resident memory that a process has had, in bytes (VmHWM)."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("/proc does not have VmHWM: the benchmark `scale` needs Linux.")


def traffic() -> int:
    """Return the number of bytes that were sent over the loopback device so far."""
    for line in Path("/proc/net/dev").read_text().splitlines():
        if line.strip().startswith(LOOPBACK):
            return int(line.split(":")[1].split()[0])
    raise RuntimeError("/proc/net/dev has no loopback device: the benchmark `scale` needs Linux.")


class Clock:
    """Notes time, traffic and tasks at each iteration; `verbose` of a mixture takes it.

    What counting the tasks takes is left out of time and traffic.

    Parameters
    ----------
    count_tasks : function, optional
        Returns the number of tasks that were run so far.
    """

    def __init__(self, count_tasks: Callable[[], int] = lambda: 0) -> None:
        self._count_tasks = count_tasks
        self._lost_time, self._lost_bytes = 0.0, 0
        self.times: list[float] = []
        self.bytes: list[int] = []
        self.tasks: list[int] = []

    def __call__(self, state: Any) -> None:
        time, sent = perf_counter(), traffic()
        self.times.append(time - self._lost_time)
        self.bytes.append(sent - self._lost_bytes)
        self.tasks.append(self._count_tasks())
        self._lost_time += perf_counter() - time
        self._lost_bytes += traffic() - sent

    @property
    def per_iteration(self) -> dict[str, float]:
        """Seconds, bytes over the loopback device and tasks per iteration, as slopes."""
        return {
            "seconds": slope(self.times),
            "bytes": slope(self.bytes),
            "tasks": slope(self.tasks),
        }


def slope(values: Any) -> float:
    """Return by how much values rise from one to the next, by least squares."""
    return float(np.polyfit(np.arange(len(values)), np.asarray(values, dtype=float), 1)[0])
