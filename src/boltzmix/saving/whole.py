"""Atomic writing of files."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


def write_whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file to a temporary folder, then move it to its path, so that none is incomplete."""
    if not path.parent.is_dir():
        raise ValueError(f"The folder {path.parent} does not exist: make it first.")
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name a file in it.")
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".boltzmix-") as folder:
        draft = Path(folder) / path.name
        write(draft)
        draft.replace(path)
