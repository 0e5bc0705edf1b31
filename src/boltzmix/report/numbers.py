"""Numbers and words as the page has them: short, and without NaN."""

import re
from math import isfinite
from typing import Any

import numpy as np

from ..data import FloatArray

MOST_LETTERS = 400
MOST_COMMON = 10  # digits


def plain(values: object, digits: int = 5) -> Any:
    """Return an array as nested lists of numbers with few digits; None where not finite.

    Numbers that are far from zero, for how much they differ from each other, have more digits.
    """
    array = np.asarray(values)
    if array.ndim == 0:
        return _short(array.item(), digits)
    if array.ndim > 1:
        return [plain(one, digits) for one in array]
    if array.dtype.kind in "iu":
        return array.tolist()
    enough = digits + _common_digits(array)
    return [_short(value, enough) for value in array.tolist()]


def neat(words: str) -> str:
    """Write minus signs instead of hyphens, and cut long text."""
    words = re.sub(r"(?<!\w)-(?=\d)", "−", words)
    return words if len(words) <= MOST_LETTERS else f"{words[: MOST_LETTERS - 1]}…"


def _common_digits(array: FloatArray) -> int:
    """Return about how many of the first digits most numbers (n,) have in common."""
    known = array[np.isfinite(array)]
    if not len(known):
        return 0
    first, last = np.quantile(known, [0.25, 0.75])
    spread, size = (last - first) or np.ptp(known), np.median(np.abs(known))
    if not 0 < spread < size:
        return 0
    return min(int(np.ceil(np.log10(size / spread))), MOST_COMMON)


def _short(value: float, digits: int) -> float | None:
    if not isfinite(value):
        return None
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short
