"""The columns of a file that are clustered, and why others are left out."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

import polars as pl

from ..data import InputError, marked
from ..views import listed
from .columns import Content
from .numbers import DATE, WITH_UNIT

TEXT = (pl.String, pl.Categorical, pl.Enum, pl.Boolean)
HEAD = 1000  # rows that are looked at first
MOST_TEXTS = 20  # a column with more different texts may hold identifiers
MOST_NOTES = 3  # columns that are left out for the same reason with a note each
ROW_NAMES = re.compile(
    r"(column_1|unnamed: ?0|index|row_?(id|nr|names?|number)?|nr|no|id)\.?", re.I
)
REASONS = {
    "empty": ("it has no values", "they have no values"),
    "dates": ("it holds dates or times", "they hold dates or times"),
    "other": ("its type cannot be clustered", "their types cannot be clustered"),
    "broken": ("not all of its cells are numbers", "not all of their cells are numbers"),
    "text": ("it is not numeric", "they are not numeric"),
    "identifier": ("nearly every row has another text", "nearly every row has another text"),
    "constant": ("it has one value only", "they have one value only"),
    "row number": ("it counts the rows", "they count the rows"),
}


class Reason(NamedTuple):
    """Why a column is left out: a key of REASONS, and what shows it."""

    kind: str
    shown: str


class Choice(NamedTuple):
    """The names of the columns to cluster, and notes on those that are left out."""

    names: list[str]
    notes: list[str]


def choose(
    content: Content,
    columns: Sequence[str] | None,
    codes: bool = False,
    mixed: bool = False,
    kept: Collection[str] = (),
    rows: bool = False,
    for_text: Sequence[str] = (),
) -> Choice:
    """Choose the columns to cluster.

    Parameters
    ----------
    content : Content
        The columns to choose among.
    columns : list of str, optional
        The columns that the user has named; all that can be used if absent.
    codes : bool
        Whether columns of text can be used too. Without `columns`, they are used if no column is
        numeric.
    mixed : bool
        Whether, without `columns`, columns of text are used beside numeric ones.
    kept : collection of str
        Columns that are used in any case.
    rows : bool
        Whether every row is an observation, so that a column that counts the rows says nothing.
    for_text : sequence of str
        Names of families that take text, which notes and messages advise.
    """
    frame, text = content.frame, codes or mixed
    if columns is not None:
        return Choice(_check_named(content, columns, text, for_text), [])
    reasons = {
        name: reason
        for name in frame.columns
        if name not in kept and (reason := _find_reason(content, frame[name], text, rows))
    }
    usable = [name for name in frame.columns if name not in reasons]
    numeric = [name for name in usable if frame[name].dtype.is_numeric()]
    if not mixed and numeric:
        reasons |= {name: _not_numeric(content, name) for name in usable if name not in numeric}
        usable = numeric
    ordered = {name: reasons[name] for name in frame.columns if name in reasons}
    advises = bool(for_text) and not text
    notes = _notes(ordered, f"; --family {for_text[0]} uses text, too" if advises else "")
    if not usable:
        raise ValueError(
            f"{content.name} has no column to cluster ({'; '.join(notes)}): correct the file, or"
            " set --separator or --decimal, if it was read in a wrong way."
        )
    return Choice(usable, notes)


def _check_named(
    content: Content, columns: Sequence[str], text: bool, for_text: Sequence[str]
) -> list[str]:
    """Return the columns that the user has named; raise if one cannot be used."""
    if isinstance(columns, str) or len(columns) == 0 or len(set(columns)) < len(columns):
        raise InputError(f"{marked('columns')} must be a list of different names, not {columns!r}.")
    for name in columns:
        content.check_column(name)
        column = content.frame[name]
        if column.null_count() == len(column) or column.dtype.is_numeric():
            continue
        reason = _text_reason(content, column)
        if text and column.dtype.base_type() in TEXT and reason.kind != "dates":
            continue
        way_out = "correct it" if reason.kind == "broken" else "choose other columns"
        if reason.kind in ("text", "identifier") and for_text:
            way_out += f", or use --family {' or '.join(for_text)} for text"
        raise ValueError(
            f"Column {name!r} of {content.name} is not numeric ({reason.shown}): {way_out}."
        )
    return list(columns)


def _find_reason(content: Content, column: pl.Series, text: bool, rows: bool) -> Reason | None:
    """Return why a column is left out; None if it is not."""
    if column.null_count() == len(column):
        return Reason("empty", "")
    if not column.dtype.is_numeric():
        reason = _text_reason(content, column)
        if reason.kind != "text" or not text:
            return reason
    if len(column) > 1 and _is_constant(column):
        return Reason("constant", str(column.drop_nulls()[0]))
    if rows and _counts_rows(column):
        return Reason("row number", "")
    return None


def _text_reason(content: Content, column: pl.Series) -> Reason:
    """Return why a column that is not of numbers is not."""
    if column.dtype.is_temporal():
        return Reason("dates", _cell(content, column, column.is_not_null()))
    if column.dtype.base_type() not in TEXT:
        return Reason("other", str(column.dtype))
    if column.dtype == pl.String:
        if _all_match(column, DATE):
            return Reason("dates", _cell(content, column, column.is_not_null()))
        numbers = column.cast(pl.Float64, strict=False).is_not_null()
        measured = numbers | column.str.contains(WITH_UNIT)
        if 2 * measured.sum() > column.is_not_null().sum():
            return Reason("broken", _cell(content, column, column.is_not_null() & ~numbers))
        if _is_identifier(column):
            return Reason("identifier", _cell(content, column, column.is_not_null()))
    return _not_numeric(content, column.name)


def _not_numeric(content: Content, name: str) -> Reason:
    column = content.frame[name]
    return Reason("text", _cell(content, column, column.is_not_null()))


def _cell(content: Content, column: pl.Series, found: pl.Series) -> str:
    """Quote the first cell that was found, with its place."""
    row = found.arg_max() or 0
    return f"{str(column[row])!r} in {content.place(row)}"


def _all_match(text: pl.Series, pattern: str) -> bool:
    return all(part.str.contains(pattern).all() for part in (text.head(HEAD), text))


def _is_identifier(text: pl.Series) -> bool:
    """Return whether most rows have a text of their own."""
    return text.n_unique() > max(MOST_TEXTS, (len(text) - text.null_count()) / 2)


def _is_constant(column: pl.Series) -> bool:
    """Return whether all values that are not missing are the same."""
    if column.dtype.is_numeric():
        return column.min() == column.max()
    return column.drop_nulls().n_unique() == 1


def _counts_rows(column: pl.Series) -> bool:
    """Return whether a column is named like row numbers, and counts from 0 or 1."""
    if not (column.dtype.is_integer() and ROW_NAMES.fullmatch(column.name)) or len(column) < 3:
        return False
    return column[0] in (0, 1) and bool((column.diff()[1:] == 1).all(ignore_nulls=False))


def _notes(reasons: dict[str, Reason], on_text: str) -> list[str]:
    """Say which columns are left out, and why."""
    notes = []
    for kind, (singular, plural) in REASONS.items():
        names = [name for name, reason in reasons.items() if reason.kind == kind]
        hint = on_text if kind == "text" else ""
        if len(names) > MOST_NOTES:
            shown = reasons[names[0]].shown
            example = f" ({names[0]!r} has {shown})" if shown else ""
            left_out = f"{len(names)} columns were left out, because {plural}"
            notes.append(f"{left_out}: {listed(names)}{example}{hint}")
            continue
        for name in names:
            shown = f" ({reasons[name].shown})" if reasons[name].shown else ""
            notes.append(f"column {name!r} was left out, because {singular}{shown}{hint}")
    return notes
