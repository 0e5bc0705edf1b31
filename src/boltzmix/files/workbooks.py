"""Sheets of Excel and OpenDocument workbooks."""

from typing import Any

import numpy as np
import polars as pl

from .cells import Cells
from .formats import FileFormat
from .paths import unreadable
from .titles import MOST_TITLES, count_titles, describe_titles

N = MOST_TITLES + 2  # rows among which titles are looked for


def read_workbook(data: bytes, written: FileFormat, name: str) -> Cells:
    """Return the cells of a sheet as text, without rows that are empty."""
    book = _open(data, name)
    sheets = book.sheet_names
    if not sheets:
        raise ValueError(f"{name} has no sheets: it is damaged, or not a workbook.")
    if written.sheet is not None and written.sheet not in sheets:
        raise ValueError(
            f"{name} has no sheet {written.sheet!r}: its sheets are {', '.join(map(repr, sheets))}."
        )
    chosen = written.sheet or sheets[0]
    notes = []
    if written.sheet is None and len(sheets) > 1:
        notes.append(
            f"only the first of {len(sheets)} sheets was read, {chosen!r} (--sheet chooses another)"
        )
    sheet = _load(book, chosen, name)
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


def _open(data: bytes, name: str) -> Any:
    """Return an open workbook."""
    try:
        import fastexcel
    except ImportError:
        raise ImportError(
            f"{name} is a workbook, which needs the package fastexcel: pip install fastexcel."
        ) from None
    try:
        return fastexcel.read_excel(data)
    except fastexcel.FastExcelError as error:
        raise unreadable(name, error) from None


def _load(book: Any, sheet: str, name: str) -> pl.DataFrame:
    """Return the cells of a sheet as text."""
    import fastexcel

    try:
        return book.load_sheet(sheet, header_row=None, skip_rows=0, dtypes="string").to_polars()
    except fastexcel.FastExcelError as error:
        raise unreadable(name, error) from None
