"""Errors and warnings of the command: mistakes of the user as one sentence each, and bugs."""

import dis
import shlex
import sys
import sysconfig
import tempfile
import traceback
import warnings
from ast import literal_eval
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import cast

import typer

from ..data import DATA, MarkedError, worded
from ..files import standard_output
from .console import err, say

INTERRUPTED = 130  # the exit code of a command that Ctrl-C stopped, by convention
OPTIONS = {
    "n_components": "-k",
    "n_clusters": "--clusters",
    "n_init": "--n-init",
    "max_iter": "--max-iter",
    "n_states": "--states",
    "random_state": "--seed",
    "covariance": "--covariance",
    "init": "--init",
    "columns": "--columns",
    "algorithm": "--algorithm",
    "criterion": "--criterion",
    "folds": "--folds",
    "level": "--level",
    "checkpoint": "--checkpoint",
    "compare_with": "--compare-with",
}
BUG = 3  # the exit code of a command that ended in a bug
PACKAGE = Path(__file__).resolve().parents[1]
LIBRARIES = tuple(
    Path(sysconfig.get_path(one)).resolve() for one in ("stdlib", "purelib", "platlib")
)


@dataclass
class Debugging:
    """Whether tracebacks are printed, for which `--debug` asks."""

    is_on: bool = False


debugging = Debugging()


@contextmanager
def warnings_as_sentences() -> Iterator[list[str]]:
    """Collect warnings in the words of the command, instead of showing them."""
    sentences: list[str] = []
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        yield sentences
    sentences += [_sentence(cast(Warning, warning.message)) for warning in noted]


@contextmanager
def one_sentence_errors() -> Iterator[None]:
    """Print an error as one sentence, and exit with 1; with 3 if it is a bug, which is logged.

    After Ctrl-C, that sentence says whether there is a checkpoint, and the exit code is 130. It is
    an error, too, if standard output could not be written, unless `forgive_output` was called. With
    `--debug`, every error has its traceback.
    """
    standard_output.problem = None
    try:
        yield
        if standard_output.problem is not None:
            raise OSError(f"Standard output could not be written: {standard_output.problem}.")
    except KeyboardInterrupt as interrupt:
        notes = getattr(interrupt, "__notes__", [])
        more = "".join(f", and {one[0].lower()}{one[1:]}" for one in notes)
        say(f"stopped by Ctrl-C{more or '.'}")
        raise typer.Exit(INTERRUPTED) from None
    except typer.Exit:  # the command has already ended
        raise
    except Exception as error:
        if debugging.is_on:
            err.print("".join(traceback.format_exception(error)).rstrip())
        sentence = _describe_mistake(error)
        say(sentence or _describe_bug(error))
        raise typer.Exit(BUG if sentence is None else 1) from None


def _describe_mistake(error: Exception) -> str | None:
    """Return what to do about an error that is no bug; None for a bug.

    An error is a mistake of the user if boltzmix raised it deliberately, if a file or a package is
    the reason, or if it comes from code of the user.
    """
    if isinstance(error, MemoryError):
        return "there is not enough memory for this: use a part of the file, or fewer columns."
    frames = [*traceback.walk_tb(error.__traceback__)]
    own = [frame for frame, _ in frames if _is_of_user(Path(frame.f_code.co_filename))]
    if own and not isinstance(error, MarkedError):
        place = f"{own[-1].f_code.co_filename}, in {own[-1].f_code.co_name}"
        return f"{place}: {type(error).__name__}: {error}"
    if isinstance(error, MarkedError | OSError | ImportError):
        return _sentence(error)
    is_deliberate = isinstance(error, ValueError | TypeError) and _was_raised_here(error)
    return _sentence(error) if is_deliberate else None


def _is_of_user(file: Path) -> bool:
    """Return whether a file is neither of boltzmix nor of an installed package."""
    path = file.resolve()
    return file.is_file() and not any(map(path.is_relative_to, (PACKAGE, *LIBRARIES)))


def _was_raised_here(error: Exception) -> bool:
    """Return whether a `raise` statement of boltzmix raised an error, and not an operation."""
    last = cast(TracebackType, error.__traceback__)
    while last.tb_next is not None:
        last = last.tb_next
    code = last.tb_frame.f_code
    is_raised = dis.opname[code.co_code[last.tb_lasti]] == "RAISE_VARARGS"
    return is_raised and Path(code.co_filename).resolve().is_relative_to(PACKAGE)


def _describe_bug(error: Exception) -> str:
    """Write the traceback of a bug to a file, unless it was printed; say where it is."""
    found = f"this is a bug of boltzmix ({type(error).__name__}: {error})"
    report = "please report it with the traceback"
    if debugging.is_on:
        return f"{found}: {report} above."
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="boltzmix-", suffix=".log", delete=False, encoding="utf-8"
        ) as log:
            log.write(f"{shlex.join(sys.argv)}\n\n")
            log.writelines(traceback.format_exception(error))
    except OSError:
        return f"{found}: {report}, which boltzmix --debug prints before other options."
    return f"{found}: {report} in {log.name}."


def in_options(message: str) -> str:
    """Return a message in which options stand for the arguments that are marked.

    Examples
    --------
    >>> from boltzmix.data import DATA, marked
    >>> in_options(f"{DATA} has 3 rows, so {marked('n_components', 4)} is more.")
    'The file has 3 rows, so -k 4 is more.'
    """
    words = worded(message, _option)
    return words[0].upper() + words[1:] if message.startswith(DATA) else words


def _sentence(error: BaseException) -> str:
    """Return the message of an error or a warning, with options in place of its arguments."""
    return in_options(vars(error).get("marked", str(error)))


def _option(name: str, value: str) -> str:
    """Return the words of the command for an argument, and for its value."""
    if name == "X":
        return "the file"
    if name == "n_samples ":
        return value.strip()
    if name == "family":
        ((column, family),) = literal_eval(value).items()
        return f"--family '{column}={family}'"
    option = OPTIONS.get(name, name)
    if not value:
        return option
    if value.startswith("["):
        several = literal_eval(value)
        value = f"{several[0]}..{several[-1]}"
    plain = value.strip("'")
    return f"{option} {plain}" if option != name else f"{name}={value}"
