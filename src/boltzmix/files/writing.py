"""Files written whole, or not at all."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from .places import CSV_SEPARATORS, PARQUET


def write_table(frame: pl.DataFrame, path: Path) -> None:
    """Write a frame as CSV, TSV or Parquet, by the name's ending."""
    if path.suffix in PARQUET:
        write_whole(path, frame.write_parquet)
    else:
        separator = CSV_SEPARATORS[path.suffix]
        write_whole(path, lambda file: frame.write_csv(file, separator=separator))


def write_whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file beside its place, then put it there, so that it is never half-written."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".boltzmix-") as folder:
        draft = Path(folder) / path.name
        write(draft)
        draft.replace(path)
