"""The picture of a comparison."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..views import CRITERIA, PALETTE

MOST_LINES = 14
STYLES = ("o-", "s--", "^:", "v-.")


def draw_criteria(comparison: Any, ax: Any, criterion: str | None) -> Any:
    """Draw criteria of a comparison against the number of components; return the axes."""
    from matplotlib import pyplot as plt
    from matplotlib.ticker import MaxNLocator

    if ax is None:
        _, ax = plt.subplots()
    chosen = criterion or comparison.chosen_by
    families = list(dict.fromkeys(one.family for one in comparison))
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
    ax.legend(frameon=False)
    return ax


def _best_first(comparison: Any, families: Sequence[str], criterion: str) -> list[str]:
    def lowest(family: str) -> float:
        return min(one.criterion(criterion) for one in comparison if one.family == family)

    return sorted(families, key=lowest)


def _draw_families(ax: Any, comparison: Any, families: Sequence[str], criterion: str) -> None:
    for place, family in enumerate(families[:MOST_LINES]):
        own = [one for one in comparison if one.family == family]
        _draw_line(ax, own, criterion, family, place)


def _draw_line(ax: Any, candidates: Sequence[Any], criterion: str, name: str, place: int) -> None:
    """Draw one line, and a ring around its lowest value."""
    numbers = np.array([one.n_components for one in candidates])
    values = np.array([one.criterion(criterion) for one in candidates])
    order = np.argsort(numbers, kind="stable")
    numbers, values = numbers[order], values[order]
    lowest = int(np.argmin(values))
    colour, style = PALETTE[place % len(PALETTE)], STYLES[place % len(STYLES)]
    label = f"{name}, lowest at {numbers[lowest]}"
    ax.plot(numbers, values, style, color=colour, ms=4, lw=1.6, label=label)
    ax.plot(numbers[lowest], values[lowest], "o", color=colour, mfc="none", ms=11, mew=1.6)
