"""Errors that name arguments, so that the command can name its options and its file instead.

In a message, `marked` marks the name of an argument, and `DATA` is the argument `X`. An
`InputError` has the message as it is read in Python, and keeps the marked one.
"""

from collections.abc import Callable
from typing import Self, TypeVar

MARK = "\ue000"  # of private use, before and after the name of an argument


def marked(name: str, value: object = None) -> str:
    """Return the marked name of an argument, with its value unless that is None.

    Examples
    --------
    >>> str(InputError(f"{marked('folds', 9)} is more than the 3 observations of {DATA}."))
    'folds=9 is more than the 3 observations of X.'
    """
    return f"{MARK}{name}{MARK}" if value is None else f"{MARK}{name}={value}{MARK}"


def worded(message: str, name: Callable[[str, str], str]) -> str:
    """Return a message with other names of arguments.

    Parameters
    ----------
    message : str
        With marks around arguments.
    name : function of the name of an argument and its value
        The value is empty, if the message has none. Returns the words that stand for both.
    """
    parts = message.split(MARK)
    for place in range(1, len(parts), 2):
        argument, _, value = parts[place].partition("=")
        parts[place] = name(argument, value)
    return "".join(parts)


def plain(message: str) -> str:
    """Return a message without marks, as it is read in Python."""
    return message.replace(MARK, "")


DATA = marked("X")


class MarkedError(Exception):
    """An error whose message names arguments.

    Parameters
    ----------
    message : str
        One sentence, in which the names of arguments are marked.

    Attributes
    ----------
    marked : str
        This sentence; `str` has it without marks.
    """

    def __init__(self, message: str) -> None:
        super().__init__(plain(message))
        self.marked = message

    def renamed(self, name: str, instead: str) -> Self:
        """Return the error with another name of an argument."""
        return type(self)(self.marked.replace(marked(name), marked(instead)))


class InputError(MarkedError, ValueError):
    """An invalid argument."""


class InputTypeError(MarkedError, TypeError):
    """An argument of an invalid type."""


W = TypeVar("W", bound=Warning)


def warning(kind: type[W], message: str) -> W:
    """Return a warning with the message as it is read in Python, and the marked one."""
    made = kind(plain(message))
    vars(made)["marked"] = message
    return made
