"""The only module that uses names of Numba that are not public.

A release of Numba may change them. `tests/kernels/test_private_numba.py` then says which of them
has changed, what it does here, and what to do without it.
"""

from collections.abc import Callable
from typing import Any

from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps

COMPILATION, WAITING = "numba:compile", "numba:compiler_lock"  # events
WITHOUT_ALLOCATION = {"_nrt": False}  # an option of njit: the compiler then counts no references
Listener: Any = event.Listener
compiler_lock: Any = global_compiler_lock
serialised: Callable[[Any], bytes] = dumps


def listen(kind: str, listener: Any) -> None:
    """Let a listener hear of events of a kind."""
    event.register(kind, listener)  # type: ignore[no-untyped-call]


def compiled_by(compilation: Any) -> tuple[Any, Any]:
    """Return the function that is compiled, and the types of its arguments, of such an event."""
    return compilation.data["dispatcher"].py_func, compilation.data["args"]


def keep_in(cache: FunctionCache, kernel: Any) -> None:
    """Let a kernel keep its compiled forms in a cache."""
    kernel._cache = cache


class Cache(FunctionCache):
    """The compiled forms of a kernel in the folder that Numba chooses.

    Parameters
    ----------
    function : function
        From which the kernel is compiled.
    files : function of a folder and the beginning of the names of files
        Returns what has ``load(key)``, ``save(key, data)`` and ``flush()``.
    """

    def __init__(self, function: Any, files: Callable[[str, str], Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file = files(self.cache_path, self._impl.filename_base)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled form."""
        super().save_overload(sig, data)  # type: ignore[no-untyped-call]
