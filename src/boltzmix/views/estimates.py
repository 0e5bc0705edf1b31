"""Estimates with standard errors, as text and as a notebook shows them."""

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
