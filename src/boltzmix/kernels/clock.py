"""A clock that stands still while kernels are compiled, or loaded if they were compiled before."""

from threading import Lock
from time import perf_counter
from typing import Any

from numba.core import event


class _Compilation(event.Listener):
    """Adds up the seconds in which any thread waits for Numba's compiler."""

    def __init__(self) -> None:
        self.seconds, self._n_waiting, self._began, self._lock = 0.0, 0, 0.0, Lock()

    def on_start(self, event: Any) -> None:
        with self._lock:
            if self._n_waiting == 0:
                self._began = perf_counter()
            self._n_waiting += 1

    def on_end(self, event: Any) -> None:
        with self._lock:
            self._n_waiting -= 1
            if self._n_waiting == 0:
                self.seconds += perf_counter() - self._began


_compilation = _Compilation()
event.register("numba:compiler_lock", _compilation)  # type: ignore[no-untyped-call]


def working_time() -> float:
    """Return seconds since some moment, without those that the compiler took."""
    return perf_counter() - _compilation.seconds
