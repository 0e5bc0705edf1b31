"""Lines above the header of a table, such as the title of a report."""

from collections.abc import Sequence
from itertools import pairwise

from ..views.words import cut
from .spellings import is_number

MOST_TITLES = 10  # lines that may be above a header


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
