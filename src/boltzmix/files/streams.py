"""Standard output and standard error, to which printing never ends a finished job."""

import codecs
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

PLAIN = str.maketrans(
    {"…": "...", "–": "-", "−": "-", "±": "+/-", "\N{NO-BREAK SPACE}": " ", "’": "'", "²": "2"}
)  # instead of characters that an encoding does not have
COMMANDS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


@dataclass
class Stream:
    """Standard output or standard error.

    What is written in vain is lost, and `problem` says why; nothing is raised. A reader that
    closes its pipe, as `head` does, has seen enough, and is no problem.

    Parameters
    ----------
    name : str
        "stdout" or "stderr".
    problem : str, optional
        Why something could not be written.
    """

    name: str
    problem: str | None = None

    def write(self, text: str) -> int:
        """Write text; characters that the encoding does not have are replaced."""
        self._try(lambda stream: stream.write(encodable(text, stream.encoding)))
        return len(text)

    def flush(self) -> None:
        """Write what is in memory."""
        self._try(lambda stream: stream.flush())

    def write_data(self, text: str) -> None:
        """Write data for other programs; raise an `OSError` if that is not possible.

        On a terminal, control characters are replaced. Elsewhere, data are written as they are, in
        UTF-8 if the encoding does not have their characters.
        """
        self._try(lambda stream: _write_data(stream, text))
        if self.problem is not None:
            problem, self.problem = self.problem, None
            raise OSError(f"Standard output could not be written: {problem}.")

    def isatty(self) -> bool:
        """Return whether this is a terminal."""
        stream = self._stream
        return stream is not None and stream.isatty()

    @property
    def encoding(self) -> str:
        """The encoding of text."""
        return getattr(self._stream, "encoding", None) or "utf-8"

    @property
    def _stream(self) -> TextIO | None:
        """The stream below any progress bar."""
        stream = getattr(sys, self.name)
        return getattr(stream, "rich_proxied_file", stream)

    def _try(self, work: Callable[[TextIO], object]) -> None:
        stream = self._stream
        if stream is None:  # as after >&-
            self.problem = self.problem or f"{self.name} is closed"
            return
        try:
            work(stream)
        except BrokenPipeError:
            _discard(stream)
        except (OSError, ValueError) as error:  # a ValueError, if it was closed since
            self.problem = self.problem or getattr(error, "strerror", None) or str(error)
            _discard(stream)


standard_output, standard_error = Stream("stdout"), Stream("stderr")


def harmless(text: str) -> str:
    r"""Return text in which escapes stand for whatever could command a terminal.

    It replaces control characters, marks that change the direction of text, and broken characters.

    Examples
    --------
    >>> print(harmless("\x1b[31mred"))
    \x1b[31mred
    """
    return COMMANDS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def encodable(text: str, encoding: str | None) -> str:
    """Return text with replacements for characters that an encoding does not have."""
    code = encoding or "utf-8"
    return text.encode(code, "boltzmix.replace").decode(code)


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for characters that cannot be encoded, and where to go on."""
    assert isinstance(error, UnicodeEncodeError)
    found = error.object[error.start : error.end].translate(PLAIN)
    return found.encode("ascii", "backslashreplace").decode(), error.end


codecs.register_error("boltzmix.replace", _replace)


def _write_data(stream: TextIO, text: str) -> None:
    shown = harmless(text) if stream.isatty() else text
    if stream.isatty() or encodable(text, stream.encoding) == text:
        stream.write(encodable(shown, stream.encoding))
    else:
        stream.flush()
        stream.buffer.write(text.encode("utf-8", "backslashreplace"))
    stream.flush()


def _discard(stream: TextIO) -> None:
    """Let whatever else is written to a stream disappear, as when Python ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # a stream in memory, or one that is closed
        return
