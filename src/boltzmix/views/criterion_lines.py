"""What is drawn of a comparison: criteria against the number of components."""

from typing import Any, NamedTuple

import numpy as np

from .comparisons import CRITERIA

MOST_LINES = 14
MARGIN = 0.06  # below and above lines, as a fraction of their height
HEIGHT = 3.0  # of many lines above their lowest value, where 1 is the height of half of all values


class CriterionLine(NamedTuple):
    """One line of the picture.

    Parameters
    ----------
    name : str
        Of the criterion, or of the family.
    numbers : list of int
        Numbers of components, in ascending order.
    values : list of float
        The criterion at each.
    """

    name: str
    numbers: list[int]
    values: list[float]

    @property
    def lowest(self) -> int:
        """The place of the lowest value."""
        return int(np.argmin(self.values))


def criterion_lines(comparison: Any, criterion: str | None = None) -> list[CriterionLine]:
    """Return the lines to draw.

    Of one family, these are its criteria: the one that chose, BIC and ICL; cross-validation, which
    is per observation, stands alone. Of several families, each has one line, the best ones first.
    """
    chosen = criterion or comparison.chosen_by
    families = list(dict.fromkeys(one.family for one in comparison))
    if len(families) == 1:
        names = ("cv",) if chosen == "cv" else dict.fromkeys((chosen, "bic", "icl"))
        return [_line(CRITERIA[name], list(comparison), name) for name in names]
    lines = [
        _line(family, [one for one in comparison if one.family == family], chosen)
        for family in families
    ]
    return sorted(lines, key=lambda line: min(line.values))[:MOST_LINES]


def line_limits(lines: list[CriterionLine]) -> tuple[float, float]:
    """Return the lowest and highest value to show; of many lines, the highest are cut off."""
    values = np.concatenate([line.values for line in lines])
    lowest, middle = float(values.min()), float(np.median(values))
    height = float(values.max()) - lowest
    if len(lines) > 3 and middle > lowest:
        height = min(height, HEIGHT * (middle - lowest))
    margin = MARGIN * height or 0.5
    return lowest - margin, lowest + height + margin


def _line(name: str, candidates: list[Any], criterion: str) -> CriterionLine:
    ordered = sorted(candidates, key=lambda one: one.n_components)
    numbers = [one.n_components for one in ordered]
    return CriterionLine(name, numbers, [one.criterion(criterion) for one in ordered])
