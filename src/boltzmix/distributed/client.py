"""The Dask client at work: how much its workers hold, and what its errors mean."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import Any

from dask.base import compute, get_scheduler, persist

POLL = 1.0  # seconds between two looks at the workers
MOST_PAUSED = 30.0  # seconds that all workers may get no tasks because their memory is almost full
LOST = (2, 4)  # as many workers as there are, but from two to four, are lost: that is too many
MUCH = 0.5  # of the memory that a worker may take


def watched_scheduler() -> Callable[..., Any] | None:
    """Return what computes with the active client and watches its workers; None without one."""
    client: Any = getattr(get_scheduler(), "__self__", None)
    if not hasattr(client, "scheduler_info"):
        return None

    def compute(graph: object, keys: object, **options: object) -> Any:
        from distributed import wait
        from distributed.client import futures_of

        found = client.get(graph, keys, **options | {"sync": False})
        futures, watch = futures_of(found), Watch()
        while True:
            try:
                wait(futures, timeout=POLL)
            except TimeoutError:
                if watch.is_too_full(client.scheduler_info(n_workers=-1)["workers"]):
                    client.cancel(futures)
                    raise RuntimeError(out_of_memory(watch.limit)) from None
            else:
                return client.gather(found)

    return compute


class Watch:
    """Remembers which workers have gone since a computation began, and how full they were."""

    def __init__(self) -> None:
        self.limit = 0.0  # of the memory of a worker, in bytes
        self._fullness: dict[str, float] = {}
        self._n_workers, self._n_lost, self._running = 0, 0, monotonic()

    def is_too_full(self, workers: dict[str, Mapping[str, Any]]) -> bool:
        """Look at the workers; return whether their memory does not suffice."""
        self._n_workers = max(self._n_workers, len(workers))
        gone = self._fullness.keys() - workers.keys()
        self._n_lost += sum(self._fullness[one] > MUCH for one in gone)
        self._fullness = {address: _fullness(one) for address, one in workers.items()}
        self.limit = min((_limit(one) for one in workers.values()), default=self.limit)
        if not workers or any(one["status"] != "paused" for one in workers.values()):
            self._running = monotonic()
        is_lost = self._n_lost >= min(max(self._n_workers, LOST[0]), LOST[1])
        return is_lost or monotonic() - self._running > MOST_PAUSED


def out_of_memory(limit: float = 0.0) -> str:
    """Return a sentence that says that workers have too little memory."""
    each = f", each of which may take {limit / 1e6:.0f} MB," if limit else ""
    return (
        f"The workers of the Dask client{each} have too little memory for the blocks of X: give"
        " them more, for example by Client(memory_limit='4GB'), or make X with smaller chunks."
    )


def _limit(worker: Mapping[str, Any]) -> float:
    return float(worker["memory_limit"] or 0)


def _fullness(worker: Mapping[str, Any]) -> float:
    """Return how much of the memory that a worker may take it has taken as it last reported."""
    limit = _limit(worker)
    return float(worker["metrics"].get("memory", 0)) / limit if limit else 0.0


MOST_HELD = 0.3  # of the memory of all workers may be taken by the data of a fit
MISSING = "Missing dependency"  # begins the error of Dask without a client, if results are lost
RESULTS_LOST = ("CancelledError", "ClosedClientError", "FutureCancelledError")  # errors of Dask


def computed(*lazy: object) -> tuple[Any, ...]:
    """Compute lazy values with the active client, or with Dask's threads where there is none."""
    with readable_errors():
        found: tuple[Any, ...] = compute(*lazy, scheduler=watched_scheduler())
    return found


def persisted(*lazy: object) -> tuple[Any, ...]:
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
        if type(error).__name__ not in RESULTS_LOST and not str(error).startswith(MISSING):
            raise
        raise RuntimeError(
            "X holds results of a Dask client that was closed: make X again with an open client,"
            " or without one."
        ) from error
