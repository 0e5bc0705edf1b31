"""Which errors, warnings and results are failures."""

import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import boltzmix
import experiments

PACKAGES = tuple(str(Path(one.__file__).parent) for one in (boltzmix, experiments))  # type: ignore[arg-type]
OWN_ERRORS = (ValueError, TypeError, NotImplementedError)


def is_own_error(error: Exception) -> bool:
    """Return whether boltzmix itself raised an error, in a sentence."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    raised_here = last.filename.startswith(PACKAGES) and (last.line or "").startswith("raise ")
    text = str(error).strip()
    return isinstance(error, OWN_ERRORS) and raised_here and is_sentence(text)


def is_sentence(text: str) -> bool:
    """Return whether a message reads like a sentence."""
    return len(text.split()) >= 4 and (text.endswith((".", ".)")) or "\n" in text)


def where(error: BaseException) -> str:
    """Return the innermost lines of a traceback, those of boltzmix first."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(PACKAGES)]
    shown = [*own[-2:], *(frame for frame in frames[-1:] if frame not in own)]
    return " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in shown)


@contextmanager
def foreign_warnings() -> Iterator[list[str]]:
    """Collect the warnings that boltzmix did not issue itself.

    What other libraries should not use of each other any more is not among them.
    """
    found: list[str] = []

    def show(message: Any, category: type[Warning], filename: str, *_: Any, **__: Any) -> None:
        if issubclass(category, DeprecationWarning) and not filename.startswith(PACKAGES):
            return
        frame = sys._getframe(1)
        while frame.f_back and Path(frame.f_code.co_filename).name == "warnings.py":
            frame = frame.f_back
        if not _is_own_warning(frame):
            found.append(f"{category.__name__}: {str(message)[:150]} ({_place(frame)})")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield found


def _is_own_warning(frame: FrameType) -> bool:
    """Return whether the frame that warned calls `warnings.warn` in boltzmix."""
    line = traceback.FrameSummary(frame.f_code.co_filename, frame.f_lineno, "").line or ""
    return frame.f_code.co_filename.startswith(PACKAGES) and "warnings.warn(" in line


def _place(frame: FrameType) -> str:
    """Return where a warning came from: its line, and the innermost line of boltzmix."""
    lines = [f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"]
    outer: FrameType | None = frame
    while outer and not outer.f_code.co_filename.startswith(PACKAGES):
        outer = outer.f_back
    if outer and outer is not frame:
        lines.append(f"{Path(outer.f_code.co_filename).name}:{outer.f_lineno}")
    return " < ".join(lines)


def not_finite(name: str, values: Any) -> list[str]:
    """Return a sentence if some values are not finite."""
    numbers = np.asarray(values, dtype=float)
    bad = ~np.isfinite(numbers)
    if not bad.any():
        return []
    return [f"{name} has {numbers[bad].ravel()[0]} ({bad.sum()} of {bad.size})"]
