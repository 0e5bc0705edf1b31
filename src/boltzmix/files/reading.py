"""Files as frames, whatever their format, blanks, missing values and headers."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from polars.exceptions import PolarsError

from .cells import Cells, read_cells
from .content import Content
from .decoding import to_utf8, unpack
from .formats import FileFormat
from .header import name_columns
from .numbers import read_columns
from .paths import STREAM, check_name, shown

READERS: dict[bytes, Callable[..., pl.DataFrame]] = {
    b"PAR1": pl.read_parquet,
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
    name = shown(path)
    try:
        data = sys.stdin.buffer.read() if path == STREAM else path.read_bytes()
        content = _read(data, path, name, written or FileFormat(), ids)
    except (PolarsError, UnicodeDecodeError, OSError) as error:
        raise unreadable(name, error) from None
    if content.frame.height == 0:
        raise ValueError(f"{name} has no rows.")
    return content


def unreadable(path: Path | str, error: Exception) -> ValueError:
    """Return the error of a file that is damaged."""
    reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
    return ValueError(f"{path} could not be read: {reason}.")


def _read(data: bytes, path: Path, name: str, written: FileFormat, ids: str | None) -> Content:
    data = unpack(data, name)
    for mark, read in READERS.items():
        if data.startswith(mark):
            return Content(_with_missing(read(BytesIO(data)), written), name)
    if data.startswith(WORKBOOKS):
        return _content(*_read_workbook(data, name, written), name, written, ids)
    if path.suffix.lower() in BINARY_ENDINGS:
        raise ValueError(
            f"{name} could not be read: its name ends in {path.suffix}, but its content is not"
            " that of such a file."
        )
    text, encoding = to_utf8(data, written.encoding, name)
    as_json = _read_json(text)
    if as_json is not None:
        return Content(_with_missing(as_json, written), name)
    cells = read_cells(text, written, name)
    if encoding not in ("utf-8", written.encoding):
        cells.notes.append(
            f"the file was read in the encoding {encoding} (--encoding sets another)"
        )
    return _content(cells, "line", name, written, ids)


def _content(cells: Cells, noun: str, name: str, written: FileFormat, ids: str | None) -> Content:
    """Give names and types to the columns of a table of cells."""
    texts, notes, n_above = name_columns(cells, written)
    lines = cells.lines[n_above:]
    raw = Content(texts, name, lines=lines, noun=noun)
    frame, more, decimal = read_columns(texts, written, cells.separator, raw.place, ids)
    return replace(raw, frame=frame, notes=[*cells.notes, *notes, *more], decimal=decimal)


def _read_json(text: bytes) -> pl.DataFrame | None:
    """Return the records of JSON lines, or of a JSON list; None if the text is something else."""
    first = text.lstrip()[:1]
    if first == b"[" and text.lstrip()[1:].lstrip()[:1] == b"{":
        return pl.read_json(text, infer_schema_length=None)
    if first != b"{":
        return None
    try:
        json.loads(text.lstrip().split(b"\n", 1)[0])
    except ValueError:
        return None
    return pl.read_ndjson(text, infer_schema_length=None)


def _read_workbook(data: bytes, name: str, written: FileFormat) -> tuple[Cells, str]:
    """Return the cells of a sheet of an Excel or OpenDocument workbook."""
    try:
        import fastexcel
    except ImportError:
        raise ImportError(
            f"{name} is a workbook, which needs the package fastexcel: pip install fastexcel."
        ) from None
    try:
        book: Any = fastexcel.read_excel(data)
    except fastexcel.FastExcelError as error:
        raise unreadable(name, error) from None
    if written.sheet is not None and written.sheet not in book.sheet_names:
        raise ValueError(
            f"{name} has no sheet {written.sheet!r}: its sheets are"
            f" {', '.join(map(repr, book.sheet_names))}."
        )
    chosen = written.sheet or book.sheet_names[0]
    sheet = book.load_sheet(chosen, header_row=None, dtypes="string").to_polars()
    notes = []
    if written.sheet is None and len(book.sheet_names) > 1:
        notes.append(
            f"only the first of {len(book.sheet_names)} sheets was read, {chosen!r}: choose another"
            " with --sheet"
        )
    rows = np.arange(1, sheet.height + 1)
    filled = sheet.select(~pl.all_horizontal(pl.all().is_null())).to_series().to_numpy()
    sheet, rows = sheet.filter(filled), rows[filled]
    if not sheet.height:
        raise ValueError(f"{name} is empty.")
    first = ["" if cell is None else cell.strip() for cell in sheet.row(0)]
    return Cells(first, sheet[1:], rows, notes=notes), "row"


def _with_missing(frame: pl.DataFrame, written: FileFormat) -> pl.DataFrame:
    """Turn what the user calls missing values into these, in a file whose columns have types."""
    if not written.missing:
        return frame
    numbers = pl.selectors.numeric()
    return frame.with_columns(
        pl.when(~numbers.cast(pl.Float64).is_in(written.missing_numbers)).then(numbers).name.keep(),
        pl.when(~pl.col(pl.String).is_in(written.missing)).then(pl.col(pl.String)).name.keep(),
    )
