"""The picture of a comparison."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..views import CRITERIA, PALETTE

MOST_LINES = 14
FEW_LINES = 4  # whose names have room inside the axes
STYLES = ("o-", "s--", "^:", "v-.")
WIDE = (8.4, 4.8)  # inches of a figure with names beside the axes
HEIGHT = 3.0  # of the axes above the lowest value, where 1 is the height of half of all values
MARGIN = 0.06  # below the lowest value, as a fraction of that


def draw_criteria(comparison: Any, ax: Any, criterion: str | None) -> Any:
    """Draw criteria of a comparison against the number of components; return the axes."""
    from matplotlib import pyplot as plt
    from matplotlib.ticker import MaxNLocator

    chosen = criterion or comparison.chosen_by
    families = list(dict.fromkeys(one.family for one in comparison))
    if ax is None:
        size = WIDE if len(families) > FEW_LINES else None
        _, ax = plt.subplots(figsize=size, layout="constrained")
    if len(families) > 1:
        _draw_families(ax, comparison, _best_first(comparison, families, chosen), chosen)
    else:
        for place, name in enumerate(dict.fromkeys((chosen, "bic", "icl"))):
            _draw_line(ax, list(comparison), name, CRITERIA[name], place)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_xlabel("components")
    label = f"{CRITERIA[chosen]} (lower is better)" if len(families) > 1 else "lower is better"
    ax.set_ylabel(label)
    ax.set_title("How many components?")
    if len(families) <= FEW_LINES:
        ax.legend(frameon=False)
    else:
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small")
    return ax


def _best_first(comparison: Any, families: Sequence[str], criterion: str) -> list[str]:
    def lowest(family: str) -> float:
        return min(one.criterion(criterion) for one in comparison if one.family == family)

    return sorted(families, key=lowest)


def _draw_families(ax: Any, comparison: Any, families: Sequence[str], criterion: str) -> None:
    """Draw one line for each family, the best first, as high as good ones reach."""
    for place, family in enumerate(families[:MOST_LINES]):
        own = [one for one in comparison if one.family == family]
        is_ringed = place == 0 or len(families) <= FEW_LINES
        _draw_line(ax, own, criterion, family, place, is_ringed)
    values = np.array([one.criterion(criterion) for one in comparison])
    lowest, middle = values.min(), float(np.median(values))
    height = min(ax.get_ylim()[1] - lowest, HEIGHT * (middle - lowest))
    if height > 0:
        ax.set_ylim(lowest - MARGIN * height, lowest + height)


def _draw_line(
    ax: Any,
    candidates: Sequence[Any],
    criterion: str,
    name: str,
    place: int,
    is_ringed: bool = True,
) -> None:
    """Draw one line, and a ring around its lowest value."""
    numbers = np.array([one.n_components for one in candidates])
    values = np.array([one.criterion(criterion) for one in candidates])
    order = np.argsort(numbers, kind="stable")
    numbers, values = numbers[order], values[order]
    lowest = int(np.argmin(values))
    colour = PALETTE[place % len(PALETTE)]
    style = STYLES[(place + place // len(PALETTE)) % len(STYLES)]  # differs where colours repeat
    label = f"{name}, lowest at {numbers[lowest]}"
    ax.plot(numbers, values, style, color=colour, ms=4, lw=1.6, label=label)
    if is_ringed:
        ax.plot(numbers[lowest], values[lowest], "o", color=colour, mfc="none", ms=11, mew=1.6)
