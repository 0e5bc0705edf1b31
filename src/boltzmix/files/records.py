"""The records of a text file: what separates its cells, and where quotes begin and end."""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ..data import BoolArray, IntArray
from .numbers import is_number

CANDIDATES = ("\t", ";", "|", ",", " ")  # in case of a tie, the first
SAMPLE = 100_000  # characters
CELL = re.compile(r'"[^"]*"|[^ \t]+')
DECLARED = re.compile(r"sep=(.)\r?$", re.MULTILINE | re.IGNORECASE)
BLANKS = rb"[ \t]+"
BLANKS_AROUND = rb"(?m)^[ \t]+|[ \t]+(?=\r?$)"


def recognise_separator(data: bytes, decimal: str | None) -> str:
    """Return the separator that splits most lines into equally many cells, mostly numbers.

    Parameters
    ----------
    data : bytes
        The text, in UTF-8.
    decimal : str, optional
        The decimal mark, if the user gave it, which is then not a separator.
    """
    sample = data[:SAMPLE].decode(errors="ignore")
    declared = DECLARED.match(sample)
    if declared:
        return declared[1]
    if len(data) > SAMPLE:
        sample = sample.rpartition("\n")[0]
    candidates = [one for one in CANDIDATES if one != decimal]
    scores = {one: _score(_split(sample, one), one) for one in candidates}
    best = max(candidates, key=scores.__getitem__)
    alone = ";" if decimal == "," else ","  # there is one column only
    return best if scores[best] > 0 else alone


def tabs_for_blanks(data: bytes) -> bytes:
    """Replace runs of blanks between cells by tabs; those inside of quotes stay."""
    data = re.sub(BLANKS_AROUND, b"", data)
    if b'"' not in data:
        return re.sub(BLANKS, b"\t", data)
    return re.sub(rb'("[^"]*")|[ \t]+', lambda found: found[1] or b"\t", data)


def _split(sample: str, separator: str) -> list[list[str]]:
    """Return the cells of each line that is neither blank nor a comment."""
    lines = io.StringIO(sample, newline="")
    try:
        rows = (
            [CELL.findall(line) for line in lines]
            if separator == " "
            else list(csv.reader(lines, delimiter=separator, skipinitialspace=True))
        )
    except csv.Error:  # a cell that is too long, because its quotes are never closed
        return []
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    return [row for row in filled if not row[0].startswith("#")] or filled


def _score(rows: list[list[str]], separator: str) -> float:
    """Return how well a separator suits: by lines of equal width, and by cells with numbers."""
    if not rows:
        return 0.0
    width, n_equal = Counter(map(len, rows)).most_common(1)[0]
    if width < 2:
        return 0.0
    cells = [cell for row in rows[1:] or rows for cell in row]
    numbers = sum(map(is_number, cells)) / len(cells)
    if separator == " " and numbers < 0.5:
        return 0.0
    is_odd = len(rows[0]) not in (width - 1, width, width + 1)  # the header has other separators
    return n_equal / len(rows) * (0.5 + numbers) / (2 if is_odd else 1)


NEWLINE, QUOTE, COMMENT = ord("\n"), ord('"'), ord("#")


@dataclass(frozen=True, eq=False)
class Records:
    """Where the records of a text begin and end. A record is a line, or several within quotes.

    Parameters
    ----------
    data : bytes
    starts, stops : array, shape (n,)
        Places of the first byte of each record, and of the end of its last line.
    widths : array, shape (n,)
        Numbers of cells.
    lines : array, shape (n,)
        Numbers of the first line of each record in the file, from 1.
    """

    data: bytes
    starts: IntArray
    stops: IntArray
    widths: IntArray
    lines: IntArray

    @classmethod
    def of(cls, data: bytes, separator: str, quoted: bool) -> Self:
        """Find the records of a text."""
        if data and not data.endswith(b"\n"):
            data += b"\n"
        codes = np.frombuffer(data, np.uint8)
        newlines = codes == NEWLINE
        marks = newlines | (codes == ord(separator))
        if quoted:
            marks &= ~_inside_quotes(codes)
        places = np.flatnonzero(marks)
        ends = np.flatnonzero(newlines[places])
        stops = places[ends]
        starts = np.concatenate([[0], stops[:-1] + 1])[: len(stops)]
        lines = np.arange(1, len(stops) + 1)
        if quoted:
            lines = 1 + np.searchsorted(np.flatnonzero(newlines), starts)
        return cls(data, starts, stops, np.diff(ends, prepend=-1), lines)

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.starts)

    def keep(self, kept: BoolArray) -> Self:
        """Return some of the records."""
        parts = {name: getattr(self, name)[kept] for name in ("starts", "stops", "widths", "lines")}
        return replace(self, **parts)

    def text(self, i: int) -> str:
        """Return a record as text."""
        return self.data[self.starts[i] : self.stops[i]].decode().rstrip("\r")

    @property
    def first_codes(self) -> IntArray:
        """The first byte of each record, shape (n,)."""
        return np.frombuffer(self.data, np.uint8)[self.starts].astype(int)

    def blank(self) -> BoolArray:
        """Return which records have nothing but blanks, shape (n,)."""
        blank: BoolArray = self.stops == self.starts
        for i in np.flatnonzero((self.widths == 1) & ~blank & (self.first_codes <= ord(" "))):
            blank[i] = not self.text(int(i)).strip()
        return blank

    def comments(self) -> BoolArray:
        """Return which records begin with #, unless most of them do, shape (n,)."""
        comments: BoolArray = self.first_codes == COMMENT
        return comments if 2 * comments.sum() <= len(self) else np.zeros(len(self), bool)

    def count_empty_at_end(self, separator: str) -> int:
        """Return the number of records at the end that have separators, but no values."""
        n = 0
        while n < len(self) and not self.text(len(self) - 1 - n).strip(f'{separator} \t"'):
            n += 1
        return n

    def all_end_with(self, separator: str) -> bool:
        """Return whether the last cell of every record is empty."""
        codes = np.frombuffer(self.data, np.uint8)
        last = self.stops - 1 - (codes[self.stops - 1] == ord("\r"))
        return bool((codes[last] == ord(separator)).all())

    def joined(self) -> bytes:
        """Return the text of all records."""
        if not len(self):
            return b""
        gaps = np.flatnonzero(self.starts[1:] != self.stops[:-1] + 1) + 1
        begins = self.starts[np.concatenate([[0], gaps])]
        ends = self.stops[np.concatenate([gaps - 1, [-1]])] + 1
        return b"".join(self.data[a:b] for a, b in zip(begins, ends, strict=True))


def resolve_quotes(data: bytes, separator: str, name: str) -> tuple[bytes, bool]:
    """Return a text whose quotes stand around cells, and whether it has any such quotes.

    Blanks between separators and quotes are taken out. Quotes only inside of cells, as in 5" nail,
    are not special. Raise if there are both kinds, or if a quote is not closed.
    """
    if b'"' not in data:
        return data, False
    mark = re.escape(separator.encode())
    if odd_quote(data, separator) is not None:
        data = re.sub(rb"(?m)(^|%b)[ ]+\"" % mark, rb'\1"', data)
        data = re.sub(rb"(?m)\"[ ]+(%b|\r?$)" % mark, rb'"\1', data)
    odd = odd_quote(data, separator)
    if odd is None:
        return data, True
    if not re.search(rb"(?m)(?:^|%b)\"" % mark, data):
        return data, False
    line = data[:odd].count(b"\n") + 1
    raise ValueError(
        f"{name} has a quotation mark in line {line} that does not stand around a whole cell: close"
        " it, or write it twice inside of a quoted cell."
    )


def odd_quote(data: bytes, separator: str) -> int | None:
    """Return the place of a quote that neither begins nor ends a cell; None if there is none."""
    codes = np.frombuffer(data, np.uint8)
    quotes = np.flatnonzero(codes == QUOTE)
    opening, closing = quotes[::2], quotes[1::2]
    around = [ord(separator), NEWLINE, ord("\r"), QUOTE]
    begins = (opening == 0) | np.isin(codes[opening - 1], around)
    ends = (closing == len(codes) - 1) | np.isin(codes[(closing + 1) % len(codes)], around)
    odd = [*opening[~begins][:1], *closing[~ends][:1]]
    if not odd and len(opening) > len(closing):
        odd = [opening[-1]]
    return int(min(odd)) if odd else None


def _inside_quotes(codes: np.ndarray) -> BoolArray:
    """Return which bytes are inside of quotes, shape (n,)."""
    return np.bitwise_xor.accumulate((codes == QUOTE).view(np.uint8)).view(bool)
