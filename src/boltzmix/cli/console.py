"""Output of the command: results on standard output, notes and errors on standard error."""

import json
import re
from collections.abc import Iterable
from typing import IO, Any, cast

from rich.console import Console
from rich.text import Text

from ..files import Stream, harmless, standard_error, standard_output

LONGEST = 100  # characters of a quoted value in a message
QUOTED = re.compile(r"""(?<!\w)('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")(?!\w)""")
LONG_WORD = re.compile(r"\S{400,}")


class SafeConsole(Console):
    """A console that shows text from data as it is, but never obeys it, and never fails."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(
            file=cast(IO[str], stream), soft_wrap=True, highlight=False, markup=False, emoji=False
        )

    def render_str(self, text: str, **options: Any) -> Text:
        """Return text to print, in which escapes stand for control characters."""
        return super().render_str(harmless(text), **options)


out, err = SafeConsole(standard_output), SafeConsole(standard_error)


def note(sentence: str) -> None:
    """Print a note on standard error."""
    say(f"note: {sentence}")


def say(sentence: str) -> None:
    """Print a sentence on one line of standard error, with long values shortened."""
    err.print(f"boltzmix: {shortened(' '.join(sentence.splitlines()))}")


def shortened(sentence: str) -> str:
    """Return a sentence in which quoted values, and words, have no more than a hundred letters.

    Examples
    --------
    >>> shortened(f"Column {'a' * 10_000!r} holds {'b' * 10_000!r}.").count("a")
    99
    """
    short = QUOTED.sub(lambda found: _cut(found[0], found[0][0]), sentence)
    return LONG_WORD.sub(lambda found: _cut(found[0], ""), short)


def _cut(text: str, quote: str) -> str:
    return text if len(text) <= LONGEST + 2 else f"{text[:LONGEST]}…{quote}"


def print_notes(sentences: Iterable[str]) -> list[str]:
    """Print notes on standard error, and return them."""
    printed = list(sentences)
    for sentence in printed:
        note(sentence)
    return printed


def print_json(values: object) -> None:
    """Print values as JSON."""
    text = json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False)
    standard_output.write_data(f"{text}\n")


def forgive_output() -> None:
    """Only note that standard output could not be written: all results are in files."""
    if standard_output.problem is not None:
        note(f"the summary could not be printed: {standard_output.problem}.")
        standard_output.problem = None
