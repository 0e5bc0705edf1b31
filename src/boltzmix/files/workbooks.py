"""Sheets of Excel and OpenDocument workbooks."""

import json
import subprocess
import sys
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl

from .cells import MOST_TITLES, Cells, count_titles, describe_titles
from .formats import RAISE, FileFormat

SCRIPT = Path(__file__).with_name("workbook_process.py")
N = MOST_TITLES + 2  # rows among which titles are looked for


def read_workbook(data: bytes, written: FileFormat, name: str) -> Cells:
    """Return the cells of a sheet as text, without rows that are empty."""
    sheets, sheet = _load(data, written, name)
    if not sheets:
        raise ValueError(f"{name} has no sheets: it is damaged, or not a workbook.")
    if written.sheet is not None and written.sheet not in sheets:
        raise ValueError(
            f"{name} has no sheet {written.sheet!r}: its sheets are {', '.join(map(repr, sheets))}."
        )
    chosen = written.sheet or sheets[0]
    written.limit.check_cells(*sheet.shape, name)
    notes = []
    if written.sheet is None and len(sheets) > 1:
        notes.append(
            f"only the first of {len(sheets)} sheets was read, {chosen!r} (--sheet chooses another)"
        )
    is_empty = pl.all_horizontal(pl.all().is_null())
    rows = np.flatnonzero(sheet.select(~is_empty).to_series().to_numpy()) + 1
    filled = sheet.filter(~is_empty)
    if not filled.height:
        raise ValueError(f"The sheet {chosen!r} of {name} is empty.")
    above = [[(cell or "").strip() for cell in row] for row in filled.head(N).rows()]
    n = 0 if written.header is False else count_titles(above)
    if n:
        notes.append(describe_titles(n, next(filter(None, above[0]))))
    return Cells(above[n], filled[n + 1 :], rows[n:], notes=notes)


def _load(data: bytes, written: FileFormat, name: str) -> tuple[list[str], pl.DataFrame]:
    """Return the names of all sheets, and the cells of the chosen one, read by another process."""
    if find_spec("fastexcel") is None:
        raise ImportError(
            f"{name} is a workbook, which needs the package fastexcel: pip install fastexcel."
        )
    chosen = () if written.sheet is None else (written.sheet,)
    command = [sys.executable, "-P", str(SCRIPT), str(written.limit.size), *chosen]
    ended = subprocess.run(command, input=data, capture_output=True, check=False)
    if ended.returncode:
        raise ValueError(
            f"{name} could not be read: it is damaged, or its cells take more than {written.limit}"
            f" of memory: {RAISE}."
        )
    head, _, cells = ended.stdout.partition(b"\n")
    found = json.loads(head)
    if "error" in found:
        reason = " ".join(found["error"].split()).rstrip(".")
        raise ValueError(
            f"{name} could not be read as a workbook ({reason}): repair it, or, if it is an archive"
            " of other files, unpack it first."
        )
    return found["sheets"], pl.read_ipc(BytesIO(cells)) if cells else pl.DataFrame()
