"""How a file is written, as far as the user says so."""

import codecs
from collections.abc import Sequence
from dataclasses import dataclass, field

from .limits import Limit

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
