"""Estimates with standard errors and intervals, as text and as a notebook shows them."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

HEADINGS = ("component", "parameter", "estimate", "standard error", "lower", "upper")
MOST_ROWS = 60  # of text
FEW = 0.05  # of all replicates
REASONS = {
    "moved": "moved far from the fitted mixture",
    "vanished": "lost a component",
    "not converged": "did not converge",
}


def describe_replicated(rows: Sequence[Mapping[str, Any]], sentences: Sequence[str]) -> str:
    """Return a table of estimates as text, with sentences below it."""
    cells = [_cells(row) for row in rows[:MOST_ROWS]]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *cells, strict=True)]
    lines = [
        f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  "
        + "  ".join(map(str.rjust, row[2:], widths[2:]))
        for row in (HEADINGS, *cells)
    ]
    left = len(rows) - len(cells)
    more = [f"… and {left} more: see to_frame() or rows()."] if left > 0 else []
    return "\n".join([*lines, *more, *sentences])


def replicated_table(rows: Sequence[Mapping[str, Any]], sentences: Sequence[str]) -> str:
    """Return a table of estimates as HTML."""
    head = "".join(f"<th>{name}</th>" for name in HEADINGS)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(row))}</tr>" for row in rows
    )
    below = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    return f"<table><tr>{head}</tr>{body}</table>{below}"


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


def _cells(row: Mapping[str, Any]) -> list[str]:
    names = [str(row["component"]), str(row["parameter"])]
    numbers = (row["estimate"], row["standard_error"], row["lower"], row["upper"])
    return [*names, *(f"{number:.4g}" for number in numbers)]
