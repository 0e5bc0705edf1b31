"""One HTML file that shows a fit in any browser, without other files or a network."""

import json
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..data import read_path
from ..saving import write_whole

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

    findings: dict[str, Any]

    @property
    def html(self) -> str:
        """The whole page."""
        page = _read("page.html").replace("{{title}}", escape(self.findings["title"]))
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
            f'<iframe srcdoc="{escape(self.html)}" title="{escape(self.findings["title"])}"'
            f' style="width: 100%; height: {HEIGHT}px; border: 0"></iframe>'
        )


def _read(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


def _embedded(findings: dict[str, Any]) -> str:
    """Return JSON that a browser cannot take for markup."""
    text = json.dumps(findings, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
