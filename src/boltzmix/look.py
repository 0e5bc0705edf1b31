"""How results look: colours, and tables of short cells as text and as HTML."""

from collections.abc import Sequence
from html import escape
from typing import Any

# Okabe and Ito's colours, which people with any colour vision can distinguish, and last a dark red:
# black is for text, and grey is for noise
PALETTE = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#661100"]
NOISE_COLOUR = "#C8C8C8"


def text_table(headings: Sequence[str], rows: Sequence[Sequence[str]], n_left: int = 0) -> str:
    """Return a table as text: the first `n_left` columns begin at the left, others end right.

    Examples
    --------
    >>> print(text_table(["", "mean"], [["height", "1.7"], ["age", "40"]]))
            mean
    height   1.7
       age    40
    """
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if j < n_left else cell.rjust(width)
            for j, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (headings, *rows)
    )


def html_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    caption: str = "",
    bold: Sequence[bool] | None = None,
) -> str:
    """Return a table as HTML; rows for which `bold` is set are in bold."""
    head = "".join(f"<th>{escape(name)}</th>" for name in headings)
    body = "".join(
        f"<tr>{''.join(_cell(cell, is_bold) for cell in row)}</tr>"
        for row, is_bold in zip(rows, bold or [False] * len(rows), strict=True)
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<tr>{head}</tr>{body}</table>"


def frame_of(rows: Sequence[Any]) -> Any:
    """Return a pandas frame of rows, which are mappings of a column's name to a value."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("to_frame needs pandas: pip install pandas.") from None
    return pd.DataFrame(rows)


def _cell(text: str, is_bold: bool) -> str:
    return f"<td><b>{escape(text)}</b></td>" if is_bold else f"<td>{escape(text)}</td>"
