"""Compiled kernels on disk: one file for each kernel and kind of arguments.

A file begins with a checksum of what follows. If it differs, the file is damaged, and the kernel is
compiled again with a note. Then comes a checksum of the sources of all kernels, because a kernel
holds those that it calls: if that differs, the kernel is compiled again, too. A fit never ends
because a file cannot be read or written: it goes on with the kernel that is in memory.
"""

import logging
import pickle
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import llvmlite
import numba

from .private_numba import Cache, serialised

LOGGER = logging.getLogger("boltzmix.kernels")
SIZE = sha256().digest_size
DAMAGED = (
    "Compiled kernels on disk are damaged, such as %s: they are compiled again, and replaced if the"
    " folder can be written to."
)
NOT_KEPT = (
    "Compiled kernels cannot be kept on disk, so the next process compiles them again: %s. Make"
    " room, or set NUMBA_CACHE_DIR to a folder that can be written to."
)


class KernelCache(Cache):
    """The compiled forms of a kernel on disk, in the folder that Numba chooses."""

    def __init__(self, function: Any) -> None:
        super().__init__(function, lambda folder, name: KernelFiles(Path(folder), name))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel, if there is room for it."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _note_once(NOT_KEPT, str(error))


class KernelFiles:
    """The files of one kernel.

    Parameters
    ----------
    folder : Path
    name : str
        How the names of the files begin.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name

    def load(self, key: Any) -> Any:
        """Return what was saved for a key, or None if there is nothing that can be used."""
        path = self._path(key)
        try:
            found = path.read_bytes()
        except OSError:
            return None
        if found[:SIZE] != sha256(found[SIZE:]).digest():
            _note_once(DAMAGED, str(path))
            return None
        return pickle.loads(found[2 * SIZE :]) if found[SIZE : 2 * SIZE] == _stamp() else None

    def save(self, key: Any, data: Any) -> None:
        """Save data for a key; other processes see all of it or nothing."""
        path, content = self._path(key), _stamp() + serialised(data)
        draft = path.with_name(f"{path.name}.{uuid4().hex[:16]}")
        try:
            draft.write_bytes(sha256(content).digest() + content)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)

    def flush(self) -> None:
        """Delete what was saved."""
        for path in self.folder.glob(f"{self.name}.*.nbc"):
            path.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        return self.folder / f"{self.name}.{sha256(repr(key).encode()).hexdigest()[:16]}.nbc"


@cache
def _stamp() -> bytes:
    """Return a checksum of the sources of all kernels, and of the compiler and its checks."""
    checks: Any = vars(numba.config)["BOUNDSCHECK"]
    found = sha256(f"{numba.__version__} {llvmlite.__version__} {checks}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.read_bytes())
    return found.digest()


def _note_once(text: str, detail: str) -> None:
    if text not in _SAID:
        _SAID.add(text)
        LOGGER.warning(text, detail)


_SAID: set[str] = set()
