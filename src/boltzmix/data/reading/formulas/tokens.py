"""The names, numbers and signs of a formula."""

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 10_000  # letters of a formula
SHOWN = 80  # letters of a formula in messages
QUOTING = "put names of columns that have spaces or signs between back quotes"
TOKEN = re.compile(
    r"""
    (?P<space>\s+)
    | (?P<number> (?:[0-9]{1,40}(?:\.[0-9]{0,40})? | \.[0-9]{1,40}) (?:[eE][+-]?[0-9]{1,3})? )
      (?![\w.])
    | `(?P<quoted>[^`]+)`
    | (?P<name>(?:np\.)?[^\W\d]\w*)
    | (?P<sign>\*\*|[-+*/:^(){}])
    """,
    re.VERBOSE,
)
QUOTED_OR_TILDE = re.compile(r"`[^`]*`|~")


class Token(NamedTuple):
    """A part of a formula.

    Parameters
    ----------
    kind : {"number", "quoted", "name", "sign", "end"}
    text : str
    """

    kind: str
    text: str


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the parts of a formula, and an end; raise if there is something else in it."""
    place = 0
    while place < len(text):
        found = TOKEN.match(text, place)
        if found is None:
            rest = text[place : place + 10]
            raise unreadable(text, f"{rest!r} is none of what it may have", QUOTING)
        if found.lastgroup != "space":
            kind = str(found.lastgroup)
            yield Token(kind, found[kind])
        place = found.end()
    yield Token("end", "")


def split_sides(text: str) -> tuple[str | None, str]:
    """Return what stands before and after the tilde of a formula; None before, if there is none.

    Raises
    ------
    ValueError
        If there are several tildes outside back quotes.
    """
    tildes = [one.start() for one in QUOTED_OR_TILDE.finditer(text) if one[0] == "~"]
    if not tildes:
        return None, text
    if len(tildes) > 1:
        raise unreadable(text, "it has more than one tilde")
    return text[: tildes[0]], text[tildes[0] + 1 :]


def unreadable(text: str, reason: str, advice: str = "") -> ValueError:
    """Return the error of a formula that is not of our grammar, with the reason."""
    return ValueError(
        f"The formula {shown(text)} cannot be read, as {reason}: use names of columns with"
        f" + - * / : ^ and functions, as in 'age + sex + age:sex'{advice and ', and '}{advice}."
    )


def too_large(text: str, reason: str) -> ValueError:
    """Return the error of a formula that would take too long or make too much."""
    return ValueError(f"The formula {shown(text)} {reason}: leave some of them out.")


def shown(text: str) -> str:
    """Return a formula between quotes, shortened if it is long."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…")
