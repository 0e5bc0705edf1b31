"""How a file is written, as far as the user says so, and how large its content may be."""

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

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


SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "pipe": "|", "space": " "}
MISSING = (
    *("", "NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "None", "?", "<NA>"),
    *("#N/A", "#NA", "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!"),
)


@dataclass(frozen=True)
class FileFormat:
    """How a file is written. Whatever is None is recognised from the content of the file.

    Parameters
    ----------
    separator : str, optional
        The character between cells, or its name, such as "tab"; "space" for any run of blanks.
    decimal : str, optional
        "." or ",".
    encoding : str, optional
    missing : list of str
        Spellings of missing values, besides the usual ones.
    header : bool, optional
        Whether the first line has the names of the columns.
    sheet : str, optional
        The sheet of a workbook; the first if absent.
    usual_decimal : str, optional
        The decimal mark of numbers that could be read either way, such as 1,234.
    limit : Limit
        How large the content may be.
    """

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    missing: Sequence[str] = ()
    header: bool | None = None
    sheet: str | None = None
    usual_decimal: str | None = None
    limit: Limit = field(default_factory=Limit)

    def __post_init__(self) -> None:
        if self.separator is not None:
            separator = SEPARATORS.get(self.separator.lower(), self.separator)
            if len(separator.encode()) != 1 or separator in '\r\n"':
                raise ValueError(
                    f"--separator must be one character, such as ';', or one of"
                    f" {', '.join(name for name in SEPARATORS if name.isalpha())}, not"
                    f" {self.separator!r}."
                )
            object.__setattr__(self, "separator", separator)
        if self.decimal not in (None, ".", ","):
            raise ValueError(f"--decimal must be '.' or ',', not {self.decimal!r}.")
        if self.decimal is not None and self.decimal == self.separator:
            raise ValueError(
                f"--separator and --decimal are both {self.decimal!r}: choose different ones."
            )
        _check_encoding(self.encoding)

    @property
    def spellings(self) -> list[str]:
        """All spellings of missing values."""
        return [*MISSING, *self.missing]

    @property
    def missing_numbers(self) -> list[float]:
        """The numbers that stand for missing values, such as -999."""
        return [float(one) for one in self.missing if _is_number(one)]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _check_encoding(encoding: str | None) -> None:
    if encoding is None:
        return
    try:
        b"".decode(codecs.lookup(encoding).name)
    except LookupError:
        raise ValueError(
            f"--encoding names {encoding!r}, which is not an encoding of text: use utf-8, latin-1,"
            " cp1252 or utf-16, for example."
        ) from None
