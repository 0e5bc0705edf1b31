"""The candidates among which the number of components was chosen."""

from typing import Any

from ..comparison import Comparison
from ..views import CRITERIA, criterion_lines, describe_choice, line_limits, shown_table
from .numbers import neat, plain


def choice(model: Any) -> dict[str, Any] | None:
    """Return the table and the lines of a comparison, if a mixture was chosen by one."""
    comparison: Comparison | None = getattr(model, "comparison_", None)
    if comparison is None:
        return None
    (*headings, _), rows = shown_table(comparison)
    best, lines = comparison.best_candidate(), criterion_lines(comparison)
    shown = [plain(line.values, 8) for line in lines]
    return {
        "sentence": neat(describe_choice(comparison)),
        "criterion": CRITERIA[comparison.chosen_by],
        "headings": headings,
        "rows": [
            {"cells": list(map(neat, cells)), "chosen": bool(chosen)} for *cells, chosen in rows
        ],
        "n_candidates": len(comparison),
        "lines": [
            {"name": line.name, "numbers": line.numbers, "values": values}
            for line, values in zip(lines, shown, strict=True)
        ],
        "limits": plain(line_limits(lines), 8),
        "best": [best.n_components, shown[0][lines[0].lowest]],
    }
