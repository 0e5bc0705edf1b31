"""How numbers, dates and truth values are spelled in text."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from ..data import counted
from ..views import listed
from .formats import FileFormat

GROUP_MARKS = " '’\u00a0\u202f"  # between thousands, with any decimal mark
CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[AaPp][Mm])?"
DAY = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"
    r"|\d{1,2}[- ]\p{L}{3,9}\.?[- ,]+\d{2,4}|\p{L}{3,9}\.?[- ]+\d{1,2}[- ,]+\d{2,4}"
    r"|\d{4}[- ]?[QM]\d{1,2})"
)
DATE = rf"^(?:{DAY}|{CLOCK}|{DAY}[T ]+{CLOCK}\s*(?:Z|UTC|[+-]\d{{2}}:?\d{{2}})?)$"
WITH_UNIT = r"^[€$£]\s?[+-]?[\d.,]*\d$|^[+-]?[\d.,]*\d(?:\s+\p{L}{1,4}|\s*[%‰°€$£])$"
BESIDE_NUMBERS = (  # missing values where all other cells of a column are numbers
    *("-", "--", "---", ".", "..", "*", "n.a.", "n.d.", "nd", "none", "missing", "unknown"),
    *("unavailable", "not available", "nil", "void", "-nan", "(null)", "k.a.", "-1.#ind"),
)


def number_pattern(decimal: str) -> str:
    """Return the pattern of numbers with a decimal mark, and maybe with marks of thousands."""
    thousands = f"[{'.' if decimal == ',' else ','}{GROUP_MARKS}]"
    mark = re.escape(decimal)
    whole = rf"(?:\d+|\d{{1,3}}(?:{thousands}\d{{3}})+)"
    return rf"^[+\-−]?(?:{whole}(?:{mark}\d*)?|{mark}\d+)(?:[eE][+-]?\d+)?$"


def is_number(text: str) -> bool:
    """Return whether a text is a number, maybe with marks of thousands."""
    return any(pattern.match(text.strip()) for pattern in NUMBERS)


def certain_pattern(decimal: str) -> str:
    """Return the pattern of numbers that can only have this decimal mark, such as 1,5 or 0,125."""
    mark, other = re.escape(decimal), re.escape("." if decimal == "," else ",")
    return (
        rf"^[+\-−]?(?:0*{mark}\d*|\d+{mark}(?:\d{{0,2}}|\d{{4,}})|\d{{4,}}{mark}\d*"
        rf"|\d{{1,3}}(?:{other}\d{{3}})+{mark}\d*|\d{{1,3}}(?:{other}\d{{3}}){{2,}}"
        rf"|\d*{mark}\d*[eE][+-]?\d+)$"
    )


NUMBERS = [re.compile(number_pattern(decimal)) for decimal in ".,"]


HEAD = 1000  # rows that are looked at first
Place = Callable[[int], str]


@dataclass(frozen=True, eq=False)
class TextColumn:
    """A column of text, and the numbers in it.

    Parameters
    ----------
    text : Series of str
        Without blanks around; null where a value is missing in any column.
    numeric : Series of str
        The same, but null too where the cell means a missing value beside numbers, such as "-".
    plain : Series of float, optional
        The numbers, if all cells are numbers with a decimal point and without thousands.
    """

    text: pl.Series
    numeric: pl.Series
    plain: pl.Series | None

    @classmethod
    def of(cls, cells: pl.Series, spellings: Sequence[str]) -> "TextColumn":
        """Read a column of cells."""
        plain = _plain(cells)
        if plain is not None:
            return cls(cells, cells, plain)
        text = cells.str.strip_chars()
        text = text.set(text.is_in(spellings), None)
        plain = _plain(text)
        if plain is not None:
            return cls(text, text, plain)
        numeric = text.set(text.str.to_lowercase().is_in(BESIDE_NUMBERS), None)
        return cls(text, numeric, _plain(numeric) if numeric.null_count() < len(text) else None)

    @cached_property
    def decimals(self) -> str:
        """The decimal marks with which all cells are numbers: ",", ".", both or none."""
        if self.plain is not None:
            return "."
        cells = self.numeric.drop_nulls()
        if not len(cells) or not cells[0][-1:].isdigit():
            return ""
        return "".join(one for one in ".," if cells.str.contains(number_pattern(one)).all())

    @cached_property
    def is_whole(self) -> bool:
        """Whether all cells are whole numbers, without any mark."""
        for text in (self.numeric.head(HEAD), self.numeric):
            if text.cast(pl.Int64, strict=False).null_count() > text.null_count():
                return False
        return self.numeric.null_count() < len(self.numeric)

    def has_certain(self, decimal: str) -> bool:
        """Return whether some cell can only be a number with this decimal mark."""
        pattern = certain_pattern(decimal)
        return bool(
            self.numeric.head(HEAD).str.contains(pattern).any()
            or self.numeric.str.contains(pattern).any()
        )

    def has(self, mark: str) -> bool:
        """Return whether some cell has a mark."""
        return bool(self.numeric.str.contains(mark, literal=True).any())

    def looks_grouped(self) -> bool:
        """Return whether points may stand between thousands, as in 950 and 1.200."""
        cells = self.numeric.drop_nulls()
        pointed = cells.str.contains(".", literal=True)
        if pointed.all() or not pointed.any():
            return False
        return bool(cells.str.contains(r"^[+\-]?\d{1,3}(?:\.\d{3})*$").all())

    def numbers(self, decimal: str) -> pl.Series:
        """Return the cells as numbers with a decimal mark."""
        if self.plain is not None and (decimal == "." or self.is_whole):
            return self.numeric.cast(pl.Int64) if self.is_whole else self.plain
        other = "." if decimal == "," else ","
        cells = self.numeric.str.replace_all(f"[{other}{GROUP_MARKS}]", "")
        cells = cells.str.replace(decimal, ".", literal=True).str.replace("−", "-", literal=True)
        numbers = cells.cast(pl.Float64, strict=False)
        whole = cells.cast(pl.Int64, strict=False)
        return whole if whole.null_count() == numbers.null_count() else numbers


def read_columns(
    cells: pl.DataFrame, written: FileFormat, separator: str | None, place: Place, ids: str | None
) -> tuple[pl.DataFrame, list[str], str | None]:
    """Give each column its type: numbers, truth values or text.

    Parameters
    ----------
    cells : polars.DataFrame of str
    written : FileFormat
    separator : str, optional
    place : function of a row to its place in words
    ids : str, optional
        The column of names, which keep leading zeros.

    Returns
    -------
    frame : polars.DataFrame
    notes : list of str
    decimal : str, optional
        The decimal mark of all columns with an unmistakable one, if it is the same.
    """
    columns = {name: TextColumn.of(cells[name], written.spellings) for name in cells.columns}
    decimals, usual = _find_decimals(columns, written, separator, place)
    read = {}
    for name, column in columns.items():
        if name == ids:
            read[name] = _read_names(column.text)
        elif name in decimals:
            read[name] = column.numbers(decimals[name])
        else:
            read[name] = _read_text(column.text)
    found = {name: decimals[name] for name in decimals if name != ids}
    return pl.DataFrame(read), _notes(columns, found), usual


def _find_decimals(
    columns: dict[str, TextColumn], written: FileFormat, separator: str | None, place: Place
) -> tuple[dict[str, str], str | None]:
    """Return the decimal mark of each column of numbers, and that of the unmistakable columns."""
    if written.decimal is not None:
        fit = number_pattern(written.decimal)
        known = {
            name: written.decimal
            for name, column in columns.items()
            if written.decimal in column.decimals
            or (column.plain is not None and column.numeric.drop_nulls().str.contains(fit).all())
        }
        return known, written.decimal
    known = {name: column.decimals for name, column in columns.items() if column.decimals}
    fractions = [name for name in known if not columns[name].is_whole]
    if separator not in (",", None) or any("," in known[name] for name in fractions):
        for name in fractions:
            if known[name] == "." and not columns[name].has_certain("."):
                known[name] = ".,"
    certain = {known[name] for name in fractions if len(known[name]) == 1}
    usual = certain.pop() if len(certain) == 1 else None
    for name in fractions:
        if len(known[name]) == 2:
            chosen = usual or written.usual_decimal
            known[name] = chosen or _default_decimal(name, columns[name], separator, place)
    return known, usual


def _default_decimal(name: str, column: TextColumn, separator: str | None, place: Place) -> str:
    """Return the decimal mark of a column such as 1,234, about which no other column tells."""
    is_plain = column.plain is not None
    if separator in (",", None) or (is_plain and not column.looks_grouped()):
        return "."
    mark = "." if is_plain else ","
    row = column.numeric.str.contains(mark, literal=True).arg_max() or 0
    cell = column.numeric[row]
    raise ValueError(
        f"Column {name!r} has {cell!r} in {place(row)}, which may be {cell.replace(mark, '')} or"
        f" {cell.replace(mark, '.')}: say which with --decimal '.' or --decimal ','."
    )


def _notes(columns: dict[str, TextColumn], decimals: dict[str, str]) -> list[str]:
    """Say which columns have decimal commas, thousands or unusual missing values."""
    notes = []
    commas = [name for name in decimals if decimals[name] == "," and columns[name].has(",")]
    if commas:
        notes.append(f"decimal commas were read in {_of_columns(commas)}")
    for name, decimal in decimals.items():
        column, other = columns[name], "." if decimal == "," else ","
        if (decimal == "," or column.plain is None) and column.has(other):
            row = column.numeric.str.contains(other, literal=True).arg_max() or 0
            notes.append(
                f"{column.numeric[row]!r} in column {name!r} was read as the number"
                f" {column.numbers(decimal)[row]}"
            )
        if column.text.null_count() < column.numeric.null_count():
            missing = column.text.filter(column.numeric.is_null() & column.text.is_not_null())
            notes.append(
                f"{missing[0]!r} in column {name!r} was read as a missing value"
                f" ({counted(len(missing), 'cell')})"
            )
    return notes


def _of_columns(names: Sequence[str]) -> str:
    return f"column{'' if len(names) == 1 else 's'} {listed(list(map(repr, names)))}"


def _plain(text: pl.Series) -> pl.Series | None:
    """Return numbers with decimal points, if all cells are such numbers, else None."""
    if text.null_count() == len(text):
        return text.cast(pl.Float64, strict=False)
    head = text.head(HEAD)
    if head.cast(pl.Float64, strict=False).null_count() > head.null_count():
        return None
    numbers = text.cast(pl.Float64, strict=False)
    return numbers if numbers.null_count() == text.null_count() else None


def _read_text(text: pl.Series) -> pl.Series:
    """Return truth values, if all texts are true or false, else the text."""
    for part in (text.head(HEAD), text):
        if not part.drop_nulls().str.to_lowercase().is_in(["true", "false"]).all():
            return text
    return text.str.to_lowercase() == "true"


def _read_names(text: pl.Series) -> pl.Series:
    """Turn names into whole numbers if they are written like 7, but not if like 007."""
    numbers = text.cast(pl.Int64, strict=False)
    return numbers if numbers.cast(pl.String).equals(text, null_equal=True) else text
