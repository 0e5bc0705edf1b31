"""The Dask client at work: how much its workers hold, and what its errors mean."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dask.base import compute, persist

from .watching import out_of_memory, watched_scheduler

MOST_HELD = 0.3  # of the memory of all workers may be taken by the data of a fit
MISSING = "Missing dependency"  # begins the error of Dask without a client, if results are lost
LOST = ("CancelledError", "ClosedClientError", "FutureCancelledError")  # errors of Dask


def computed(*lazy: Any) -> tuple[Any, ...]:
    """Compute lazy values with the active client, or with Dask's threads where there is none."""
    with readable_errors():
        found: tuple[Any, ...] = compute(*lazy, scheduler=watched_scheduler())
    return found


def persisted(*lazy: Any) -> tuple[Any, ...]:
    """Compute lazy values, and let the workers hold the results."""
    with readable_errors():
        found: tuple[Any, ...] = persist(*lazy)
    return found


def holds(n_bytes: int) -> bool:
    """Return whether the workers of the active client have room for so many bytes.

    Without a client, or with workers of unknown memory, they have none.
    """
    try:
        from distributed import get_client

        workers = get_client().scheduler_info(n_workers=-1)["workers"].values()
    except (ImportError, ValueError):
        return False
    limits = [worker["memory_limit"] or 0 for worker in workers]
    return all(limits) and n_bytes < MOST_HELD * sum(limits)


@contextmanager
def readable_errors() -> Iterator[None]:
    """Raise one sentence where a client was closed, or where a task ended several workers."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            raise RuntimeError(out_of_memory()) from error
        if type(error).__name__ not in LOST and not str(error).startswith(MISSING):
            raise
        raise RuntimeError(
            "X holds results of a Dask client that was closed: make X again with an open client,"
            " or without one."
        ) from error
