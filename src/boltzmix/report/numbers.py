"""Numbers and words as the page has them: short, and without NaN."""

import re
from math import isfinite
from typing import Any

import numpy as np

MOST_LETTERS = 400


def plain(values: Any, digits: int = 5) -> Any:
    """Return an array as nested lists of numbers with few digits; None where not finite."""
    array = np.asarray(values)
    if array.ndim == 0:
        return _short(array.item(), digits)
    if array.ndim > 1:
        return [plain(one, digits) for one in array]
    if array.dtype.kind in "iu":
        return array.tolist()
    return [_short(value, digits) for value in array.tolist()]


def neat(words: str) -> str:
    """Write minus signs instead of hyphens, and cut long text."""
    words = re.sub(r"(?<!\w)-(?=\d)", "−", words)
    return words if len(words) <= MOST_LETTERS else f"{words[: MOST_LETTERS - 1]}…"


def _short(value: float, digits: int) -> float | None:
    if not isfinite(value):
        return None
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short
