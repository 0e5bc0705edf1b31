"""One HTML file that shows a fit in any browser, and the numbers and words that it holds."""

import json
import re
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from math import isfinite
from pathlib import Path

import numpy as np

from ..data import FloatArray, read_path
from ..saving import write_whole

MOST_LETTERS = 400
MOST_COMMON = 10  # digits


def plain(values: object, digits: int = 5) -> object:
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


HEIGHT = 900  # pixels of the report in a notebook
SCRIPTS = (
    "basics.js",
    "scatter.js",
    "words.js",
    "agreement.js",
    "columns.js",
    "sequences.js",
    "chains.js",
    "profiles.js",
    "membership.js",
    "choice.js",
    "training.js",
    "provenance.js",
    "report.js",
)


@dataclass(frozen=True)
class Report:
    """A report on a fitted mixture. A notebook displays it; `save` writes it to a file.

    Parameters
    ----------
    findings : dict
        Everything that is on the page, as plain data.
    """

    findings: dict[str, object]

    @property
    def html(self) -> str:
        """The whole page."""
        page = _read("page.html").replace("{{title}}", escape(str(self.findings["title"])))
        for mark, content in (
            ("{{style}}", _read("style.css")),
            ("{{script}}", "\n".join(map(_read, SCRIPTS))),
            ("{{findings}}", _embedded(self.findings)),
        ):
            before, _, after = page.partition(mark)
            page = before + content + after
        return page

    def save(self, path: str | Path) -> None:
        """Write the page to one file, which needs no network and no other file."""
        write_whole(
            read_path("path", path), lambda draft: draft.write_text(self.html, encoding="utf-8")
        )

    def __repr__(self) -> str:
        return f"<Report: {self.findings['title']}; save(path) writes it>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="{escape(str(self.findings["title"]))}"'
            f' style="width: 100%; height: {HEIGHT}px; border: 0"></iframe>'
        )


def _read(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


def _embedded(findings: dict[str, object]) -> str:
    """Return JSON that a browser cannot take for markup."""
    text = json.dumps(findings, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
