"""Threads of this package and of the libraries it calls, and processes that are forked meanwhile.

A forked child has a copy of every lock, but of its parent's threads only the one that forked. A
lock that another thread held at that moment would never be released in the child. So a fork waits
until no thread holds a lock of `hold_during_fork`, and other locks are made anew in the child.
"""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, cached_property
from threading import Lock, RLock
from types import SimpleNamespace
from typing import Any

import scipy.linalg  # noqa: F401 - loads a library for matrix products
from threadpoolctl import ThreadpoolController

from .interrupts import Uninterrupted


@contextmanager
def one_thread_per_product() -> Iterator[None]:
    """Keep matrix products on one thread while any fit, in any thread, is running."""
    is_counted = False
    try:
        with Uninterrupted(), _FITS.lock:
            if _FITS.n_running == 0:
                _FITS.limits = _libraries().limit(limits=1, user_api="blas")
            _FITS.n_running += 1
            is_counted = True
        yield
    finally:
        if is_counted:
            with Uninterrupted(), _FITS.lock:
                _FITS.n_running -= 1
                if _FITS.n_running == 0:
                    _FITS.limits.restore_original_limits()


@contextmanager
def one_openmp_thread() -> Iterator[None]:
    """Keep OpenMP, which K-means uses, on one thread when it is called from this thread.

    K-means adds up in another order for any other number of threads. And OpenMP waits forever in a
    forked child for threads that its parent had.
    """
    with _libraries().limit(limits=1, user_api="openmp"):
        yield


def thread_pool(n_threads: int, prepare: Callable[[], Any] | None = None) -> ThreadPoolExecutor:
    """Return a pool of threads, each of which keeps OpenMP on one thread.

    Parameters
    ----------
    n_threads : int
    prepare : function, optional
        Called in each thread before anything else.
    """

    def begin() -> None:
        _libraries().limit(limits=1, user_api="openmp")
        if prepare is not None:
            prepare()

    return _Threads(n_threads, initializer=begin)


class _Threads(ThreadPoolExecutor):
    """Threads that do not begin what is left to do if an error, such as that of Ctrl-C, ends it."""

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        with Uninterrupted():
            self.shutdown(wait=False, cancel_futures=error is not None)
        self.shutdown()


def is_forked() -> bool:
    """Return whether this process was forked after this package had been imported."""
    return _PROCESS.is_forked


def hold_during_fork(lock: Any) -> None:
    """Let no process fork while another thread holds a lock, which the child then finds free.

    A thread that holds one of these locks may wait only for locks that are added later.
    """
    _PROCESS.locks.append(lock)


@cache
def _libraries() -> Any:
    """Return the libraries for matrix products and OpenMP that are loaded."""
    return ThreadpoolController()


def _before_fork() -> None:
    """Wait for all locks, with those that are added meanwhile."""
    for lock in _PROCESS.locks:
        lock.acquire()
        _PROCESS.held.append(lock)


def _after_fork() -> None:
    while _PROCESS.held:
        _PROCESS.held.pop().release()


def _begin_child() -> None:
    """Forget the fits that run in the parent, and make the locks of cached properties anew.

    Up to Python 3.11, such a property has a lock that a thread holds while it computes the value.
    """
    _after_fork()
    _PROCESS.is_forked = True
    if _FITS.n_running:
        _FITS.n_running = 0
        _FITS.limits.restore_original_limits()
    if sys.version_info < (3, 12):
        for found in _cached_properties():
            found.lock = RLock()


def _cached_properties() -> Iterator[Any]:
    """Yield the cached properties of all classes of this package."""
    own = (module for name, module in sys.modules.items() if name.startswith("boltzmix."))
    for module in list(own):
        for kind in list(vars(module).values()):
            if isinstance(kind, type):
                yield from (one for one in vars(kind).values() if isinstance(one, cached_property))


_FITS = SimpleNamespace(lock=Lock(), n_running=0, limits=None)
_PROCESS = SimpleNamespace(is_forked=False, locks=[_FITS.lock], held=[])
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork, after_in_child=_begin_child
    )
