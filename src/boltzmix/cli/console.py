"""Output of the command: results on standard output, notes and errors on standard error."""

import json
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console

plain: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
out, err = Console(soft_wrap=True, **plain), Console(stderr=True, soft_wrap=True, **plain)

INTERRUPTED = 130  # the exit code of a command that Ctrl-C stopped, by convention
OPTIONS = {
    "n_components": "-k",
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


def note(sentence: str) -> None:
    """Print a note on standard error."""
    err.print(f"boltzmix: note: {sentence}")


def print_notes(sentences: Iterable[str]) -> list[str]:
    """Print notes on standard error, and return them."""
    printed = list(sentences)
    for sentence in printed:
        note(sentence)
    return printed


def print_json(values: Any) -> None:
    """Print values as JSON."""
    typer.echo(json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False))


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

    After Ctrl-C, that sentence says whether there is a checkpoint, and the exit code is 130.
    """
    try:
        yield
    except KeyboardInterrupt as interrupt:
        notes = getattr(interrupt, "__notes__", [])
        more = "".join(f", and {one[0].lower()}{one[1:]}" for one in notes)
        err.print(f"boltzmix: stopped by Ctrl-C{more or '.'}")
        raise typer.Exit(INTERRUPTED) from None
    except (
        BrokenPipeError,
        typer.Exit,
    ):  # the reader has closed the pipe, or the command has already ended
        raise
    except Exception as error:
        explained = isinstance(error, (ValueError, TypeError, OSError, ImportError))
        sentence = str(error) if explained else f"{type(error).__name__}: {error}"
        err.print(f"boltzmix: {in_options(sentence)}")
        raise typer.Exit(1) from None


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
