"""The cells of a text file, each as text, and the header that names its columns."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import polars as pl
from polars.exceptions import PolarsError

from ..data import IntArray, counted
from ..views import listed
from ..views.words import cut
from .formats import FileFormat
from .numbers import TextColumn, is_number
from .records import DECLARED, Records, recognise_separator, resolve_quotes, tabs_for_blanks

MOST_TITLES = 10  # lines that may be above a header
NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes (|)", " ": "blanks"}


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a table, as text.

    Parameters
    ----------
    first : list of str
        The cells of the first line, which may be the header.
    frame : polars.DataFrame of str
        The cells of all other lines; null where they are empty.
    lines : array, shape (1 + n,)
        Numbers of the lines in the file, from 1.
    separator : str, optional
        The separator between cells, if the file is text.
    named : bool
        Whether the first line is certainly the header.
    notes : list of str
    """

    first: list[str]
    frame: pl.DataFrame
    lines: IntArray
    separator: str | None = None
    named: bool = False
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Splitting:
    """How lines are split into cells.

    Parameters
    ----------
    separator : str
        As in the file; a blank stands for any run of blanks.
    mark : str
        The separator in the text that is parsed.
    quoted : bool
        Whether quotes stand around cells.
    """

    separator: str
    mark: str
    quoted: bool

    @property
    def words(self) -> str:
        """The separator in words."""
        return f"{NAMES.get(self.separator, repr(self.separator))} between the cells"

    def split(self, line: str) -> list[str]:
        """Return the cells of one line."""
        if not self.quoted:
            return [cell.strip() for cell in line.split(self.mark)]
        lines = csv.reader(io.StringIO(line, newline=""), delimiter=self.mark)
        return [cell.strip() for cell in next(lines, [])]

    def parse(self, records: Records, width: int) -> pl.DataFrame:
        """Return the cells of many records, shape (n, width)."""
        if not len(records):
            return pl.DataFrame(schema=dict.fromkeys(map(str, range(width)), pl.String))
        frame = pl.read_csv(
            records.joined(),
            has_header=False,
            infer_schema=False,
            separator=self.mark,
            quote_char='"' if self.quoted else None,
        )
        if frame.height != len(records):
            raise PolarsError(f"{frame.height} rows were found in {len(records)} lines of data")
        return frame


def read_cells(data: bytes, written: FileFormat, name: str) -> Cells:
    """Split a text in UTF-8 into cells; raise if its lines have different numbers of them."""
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    separator = written.separator or recognise_separator(data, written.decimal)
    mark = "\t" if separator == " " else separator
    data, quoted = resolve_quotes(tabs_for_blanks(data) if separator == " " else data, mark, name)
    splitting = Splitting(separator, mark, quoted)
    notes: list[str] = []
    records = _without_blanks(Records.of(data, mark, quoted), mark, notes)
    records, is_comment = _without_comments(records, splitting, notes)
    if not len(records):
        raise ValueError(f"{name} is empty.")
    if not is_comment and written.header is not False:
        records = _without_titles(records, splitting, notes)
    text = records.text(0)
    first = splitting.split(text.lstrip("# \t") if is_comment else text)
    body = records.keep(np.arange(len(records)) > 0)
    width = int(body.widths[0]) if len(body) else len(first)
    written.limit.check_cells(len(body), max(width, len(first)), name)
    names = _match_header(first, width, body, splitting, name)
    if separator not in (",", written.separator) and width > 1:
        notes.append(f"the file was read with {splitting.words}")
    if len(names) > len(first):
        notes.append(
            "the header has one name fewer than the lines have cells, so the first column was read"
            " as names of rows"
        )
    frame = splitting.parse(body, width)[:, : len(names)]
    named = is_comment or len(names) != len(first)
    return Cells(names, frame, records.lines, separator, named, notes)


def _without_blanks(records: Records, mark: str, notes: list[str]) -> Records:
    """Leave out blank lines, a line such as sep=;, and lines at the end that have no values."""
    kept = ~records.blank()
    kept[:1] &= len(records) > 0 and DECLARED.match(records.text(0)) is None
    records = records.keep(kept)
    n_empty = records.count_empty_at_end(mark)
    if not 0 < n_empty < len(records) or records.widths[0] == 1:
        return records
    notes.append(
        f"lines without any value at the end of the file were left out ({n_empty}, the first is"
        f" line {records.lines[-n_empty]})"
    )
    return records.keep(np.arange(len(records)) < len(records) - n_empty)


def _without_comments(
    records: Records, splitting: Splitting, notes: list[str]
) -> tuple[Records, bool]:
    """Leave out comments; return whether the first record is a comment that is the header."""
    comments = records.comments()
    if not comments.any():
        return records, False
    last = int(np.argmin(comments)) - 1  # of the comments above the data
    is_header = last >= 0 and _names_columns(records, last, splitting)
    if is_header:
        comments[last] = False
    within = comments & (np.arange(len(records)) > last)
    if within.any():
        notes.append(
            f"lines that begin with # were left out as comments ({int(within.sum())}, the first is"
            f" line {records.lines[np.argmax(within)]})"
        )
    return records.keep(~comments), is_header


def _without_titles(records: Records, splitting: Splitting, notes: list[str]) -> Records:
    """Leave out titles above the header."""
    n_seen = min(len(records), MOST_TITLES + 2)
    n = count_titles([splitting.split(records.text(i)) for i in range(n_seen)])
    if n:
        notes.append(describe_titles(n, records.text(0).strip(f'{splitting.mark}" ')))
    return records.keep(np.arange(len(records)) >= n)


def _names_columns(records: Records, comment: int, splitting: Splitting) -> bool:
    """Return whether a comment has as many cells as the line below it, which has numbers."""
    names = splitting.split(records.text(comment).lstrip("# \t"))
    below = splitting.split(records.text(comment + 1))
    return len(names) == len(below) and any(map(is_number, below))


def _match_header(
    first: list[str], width: int, body: Records, splitting: Splitting, name: str
) -> list[str]:
    """Return one name for each column; raise if a line has another number of cells.

    A separator at the end of every line is left out, and a first column without a name is named "".
    """
    n = len(first)
    is_even = bool((body.widths == width).all())
    if is_even and width == n + 1 and body.all_end_with(splitting.mark):
        return first
    if is_even and width == n + 1 and n > 1:
        return ["", *first]
    if is_even and width == n - 1 and not first[-1]:
        return first[:-1]
    odd = np.flatnonzero(body.widths != n)
    if len(odd):
        raise ValueError(
            f"Line {body.lines[odd[0]]} of {name} has"
            f" {counted(int(body.widths[odd[0]]), 'cell')}, but the first line has {n}, with"
            f" {splitting.words}: correct the line, or set --separator or --decimal."
        )
    return first


def count_titles(rows: Sequence[Sequence[str]]) -> int:
    """Return how many of the first lines are titles.

    The header is the first line of different names above a line with as many cells, of which one
    is a number. A title has fewer cells than the header, or only one that is not empty.

    Parameters
    ----------
    rows : list of list of str
        The cells of the first lines, at least `MOST_TITLES` + 2 if there are so many.

    Examples
    --------
    >>> count_titles([["Sales in June"], ["shop", "euros"], ["A", "10"]])
    1
    """
    for n, (row, below) in enumerate(pairwise(rows[: MOST_TITLES + 2])):
        if _is_header(row, below):
            return n if all(_is_title(one, len(row)) for one in rows[:n]) else 0
    return 0


def describe_titles(n: int, first: str) -> str:
    """Return the note that lines were left out."""
    lines = "the first line was" if n == 1 else f"the first {n} lines were"
    return f"{lines} left out as a title above the table ({cut(first)!r})"


def _is_header(row: Sequence[str], below: Sequence[str]) -> bool:
    names = [cell for cell in row if cell]
    return (
        len(row) == len(below) > 1
        and len(row) - 1 <= len(set(names)) == len(names)
        and not any(map(is_number, names))
        and any(map(is_number, below))
    )


def _is_title(row: Sequence[str], width: int) -> bool:
    """Return whether a line is a title; one with a name fewer may be a header itself."""
    if sum(map(bool, row)) <= 1:
        return True
    return len(row) < width - 1


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
