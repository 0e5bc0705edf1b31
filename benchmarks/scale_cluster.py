"""A Dask cluster on this machine: the scheduler and each worker are processes of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from .scale_measures import peak_memory

ROOT = Path(__file__).parents[1]
MEMORY = "1GB"  # of a worker, above which Dask pauses it
EMPTY_TASKS = 2_000


@contextmanager
def cluster(workers: int) -> Iterator[Any]:
    """Start a scheduler and workers of one thread each; yield a client, which is the active one."""
    from distributed import Client

    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        file = Path(folder) / "scheduler.json"
        shared = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--no-dashboard"]
        stack.enter_context(_process("scheduler", "--port", "0", *shared))
        for number in range(workers):
            own = ["--nthreads", "1", "--memory-limit", MEMORY, "--no-nanny", "--name", str(number)]
            stack.enter_context(_process("worker", *shared, *own, "--local-directory", folder))
        client = stack.enter_context(Client(scheduler_file=str(file)))
        client.wait_for_workers(workers)
        yield client


@contextmanager
def _process(*command: str) -> Iterator[None]:
    """Run a command of Dask, and end it at once: a worker that is asked to end may wait."""
    started = subprocess.Popen(
        [sys.executable, "-m", "dask", *command], cwd=ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    try:
        yield
    finally:
        started.kill()
        started.wait()


def peaks(client: Any) -> dict[str, int]:
    """Return the peak memory of the scheduler, of the largest worker, and of this process."""
    return {
        "worker": max(client.run(peak_memory).values()),
        "scheduler": client.run_on_scheduler(peak_memory),
        "client": peak_memory(),
    }


def count_tasks(client: Any) -> int:
    """Return the number of tasks that the workers have run so far."""
    return sum(client.run(_executed).values())


def _executed(dask_worker: Any) -> int:
    return int(dask_worker.state.executed_count)


def time_empty_tasks(client: Any) -> float:
    """Return the seconds that the scheduler takes for a task that does nothing."""
    client.gather(client.map(_nothing, range(100), pure=False))
    started = perf_counter()
    client.gather(client.map(_nothing, range(EMPTY_TASKS), pure=False))
    return (perf_counter() - started) / EMPTY_TASKS


def _nothing(number: int) -> int:
    return number
