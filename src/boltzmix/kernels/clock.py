"""A clock and an interrupt that wait while kernels are compiled or loaded.

A clock stands still. And Ctrl-C waits: it would leave the compiler, which calls Python from C, in
the middle of its work.
"""

from threading import Lock, current_thread, main_thread
from time import perf_counter
from typing import Any

from ..interrupts import Uninterrupted
from .private_numba import WAITING, Listener, listen


class _Compilation(Listener):  # type: ignore[misc]
    """Adds up the seconds in which any thread waits for Numba's compiler."""

    def __init__(self) -> None:
        self.seconds, self._n_waiting, self._began, self._lock = 0.0, 0, 0.0, Lock()
        self._interrupts, self._depth = Uninterrupted(), 0  # of the main thread

    def on_start(self, event: Any) -> None:
        if current_thread() is main_thread():
            if self._depth == 0:
                self._interrupts.__enter__()
            self._depth += 1
        with self._lock:
            if self._n_waiting == 0:
                self._began = perf_counter()
            self._n_waiting += 1

    def on_end(self, event: Any) -> None:
        with self._lock:
            self._n_waiting -= 1
            if self._n_waiting == 0:
                self.seconds += perf_counter() - self._began
        if current_thread() is main_thread():
            self._depth -= 1
            if self._depth == 0:
                self._interrupts.__exit__()


_compilation = _Compilation()
listen(WAITING, _compilation)


def working_time() -> float:
    """Return seconds since some moment, without those that the compiler took."""
    return perf_counter() - _compilation.seconds
