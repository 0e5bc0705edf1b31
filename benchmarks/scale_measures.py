"""What the benchmark `scale` reads from the system: peak memory and traffic. It needs Linux."""

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
    """Notes the time and the traffic at each iteration; `verbose` of a mixture takes it."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.bytes: list[int] = []

    def __call__(self, state: Any) -> None:
        self.times.append(perf_counter())
        self.bytes.append(traffic())

    @property
    def seconds(self) -> float:
        """Seconds per iteration: the slope of the times at which iterations ended."""
        return slope(self.times)

    @property
    def bytes_per_iteration(self) -> float:
        """Bytes over the loopback device per iteration."""
        return slope(self.bytes)


def slope(values: Any) -> float:
    """Return by how much values rise from one to the next, by least squares."""
    return float(np.polyfit(np.arange(len(values)), np.asarray(values, dtype=float), 1)[0])
