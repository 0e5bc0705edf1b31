"""Output of the command: results on standard output, notes and errors on standard error."""

import json
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

import typer
from rich.console import Console
from rich.text import Text

from ..files import Stream, harmless, standard_error, standard_output

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
}
WORDS = {
    r"^X\b": "The file",
    r"\bof X\b": "of the file",
    r"\bbut X has\b": "but the file has",
    r"n_components=\[(\d+), (\d+)\]": r"-k \1..\2",
    r"the n_samples = ": "the ",
    r"\b1 features\b": "1 feature",  # in the words of scikit-learn, which Python users know
    r"use algorithm ": "use --algorithm ",
    r"Mixture\(\{'(.*?)': '([\w-]+)'\}\)": r"--family '\1=\2'",
    r"load\(path, families=\[(\w+)\]\)": r"--family module:\1",
}


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
    _say(f"note: {sentence}")


def _say(sentence: str) -> None:
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


@contextmanager
def warnings_as_sentences() -> Iterator[list[str]]:
    """Collect warnings in the words of the command, instead of showing them."""
    sentences: list[str] = []
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        yield sentences
    sentences += [in_options(str(warning.message)) for warning in noted]


@contextmanager
def one_sentence_errors() -> Iterator[None]:
    """Print an error as one sentence, without a traceback, and exit with 1.

    After Ctrl-C, that sentence says whether there is a checkpoint, and the exit code is 130. It is
    an error, too, if standard output could not be written, unless `forgive_output` was called.
    """
    standard_output.problem = None
    try:
        yield
        if standard_output.problem is not None:
            raise OSError(f"Standard output could not be written: {standard_output.problem}.")
    except KeyboardInterrupt as interrupt:
        notes = getattr(interrupt, "__notes__", [])
        more = "".join(f", and {one[0].lower()}{one[1:]}" for one in notes)
        _say(f"stopped by Ctrl-C{more or '.'}")
        raise typer.Exit(INTERRUPTED) from None
    except typer.Exit:  # the command has already ended
        raise
    except MemoryError:
        _say("there is not enough memory for this: use a part of the file, or fewer columns.")
        raise typer.Exit(1) from None
    except Exception as error:
        explained = isinstance(error, (ValueError, TypeError, OSError, ImportError))
        sentence = str(error) if explained else f"{type(error).__name__}: {error}"
        _say(in_options(sentence))
        raise typer.Exit(1) from None


def forgive_output() -> None:
    """Only note that standard output could not be written: all results are in files."""
    if standard_output.problem is not None:
        note(f"the summary could not be printed: {standard_output.problem}.")
        standard_output.problem = None


def in_options(sentence: str) -> str:
    """Replace the arguments that a sentence names by options; quoted names stay."""
    for argument, option in OPTIONS.items():
        assigned = rf"(?<![\w'\"/.-]){argument}=(['\"]?)([\w+]+)\1"
        sentence = re.sub(assigned, rf"{option} \2", sentence)
        alone = rf"(?<![\w'\"/.-]){argument}(?=[\s,:;)]|\.(?!\w)|$)"
        if "_" in argument or sentence.startswith(f"{argument} must "):
            sentence = re.sub(alone, option, sentence)
    for words, instead in WORDS.items():
        sentence = re.sub(words, instead, sentence)
    return sentence
