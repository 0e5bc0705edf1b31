"""How many threads families may use.

A family that works on blocks of observations in threads asks here for them, so that the ``n_jobs``
of a mixture reaches it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from joblib import cpu_count

from ...parallel import thread_pool

_LIMIT: ContextVar[int | None] = ContextVar("boltzmix_thread_limit", default=None)

Map = Callable[..., Iterable[Any]]


@contextmanager
def limit_threads(n_threads: int) -> Iterator[None]:
    """Limit the threads that families use, as long as the context lasts.

    The limit holds for the thread that sets it; threads that `threaded_map` starts may start no
    others.

    Parameters
    ----------
    n_threads : int
        At least one.

    Examples
    --------
    >>> with limit_threads(3):
    ...     allowed_threads()
    3
    """
    before = _LIMIT.get()
    _LIMIT.set(n_threads)
    try:
        yield
    finally:
        _LIMIT.set(before)


def allowed_threads() -> int:
    """Return how many threads a family may use: as many as there are cores, unless limited."""
    limit = _LIMIT.get()
    return int(cpu_count()) if limit is None else limit


@contextmanager
def threaded_map(n_tasks: int) -> Iterator[Map]:
    """Return a function like `map` that makes its calls in at most the allowed threads.

    With one task or one thread, the calls are made in the thread that asks.

    Parameters
    ----------
    n_tasks : int
        Number of calls that are made at a time.

    Examples
    --------
    >>> with threaded_map(3) as map_tasks:
    ...     list(map_tasks(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    n_threads = min(n_tasks, allowed_threads())
    if n_threads <= 1:
        yield map
        return
    with thread_pool(n_threads, partial(_LIMIT.set, 1)) as pool:
        yield pool.map
