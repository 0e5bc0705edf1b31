"""How kernels are compiled: once, kept on disk, and without the interpreter lock.

The logger `boltzmix.kernels` says once in a process that kernels are compiled, because that takes
seconds. It names each of them at level DEBUG.
"""

import logging
from collections.abc import Callable
from typing import Any, cast

from numba import njit

from ..parallel import hold_during_fork
from .disk import KernelCache
from .private_numba import (
    COMPILATION,
    WITHOUT_ALLOCATION,
    Listener,
    compiled_by,
    compiler_lock,
    keep_in,
    listen,
)

LOGGER = logging.getLogger("boltzmix.kernels")
ONCE = "Compiling kernels, once on this machine…"
EVERY_TIME = (
    "Compiling kernels, which will be repeated in every process: they cannot be kept, because the"
    " folder of boltzmix and that of the user's caches cannot be written to. Set NUMBA_CACHE_DIR"
    " to a folder that can."
)

hold_during_fork(compiler_lock)


def kernel(*, allocates: bool = True, **options: Any) -> Callable[[Any], Any]:
    """Return a decorator that compiles a function on arrays, which Python can call.

    It writes into arrays that it is given, and returns nothing or one number: an exception that is
    raised while Numba makes Python objects of other results, such as that of Ctrl-C, ends the
    process.

    A function that makes no arrays takes about a fifth less time to compile if it says so by
    ``allocates=False``: the compiler then counts no references.
    """
    options |= {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    if not allocates:
        options |= WITHOUT_ALLOCATION

    def compiled(function: Any) -> Any:
        found = njit(**options)(function)
        try:
            keep_in(KernelCache(function), found)
        except RuntimeError:  # no folder can be written to
            NOTICE.text = EVERY_TIME
        return found

    return compiled


def fast_kernel(*, allocates: bool = True) -> Callable[[Any], Any]:
    """Return a decorator like `kernel` that lets the compiler reorder sums, to vectorise them."""
    return kernel(allocates=allocates, fastmath={"reassoc", "contract", "nsz", "arcp"})


def part(**options: Any) -> Callable[[Any], Any]:
    """Return a decorator of functions that only kernels call; they may return anything."""
    return kernel(no_cpython_wrapper=True, **options)


def fast_part() -> Callable[[Any], Any]:
    """Return a decorator like `part` that lets the compiler reorder sums, to vectorise them."""
    return part(fastmath={"reassoc", "contract", "nsz", "arcp"})


def inlined() -> Callable[[Any], Any]:
    """Return a decorator of functions that become a part of the kernels that call them.

    They are compiled with the settings of these kernels, and not on their own. This takes less time
    than a kernel that calls a kernel, if there are few such calls.
    """
    return cast("Callable[[Any], Any]", njit(inline="always"))


class Notice(Listener):
    """Logs that kernels are compiled; it hears nothing of those that are loaded from disk."""

    text = ONCE
    is_said = False

    def on_start(self, event: Any) -> None:
        """Log the beginning of a compilation."""
        function, arguments = compiled_by(event)
        if not function.__module__.startswith("boltzmix."):
            return
        if not self.is_said:
            LOGGER.warning(self.text)
            self.is_said = True
        LOGGER.debug("%s.%s%s", function.__module__, function.__name__, arguments)

    def on_end(self, event: Any) -> None:
        """Do nothing."""


NOTICE = Notice()
listen(COMPILATION, NOTICE)
