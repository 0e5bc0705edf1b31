"""The separator between the cells of a text file, recognised from its first lines."""

import csv
import io
import re
from collections import Counter

from .spellings import is_number

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
