"""Errors of readers that are written in Rust, which end as no other exception does."""

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from ..views import listed
from .cells import Cells, different_names, name_columns, read_cells
from .columns import Content
from .decoding import to_utf8, unpack
from .formats import FileFormat, Limit, check_nesting
from .numbers import read_columns
from .workbooks import read_workbook
from .writing import STREAM, check_name, shown, unreadable

PANICS = "pyo3_runtime"  # the module of an exception that is no `Exception`


@contextmanager
def panics_as_errors(name: str) -> Iterator[None]:
    """Raise a `ValueError` where a reader panics, and hide what it prints on standard error.

    Parameters
    ----------
    name : str
        Name of the file in messages.
    """
    with tempfile.TemporaryFile() as hidden:
        try:
            kept = os.dup(2)
        except OSError:  # it is closed
            kept = os.open(os.devnull, os.O_WRONLY)
        os.dup2(hidden.fileno(), 2)
        try:
            yield
        except BaseException as error:
            if type(error).__module__ != PANICS:
                raise
            raise unreadable(name, ValueError("its content is damaged")) from None
        finally:
            os.dup2(kept, 2)
            os.close(kept)


PARQUET_MARK = b"PAR1"
CONTROLS = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
PART = 2**24  # bytes of standard input that are read at a time
READERS: dict[bytes, Callable[..., pl.DataFrame]] = {
    PARQUET_MARK: pl.read_parquet,
    b"ARROW1": pl.read_ipc,
    b"\xff\xff\xff\xff": pl.read_ipc_stream,
}
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # xlsx and ods, xls
BINARY_ENDINGS = (".parquet", ".pq", ".feather", ".arrow", ".ipc", ".xlsx", ".xls", ".xlsb", ".ods")


def read_file(path: Path, written: FileFormat | None = None, ids: str | None = None) -> Content:
    """Read a file, or standard input, named "-". Its format is recognised from its content.

    Parameters
    ----------
    path : Path
        A table as text, maybe packed, or a Parquet, Feather, Excel or JSON file.
    written : FileFormat, optional
        How it is written, as far as the user says so.
    ids : str, optional
        The column of names of sequences, which keep leading zeros.
    """
    if path != STREAM:
        check_name("The file name", path)
        if not path.exists():
            raise ValueError(f"There is no file {path}.")
        if not path.is_file():
            raise ValueError(f"{path} is not a file.")
    name, written = shown(path), written or FileFormat()
    try:
        data = _bytes_of(path, name, written.limit)
        with panics_as_errors(name):
            content = harmless_content(_read(data, path, name, written, ids))
    except (PolarsError, UnicodeDecodeError, OSError, RecursionError) as error:
        raise unreadable(name, error) from None
    if content.frame.height == 0:
        raise ValueError(f"{name} has no rows.")
    return content


def _bytes_of(path: Path, name: str, limit: Limit) -> bytes:
    """Return the content of a file, or of standard input; raise if it is too large."""
    if path != STREAM:
        limit.check_bytes(path.stat().st_size, name)
        return path.read_bytes()
    if sys.stdin is None:
        raise ValueError("Standard input is closed: name a file, or pass data to the command.")
    parts, n = [], 0
    while part := sys.stdin.buffer.read(PART):
        parts.append(part)
        n += len(part)
        limit.check_bytes(n, name)
    return b"".join(parts)


def _read(data: bytes, path: Path, name: str, written: FileFormat, ids: str | None) -> Content:
    data = unpack(data, name, written.limit)
    for mark, read in READERS.items():
        if data.startswith(mark):
            if mark == PARQUET_MARK:  # which can be much smaller than its content
                rows = pl.scan_parquet(BytesIO(data)).select(pl.len()).collect().item()
                columns = len(pl.read_parquet_schema(BytesIO(data)))
                written.limit.check_cells(rows, columns, name)
            frame = read(BytesIO(data))
            written.limit.check_cells(*frame.shape, name)
            written.limit.check_texts(_bytes_of_texts(frame), name)
            return Content(_with_missing(frame, written), name)
    if data.startswith(WORKBOOKS):
        return _content(read_workbook(data, written, name), "sheet row", name, written, ids)
    if path.suffix.lower() in BINARY_ENDINGS:
        raise ValueError(
            f"{name} could not be read: its name ends in {path.suffix}, but its content is not"
            " that of such a file."
        )
    text, guessed = to_utf8(data, written.encoding, name)
    records = _read_json(text, name)
    if records is not None:
        written.limit.check_cells(*records.shape, name)
        return _typed(Content(_with_missing(records, written), name), written, ids)
    cells = read_cells(text, written, name)
    if guessed is not None:
        cells.notes.append(f"the file was read in the encoding {guessed} (--encoding sets another)")
    return _content(cells, "line", name, written, ids)


def _bytes_of_texts(frame: pl.DataFrame) -> int:
    """Return how many bytes all texts have, of which a file may hold one for many cells."""
    texts = frame.select(
        pl.col(pl.String).str.len_bytes().cast(pl.UInt64).sum(),
        pl.selectors.by_dtype(pl.Categorical, pl.Enum).cat.len_bytes().cast(pl.UInt64).sum(),
    )
    return sum(texts.row(0)) if texts.width else 0


def _content(cells: Cells, noun: str, name: str, written: FileFormat, ids: str | None) -> Content:
    """Give names and types to the columns of a table of cells."""
    texts, notes, n_above = name_columns(cells, written)
    lines = cells.lines[n_above:]
    raw = Content(texts, name, lines=lines, noun=noun)
    frame, more, decimal = read_columns(texts, written, cells.separator, raw.place, ids)
    frame = _with_missing(frame, written)
    return replace(raw, frame=frame, notes=[*cells.notes, *notes, *more], decimal=decimal)


def _typed(content: Content, written: FileFormat, ids: str | None) -> Content:
    """Read numbers that are written as text in columns of a JSON file."""
    texts = content.frame.select(pl.col(pl.String))
    read, notes, decimal = read_columns(texts, written, None, content.place, ids)
    return replace(content, frame=content.frame.with_columns(read), notes=notes, decimal=decimal)


def _read_json(text: bytes, name: str) -> pl.DataFrame | None:
    """Return the records of JSON lines, or of a JSON list; None if the text is something else."""
    first = text.lstrip()[:1]
    if first in (b"[", b"{"):
        check_nesting(text, name)
    if first == b"[" and text.lstrip()[1:].lstrip()[:1] == b"{":
        return pl.read_json(text, infer_schema_length=None)
    if first != b"{":
        return None
    try:
        json.loads(text.lstrip().split(b"\n", 1)[0])
    except ValueError:
        return None
    return pl.read_ndjson(text, infer_schema_length=None)


def _with_missing(frame: pl.DataFrame, written: FileFormat) -> pl.DataFrame:
    """Turn NaN, and whatever the user calls missing, into missing values."""
    frame = frame.with_columns(pl.selectors.float().fill_nan(None))
    if not written.missing:
        return frame
    numbers = pl.selectors.numeric()
    return frame.with_columns(
        pl.when(~numbers.cast(pl.Float64).is_in(written.missing_numbers)).then(numbers).name.keep(),
        pl.when(~pl.col(pl.String).is_in(written.missing)).then(pl.col(pl.String)).name.keep(),
    )


def harmless_content(content: Content) -> Content:
    """Return the content without control characters in names and texts, and a note on them.

    A terminal that shows them would obey them, so that model files do not hold them.
    """
    frame, notes = content.frame, list(content.notes)
    texts = frame.select(pl.col(pl.String).str.contains(CONTROLS).any())
    odd = [name for name in texts.columns if texts[name][0]]
    if odd:
        frame = frame.with_columns(pl.col(odd).str.replace_all(CONTROLS, ""))
        notes.append(f"control characters were left out of the texts in {listed(odd)}")
    cleaned = [re.sub(CONTROLS, "", name) for name in frame.columns]
    if cleaned != frame.columns:
        frame = frame.rename(dict(zip(frame.columns, different_names(cleaned)[0], strict=True)))
        notes.append("control characters were left out of the names of columns")
    return replace(content, frame=frame, notes=notes)
