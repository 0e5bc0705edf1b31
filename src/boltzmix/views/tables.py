"""Tables as text and as HTML."""

from collections.abc import Sequence
from html import escape

Cells = Sequence[Sequence[str]]


def text_table(headings: Sequence[str], rows: Cells, n_left: int = 0) -> str:
    """Return a table as text: the first `n_left` columns begin at the left, others end right."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if j < n_left else cell.rjust(width)
            for j, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (headings, *rows)
    )


def html_table(headings: Sequence[str], rows: Cells, caption: str = "") -> str:
    """Return a table as HTML."""
    head = "".join(f"<th>{escape(name)}</th>" for name in headings)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<tr>{head}</tr>{body}</table>"
