"""The candidates among which the number of components was chosen."""

from typing import Any

from ..comparison import Comparison
from ..comparison.picture import CriterionLine, criterion_picture
from ..comparison.words import describe_choice, numbers_table, shown_table
from ..fitted import FittedMixture
from .numbers import neat, plain


def choice(model: FittedMixture) -> dict[str, Any] | None:
    """Return the table and the lines of a comparison, if a mixture was chosen by one."""
    comparison: Comparison | None = model._comparison
    if comparison is None:
        return None
    (*headings, _), rows = shown_table(comparison)
    picture, numbers = criterion_picture(comparison), numbers_table(comparison)
    return {
        "sentence": neat(describe_choice(comparison, model)),
        "x_label": picture.x_label,
        "y_label": picture.y_label,
        "headings": headings,
        "rows": [
            {"cells": list(map(neat, cells)), "chosen": bool(chosen)} for *cells, chosen in rows
        ],
        "n_candidates": len(comparison),
        "numbers": None
        if numbers is None
        else {"headings": numbers[0], "lines": [list(map(neat, line)) for line in numbers[1]]},
        "lines": [_line(line) for line in picture.lines],
        "limits": plain(picture.limits, 8),
        "plausible": list(picture.plausible) if len(picture.plausible) > 1 else [],
        "needed": None
        if picture.needed is None
        else {"numbers": picture.needed[0], "values": plain(picture.needed[1], 4)},
    }


def _line(line: CriterionLine) -> dict[str, Any]:
    """Return one line of the picture; `spread` is that of several values at each number."""
    return {
        "name": line.name,
        "numbers": line.numbers,
        "values": plain(line.values, 8),
        "best": line.best,
        "spread": None if line.spread is None else [plain(one, 4) for one in line.spread],
    }
