"""Tables in files: CSV and Parquet in, labels out, and nothing half-written."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from polars.exceptions import PolarsError

from .data import LazyTable

CSV_SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
PARQUET = (".parquet", ".pq")


def read_table(path: Path, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """Read the numeric columns of a CSV or Parquet file, or those named."""
    if not path.exists():
        raise ValueError(f"There is no file {path}.")
    if not path.is_file():
        raise ValueError(f"{path} is not a file.")
    frame = _read(path)
    numeric = [name for name in frame.columns if frame[name].dtype.is_numeric()]
    if columns is None:
        if not numeric:
            raise ValueError(
                f"{path} has no numeric column (its columns are {_listed(frame.columns)}):"
                " at least one is needed."
            )
        return frame.select(numeric)
    for name in columns:
        if name not in frame.columns:
            raise ValueError(
                f"{path} has no column {name!r}: its columns are {_listed(frame.columns)}."
            )
        if name not in numeric:
            raise ValueError(
                f"Column {name!r} of {path} is not numeric (it is {frame[name].dtype}):"
                " choose others with --columns."
            )
    return frame.select(columns)


def scan_parquet(path: Path | str, columns: Sequence[str] | None = None) -> LazyTable:
    """Open the numeric columns of a Parquet file, or those named, to be read piece by piece.

    What it returns can be fitted like any table, and need not fit into memory.
    """
    lazy = pl.scan_parquet(path)
    schema = lazy.collect_schema()
    chosen = [name for name in columns or schema if columns or schema[name].is_numeric()]
    rows = lazy.select(pl.len()).collect().item()

    def read(start: int, stop: int) -> Any:
        return lazy.select(chosen).slice(start, stop - start).collect()

    return LazyTable(read, (rows, len(chosen)), tuple(chosen))


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


def check_writable(option: str, path: Path, endings: Sequence[str]) -> None:
    """Refuse a place to write to before any work is done."""
    if path.suffix not in endings:
        raise ValueError(f"{option} must end in {', '.join(endings)}, but is {path}.")
    if path.is_dir():
        raise ValueError(f"{option} must name a file, but {path} is a folder.")
    check_folder(option, path.parent)


def check_folder(option: str, folder: Path) -> None:
    """Refuse a folder that is missing or cannot be written to."""
    if not folder.is_dir():
        raise ValueError(f"The folder {folder} of {option} does not exist: make it first.")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ValueError(
            f"The folder {folder} of {option} cannot be written to ({error.strerror}):"
            " choose another."
        ) from None


def _read(path: Path) -> pl.DataFrame:
    try:
        if path.suffix in PARQUET:
            return pl.read_parquet(path)
        if path.suffix not in CSV_SEPARATORS:
            raise ValueError(
                f"{path} has an unknown ending: use {', '.join((*CSV_SEPARATORS, *PARQUET))}."
            )
        return _read_csv(path, CSV_SEPARATORS[path.suffix])
    except PolarsError as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise ValueError(f"{path} could not be read: {reason}.") from None


def _read_csv(path: Path, separator: str) -> pl.DataFrame:
    """Read a CSV file; a first line of numbers only is data, not a header."""
    options: dict[str, Any] = {
        "separator": separator,
        "infer_schema_length": None,
        "null_values": ["", "NA", "NaN", "nan", "null"],
    }
    frame = pl.read_csv(path, **options)
    if all(map(_is_number, frame.columns)):
        return pl.read_csv(path, has_header=False, **options)
    return frame


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:10])
    return shown if len(names) <= 10 else f"{shown} and {len(names) - 10} more"
