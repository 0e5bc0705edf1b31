"""How kernels are compiled: once, kept on disk, and without the interpreter lock.

Numba compiles a kernel again if its own file has changed, but not if another kernel that it calls
has: delete the `__pycache__` of this folder then.
"""

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core.compiler_lock import global_compiler_lock

from ..parallel import hold_during_fork

hold_during_fork(global_compiler_lock)


def kernel(**options: Any) -> Callable[[Any], Any]:
    """Return a decorator that compiles a function on arrays."""
    options |= {"nogil": True, "error_model": "numpy"}

    def compiled(function: Any) -> Any:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:  # no folder can be written to
            return njit(**options)(function)

    return compiled


def fast_kernel() -> Callable[[Any], Any]:
    """Return a decorator like `kernel` that lets the compiler reorder sums, to vectorise them."""
    return kernel(fastmath={"reassoc", "contract", "nsz", "arcp"})
