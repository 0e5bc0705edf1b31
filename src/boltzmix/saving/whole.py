"""Writing files as a whole: the old file stays until the new one is complete and on the disk."""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any


def write_whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a draft in a folder beside the path, see it to the disk, and move it to the path.

    Raises
    ------
    ValueError
        If the path cannot be that of a file.
    OSError
        If the file cannot be written, as on a full disk. Its message names the file.
    """
    if not path.parent.is_dir():
        raise ValueError(f"The folder {path.parent} does not exist: make it first.")
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name a file in it.")
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".boltzmix-") as folder:
            draft = Path(folder) / path.name
            write(draft)
            _to_disk(draft, os.O_RDWR)
            draft.replace(path)
    except OSError as error:
        reason = error.strerror or str(error) or type(error).__name__
        raise type(error)(f"{path} could not be written: {reason.rstrip('.')}.") from None
    with suppress(OSError):  # not every system can do this with a folder
        _to_disk(path.parent, os.O_RDONLY)


def _to_disk(path: Path, mode: int) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    opened = os.open(path, mode)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
