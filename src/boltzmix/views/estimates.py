"""Estimates with standard errors, as text and as a notebook shows them."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from ..look import html_table, text_table

NOT_KNOWN = "–"


def describe_estimates(estimates: Any) -> str:
    """Return estimates as a table of text, under a caption and above notes."""
    headings, rows = estimates_cells(estimates)
    caption = [estimates.caption] if estimates.caption else []
    return "\n".join([*caption, text_table(headings, rows, n_left=2), *estimates.notes])


def estimates_table(estimates: Any) -> str:
    """Return estimates as a table of HTML, with notes below."""
    notes = "".join(f"<p>{escape(note)}</p>" for note in estimates.notes)
    return html_table(*estimates_cells(estimates), caption=estimates.caption) + notes


def p_value_cell(value: float) -> str:
    """Write a p-value with three decimals, or as smaller than 0.001."""
    if np.isnan(value):
        return NOT_KNOWN
    return "<0.001" if value < 0.0005 else f"{value:.3f}"


def number_cell(value: float) -> str:
    """Write a number with four digits that count, or a dash where it is not known."""
    if np.isnan(value):
        return NOT_KNOWN
    return f"{value:.4g}" if abs(value) < 1e-3 or abs(value) >= 1e4 else _decimal(value)


def _decimal(value: float) -> str:
    decimals = int(np.clip(3 - np.floor(np.log10(abs(value))), 0, 4))
    return f"{value:.{decimals}f}"


def estimates_cells(estimates: Any) -> tuple[list[str], list[list[str]]]:
    """Return the headings and the cells of a table of estimates, as words."""
    headings = {
        "component": "component",
        "name": "parameter",
        "estimate": "estimate",
        "standard_error": "std. error",
        "z": "z",
        "p": "p",
        "lower": "lower",
        "upper": "upper",
        "ratio": estimates.ratio,
        "ratio_lower": "lower",
        "ratio_upper": "upper",
    }
    rows = estimates.rows()
    names = [name for name in headings if rows and name in rows[0]]
    cells = [[_cell(name, row[name]) for name in names] for row in rows]
    return [headings[name] for name in names], cells


def _cell(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if name == "z":
        return NOT_KNOWN if np.isnan(value) else f"{value:.2f}"
    return p_value_cell(value) if name == "p" else number_cell(value)


REPLICATED_HEADINGS = ("component", "parameter", "estimate", "standard error", "lower", "upper")
MOST_ROWS = 60  # of text
FEW = 0.05  # of all replicates
REASONS = {
    "moved": "moved far from the fitted mixture",
    "vanished": "lost a component",
    "not converged": "did not converge",
}


def describe_replicated(rows: Sequence[Mapping[str, Any]], sentences: Sequence[str]) -> str:
    """Return a table of estimates as text, with sentences below it."""
    table = text_table(
        REPLICATED_HEADINGS, list(map(_replicated_cells, rows[:MOST_ROWS])), n_left=2
    )
    left = len(rows) - MOST_ROWS
    more = [f"… and {left} more: see to_frame() or rows()."] if left > 0 else []
    return "\n".join([table, *more, *sentences])


def replicated_table(rows: Sequence[Mapping[str, Any]], sentences: Sequence[str]) -> str:
    """Return a table of estimates as HTML."""
    below = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    return html_table(REPLICATED_HEADINGS, list(map(_replicated_cells, rows))) + below


def describe_left_out(left_out: Mapping[str, int], n: int) -> str:
    """Say how many of n replicates are left out of a bootstrap, why, and what to do if many are."""
    reasons = ", ".join(f"{count} {REASONS[reason]}" for reason, count in left_out.items())
    total = sum(left_out.values())
    sentence = f"{total} of {n} replicates {'is' if total == 1 else 'are'} left out ({reasons})"
    if total <= FEW * n:
        return f"{sentence}."
    return (
        f"{sentence}: the data hardly tell some components apart, so standard errors are too small;"
        " use fewer components, or a simpler family."
    )


def _replicated_cells(row: Mapping[str, Any]) -> list[str]:
    names = [str(row["component"]), str(row["parameter"])]
    numbers = (row["estimate"], row["standard_error"], row["lower"], row["upper"])
    return [*names, *(f"{number:.4g}" for number in numbers)]
