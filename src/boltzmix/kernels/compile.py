"""How kernels are compiled: once, kept on disk, free of the interpreter lock."""

from collections.abc import Callable
from typing import Any

from numba import njit


def kernel(**options: Any) -> Callable[[Any], Any]:
    """Return a decorator that compiles a function on arrays."""
    options |= {"nogil": True, "error_model": "numpy"}

    def compiled(function: Any) -> Any:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:  # there is no folder that could keep it
            return njit(**options)(function)

    return compiled


def fast_kernel() -> Callable[[Any], Any]:
    """Return a decorator like `kernel`, whose sums may be reordered to fill the vector unit.

    It is for finite numbers only.
    """
    return kernel(fastmath={"reassoc", "contract", "nsz", "arcp"})
