"""Files as frames, whatever their blanks, missing values and headers."""

import csv
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
from polars.exceptions import PolarsError

from .paths import CSV_SEPARATORS, PARQUET, STREAM, check_name, shown

MISSING = ["", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "?"]


class Content(NamedTuple):
    """All columns of a file, and notes for the user on how they were read."""

    frame: pl.DataFrame
    notes: list[str]


def read_file(path: Path, ids: str | None = None) -> Content:
    """Read a CSV or Parquet file, or CSV from standard input, named "-".

    The column `ids`, if named, holds names of sequences, which keep leading zeros.
    """
    if path != STREAM:
        check_name("The file name", path)
        if not path.exists():
            raise ValueError(f"There is no file {path}.")
        if not path.is_file():
            raise ValueError(f"{path} is not a file.")
    content = _read(path, ids)
    if content.frame.height == 0:
        raise ValueError(f"{shown(path)} has no rows.")
    return content


def unreadable(path: Path | str, error: Exception) -> ValueError:
    """Return the error of a file whose content does not match its ending."""
    reason = str(error).splitlines()[0].rstrip(".")
    return ValueError(f"{path} could not be read: {reason}.")


def _read(path: Path, ids: str | None) -> Content:
    try:
        if path == STREAM:
            text = sys.stdin.buffer.read()
            return _read_csv(text, _guess_separator(text), ids)
        if path.suffix in PARQUET:
            return Content(pl.read_parquet(path), [])
        if path.suffix not in CSV_SEPARATORS:
            raise ValueError(
                f"{path} has an unknown ending: use {', '.join((*CSV_SEPARATORS, *PARQUET))}."
            )
        return _read_csv(path, CSV_SEPARATORS[path.suffix], ids)
    except (PolarsError, UnicodeDecodeError) as error:
        raise unreadable(shown(path), error) from None


def _guess_separator(text: bytes) -> str:
    """Return a tab if the first line has tabs and no commas, else a comma."""
    first = text.split(b"\n", 1)[0]
    return "\t" if b"\t" in first and b"," not in first else ","


def _read_csv(source: Path | bytes, separator: str, ids: str | None) -> Content:
    """Read a CSV file; its first line is data if it looks like the other lines, else the header."""
    with BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
        lines = TextIOWrapper(file, encoding="utf-8", newline="")
        first = next(csv.reader(lines, delimiter=separator), [])
    options: dict[str, Any] = {
        "separator": separator,
        "infer_schema_length": None,
        "null_values": MISSING,
        "schema_overrides": {name: pl.String for name in [*first, ids] if _same(name, ids)},
    }
    frame = _numbers_from_text(pl.read_csv(source, **options), ids)
    under_numbers = [
        cell.strip()
        for cell, name in zip(first, frame.columns, strict=False)
        if frame[name].dtype.is_numeric()
    ]
    if any(map(_is_number, under_numbers)) and all(
        not cell or _is_number(cell) for cell in under_numbers
    ):
        frame = _numbers_from_text(pl.read_csv(source, has_header=False, **options), ids)
        return Content(frame, ["the first line was read as data, because it looks like the others"])
    return Content(frame.rename(str.strip), [])


def _numbers_from_text(frame: pl.DataFrame, ids: str | None) -> pl.DataFrame:
    """Turn columns of text into numbers if every entry is a number with blanks around it."""
    for name, kind in frame.schema.items():
        if kind == pl.String:
            read = _read_names if _same(name, ids) else _read_numbers
            frame = frame.with_columns(read(frame[name]))
    return frame


def _read_numbers(text: pl.Series) -> pl.Series:
    """Return numbers if every text is one, else the text."""
    stripped = text.str.strip_chars()
    numbers = stripped.cast(pl.Float64, strict=False)
    return numbers if numbers.null_count() == stripped.null_count() < len(text) else text


def _read_names(text: pl.Series) -> pl.Series:
    """Turn names into whole numbers if they are written like 7, but not if like 007."""
    stripped = text.str.strip_chars()
    numbers = stripped.cast(pl.Int64, strict=False)
    return numbers if numbers.cast(pl.String).equals(stripped, null_equal=True) else stripped


def _same(name: str | None, ids: str | None) -> bool:
    return name is not None and ids is not None and name.strip() == ids


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
