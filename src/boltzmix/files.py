"""Tables in files: CSV and Parquet in, labels out, and nothing half-written."""

import csv
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
from polars.exceptions import PolarsError

from .data import LazyTable

CSV_SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
PARQUET = (".parquet", ".pq")


class Read(NamedTuple):
    """Numeric columns of a file, and what its owner should know about how they were read."""

    frame: pl.DataFrame
    notes: list[str]


def read_table(path: Path, columns: Sequence[str] | None = None) -> Read:
    """Read the numeric columns of a CSV or Parquet file, or those named."""
    if not path.exists():
        raise ValueError(f"There is no file {path}.")
    if not path.is_file():
        raise ValueError(f"{path} is not a file.")
    frame, notes = _read(path)
    if frame.height == 0:
        raise ValueError(f"{path} has no rows.")
    chosen = _choose(frame.schema, columns, str(path))
    if columns is None:
        notes += [
            f"column {name!r} was left out, because it is not numeric (it has"
            f" {frame[name].drop_nulls().head(1).to_list()})"
            for name in frame.columns
            if name not in chosen
        ]
    return Read(frame.select(pl.col(chosen).cast(pl.Float64)), notes)


def scan_parquet(path: Path | str, columns: Sequence[str] | None = None) -> LazyTable:
    """Open the numeric columns of a Parquet file, or those named, to be read piece by piece.

    What it returns can be fitted like any table, and need not fit into memory.
    """
    if not Path(path).is_file():
        raise ValueError(f"There is no file {path}.")
    lazy = pl.scan_parquet(path)
    try:
        schema = lazy.collect_schema()
        rows = lazy.select(pl.len()).collect().item()
    except PolarsError as error:
        raise _unreadable(path, error) from None
    if rows == 0:
        raise ValueError(f"{path} has no rows.")
    chosen = _choose(schema, columns, str(path))

    def read(start: int, stop: int) -> Any:
        return lazy.select(chosen).slice(start, stop - start).collect()

    return LazyTable(read, (rows, len(chosen)), tuple(chosen))


def _choose(schema: pl.Schema, columns: Sequence[str] | None, path: str) -> list[str]:
    """Return the numeric columns, or those named if all of them are."""
    names = list(schema)
    numeric = [name for name in names if schema[name].is_numeric()]
    if columns is None:
        if not numeric:
            raise ValueError(
                f"{path} has no numeric column (its columns are {_listed(names)}): at least one"
                " is needed, with commas between the columns of a .csv and tabs in a .tsv."
            )
        return numeric
    if isinstance(columns, str) or len(columns) == 0 or len(set(columns)) < len(columns):
        raise ValueError(f"columns must be a list of different names, not {columns!r}.")
    for name in columns:
        if name not in names:
            raise ValueError(f"{path} has no column {name!r}: its columns are {_listed(names)}.")
        if name not in numeric:
            raise ValueError(
                f"Column {name!r} of {path} is not numeric (it is {schema[name]}): choose others."
            )
    return list(columns)


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


def _read(path: Path) -> Read:
    try:
        if path.suffix in PARQUET:
            return Read(pl.read_parquet(path), [])
        if path.suffix not in CSV_SEPARATORS:
            raise ValueError(
                f"{path} has an unknown ending: use {', '.join((*CSV_SEPARATORS, *PARQUET))}."
            )
        return _read_csv(path, CSV_SEPARATORS[path.suffix])
    except (PolarsError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path | str, error: Exception) -> ValueError:
    reason = str(error).splitlines()[0].rstrip(".")
    return ValueError(f"{path} could not be read: {reason}.")


def _read_csv(path: Path, separator: str) -> Read:
    """Read a CSV file; a first line like those below it is data, not a header."""
    options: dict[str, Any] = {
        "separator": separator,
        "infer_schema_length": None,
        "null_values": ["", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "?"],
    }
    frame = _numbers_from_text(pl.read_csv(path, **options))
    with path.open(newline="") as file:
        first = [cell.strip() for cell in next(csv.reader(file, delimiter=separator))]
    under_numbers = [
        cell
        for cell, name in zip(first, frame.columns, strict=False)
        if frame[name].dtype.is_numeric()
    ]
    if any(map(_is_number, under_numbers)) and all(
        not cell or _is_number(cell) for cell in under_numbers
    ):
        frame = _numbers_from_text(pl.read_csv(path, has_header=False, **options))
        return Read(frame, ["the first line was read as data, because it looks like the others"])
    return Read(frame.rename(str.strip), [])


def _numbers_from_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn text columns into numbers where every entry is one, blanks around it aside."""
    for name, kind in frame.schema.items():
        if kind == pl.String:
            stripped = frame[name].str.strip_chars()
            numbers = stripped.cast(pl.Float64, strict=False)
            if numbers.null_count() == stripped.null_count() < len(numbers):
                frame = frame.with_columns(numbers)
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
