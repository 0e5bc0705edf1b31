"""How kernels are compiled: once, kept on disk, and without the interpreter lock.

Numba compiles a kernel again if its own file has changed, but not if another kernel that it calls
has: delete the `__pycache__` of this folder then.
"""

from collections.abc import Callable
from typing import Any, cast

from numba import njit


def kernel(**options: Any) -> Callable[[Any], Any]:
    """Return a decorator that compiles a function on arrays."""
    options |= {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

    def compiled(function: Any) -> Any:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:  # no folder can be written to
            return njit(**options)(function)

    return compiled


def fast_kernel() -> Callable[[Any], Any]:
    """Return a decorator like `kernel` that lets the compiler reorder sums, to vectorise them."""
    return kernel(fastmath={"reassoc", "contract", "nsz", "arcp"})


def inlined() -> Callable[[Any], Any]:
    """Return a decorator of functions that become a part of the kernels that call them.

    They are compiled with the settings of these kernels, and not on their own. This takes less time
    than a kernel that calls a kernel, if there are few such calls.
    """
    return cast("Callable[[Any], Any]", njit(inline="always"))
