"""The header of a table: whether there is one, and the names of the columns in it."""

from itertools import pairwise

import polars as pl

from ..views import listed
from .cells import Cells
from .formats import FileFormat
from .numbers import TextColumn, is_number

HEAD = 200  # rows that the first line is compared with
FEWEST_NAMES = 3  # numbers in a row, such as years, to be names of columns
FEWEST_ROWS = 5  # for the first line of a table without numbers to be read as data


def is_data(cells: Cells, written: FileFormat) -> bool:
    """Return whether the first line is data, because it looks like the others.

    It does if it has numbers where the others have them, unless these are numbers in a row, such as
    years, which are names; or, where all columns are text, if each of its cells comes again in its
    column.
    """
    if written.header is not None or cells.named:
        return written.header is False and not cells.named
    first = [cell for cell in cells.first if cell not in written.spellings]
    if not cells.frame.height:
        return bool(first) and all(map(is_number, first))
    columns = [TextColumn.of(one.head(HEAD), written.spellings) for one in cells.frame]
    pairs = zip(cells.first, columns, strict=True)
    over_numbers = [(cell, column) for cell, column in pairs if _has_numbers(column)]
    if over_numbers:
        filled = [(cell, column) for cell, column in over_numbers if cell not in written.spellings]
        numbers = bool(filled) and all(is_number(cell) for cell, _ in filled)
        return numbers and not _are_numbered_names(filled)
    return cells.frame.height >= FEWEST_ROWS and all(
        cell in column.to_list()
        for cell, column in zip(cells.first, cells.frame.head(10 * HEAD), strict=True)
    )


def _has_numbers(column: TextColumn) -> bool:
    return bool(column.decimals) and column.numeric.null_count() < len(column.numeric)


def _are_numbered_names(filled: list[tuple[str, TextColumn]]) -> bool:
    """Return whether numbers go up by one, and are in none of the columns below them."""
    if len(filled) < FEWEST_NAMES or not all(cell.isdecimal() for cell, _ in filled):
        return False
    numbers = [int(cell) for cell, _ in filled]
    go_up = all(after == before + 1 for before, after in pairwise(numbers))
    return go_up and not any(cell in column.text.to_list() for cell, column in filled)


def name_columns(cells: Cells, written: FileFormat) -> tuple[pl.DataFrame, list[str], int]:
    """Return the data as a frame with named columns, notes, and the number of lines above them."""
    frame = cells.frame
    width = len(cells.first)
    if is_data(cells, written):
        names = [f"column_{j}" for j in range(1, width + 1)]
        line = pl.DataFrame([cells.first], names, orient="row")
        line = line.cast(dict.fromkeys(names, pl.String))
        frame = pl.concat([line, frame.rename(dict(zip(frame.columns, names, strict=True)))])
        notes = [
            "the first line was read as data, because it looks like the others (--header"
            " says that it has the names of the columns)"
        ]
        return frame, notes if written.header is None else [], 0
    names, notes = different_names(cells.first)
    frame.columns = names
    return frame, notes, 1


def different_names(first: list[str]) -> tuple[list[str], list[str]]:
    """Return a different name for each column, and notes on those that had none of their own."""
    written = [" ".join(cell.split()) for cell in first]
    given, used = set(written), set[str]()
    names, nameless, doubled = [], [], []
    for place, own in enumerate(written, start=1):
        base = own or f"column_{place}"
        name, n = base, 1
        while name in used or (n > 1 and name in given):
            n += 1
            name = f"{base}_{n}"
        used.add(name)
        names.append(name)
        if not own:
            nameless.append(name)
        elif n > 1:
            doubled.append(name)
    notes = []
    if nameless:
        notes.append(f"columns without a name are called {listed(nameless)}")
    if doubled:
        notes.append(f"columns whose name comes again are called {listed(doubled)}")
    return names, notes
