"""How numbers, dates and truth values are spelled in text."""

import re

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
