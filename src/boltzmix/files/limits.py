"""How large the content of a file may be, so that a small file cannot exhaust the machine."""

import re
from dataclasses import dataclass

from ..data import counted

UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
TEXT = 8  # bytes of memory that a byte of text takes while it is read
CELL = 8  # bytes of memory that a number takes
SERIES = 2**16  # bytes of memory that a column takes while it is read, beside its numbers
PAIR = 20 * CELL  # bytes of memory that a pair of columns takes in families with covariances
COLUMN = 2**20  # bytes of memory that a column takes where each has a family of its own
MOST_NESTED = 100  # lists and objects within each other in a JSON file


@dataclass(frozen=True)
class Limit:
    """The largest content of a file.

    Parameters
    ----------
    size : int
        In bytes of memory.
    """

    size: int = 2 * 2**30

    @classmethod
    def of(cls, text: str) -> "Limit":
        """Read a size such as 500MB, 4GB or 1.5g."""
        found = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,9})?)\s*([kmgt]?)i?b?\s*", text.lower())
        size = 0 if found is None else int(float(found[1]) * UNITS[found[2].upper()])
        if size < 1:
            raise ValueError(f"--max-size must be a size such as 500MB or 4GB, not {text!r}.")
        return cls(size)

    def check_bytes(self, n: int, name: str) -> None:
        """Raise if a file has too many bytes."""
        if n > self.size:
            raise ValueError(f"{name} is larger than {self}: {RAISE}.")

    @property
    def most_unpacked(self) -> int:
        """The largest number of bytes to which packed text may unfold."""
        return self.size // TEXT

    def too_large_unpacked(self, name: str) -> ValueError:
        """Return the error of packed text that unfolds to more than that."""
        most = Limit(self.most_unpacked)
        return ValueError(f"{name} unpacks to more than {most} of text: {RAISE}.")

    def check_cells(self, rows: int, columns: int, name: str) -> None:
        """Raise if a table has too many cells."""
        if columns * (rows * CELL + SERIES) > self.size:
            raise ValueError(
                f"{name} has {counted(rows, 'row')} of {counted(columns, 'column')}, which take"
                f" more than {self} of memory: {RAISE}."
            )

    def check_texts(self, n: int, name: str) -> None:
        """Raise if the texts in the cells of a table have too many bytes."""
        if n > self.most_unpacked:
            raise ValueError(f"{name} has {Limit(n)} of text in its cells: {RAISE}.")

    def check_columns(self, n: int, family: str, in_pairs: bool) -> None:
        """Raise if a family would need too much memory for so many columns.

        Parameters
        ----------
        n : int
        family : str
        in_pairs : bool
            Whether the family has covariances, and not a family of its own for each column.
        """
        if (n * n * PAIR if in_pairs else n * COLUMN) > self.size:
            what = "all pairs of columns" if in_pairs else "every column by itself"
            raise ValueError(
                f"{n:,} columns are too many for the family {family}, which models {what}: name"
                " fewer with --columns, choose --family laplace, or allow more memory with"
                " --max-size."
            )

    def __str__(self) -> str:
        unit = max((one for one in UNITS if self.size >= UNITS[one]), key=UNITS.__getitem__)
        return f"{self.size / UNITS[unit]:.3g} {unit}B" if unit else counted(self.size, "byte")


RAISE = "allow more with --max-size, such as --max-size 8GB, or use a part of it"


def check_nesting(text: bytes, name: str) -> None:
    """Raise if values in a JSON text are nested too deeply, which readers cannot bear."""
    depth = deepest = 0
    for found in re.finditer(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', text, re.DOTALL):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(found[0], 0)
        deepest = max(deepest, depth)
        if deepest > MOST_NESTED:
            raise ValueError(
                f"{name} has more than {MOST_NESTED} lists and objects within each other: write"
                " one object for each row."
            )
