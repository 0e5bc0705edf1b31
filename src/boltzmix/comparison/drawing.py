"""The picture of a comparison."""

from typing import Any

from ..views import CRITERIA, PALETTE, CriterionLine, criterion_lines, line_limits

FEW_LINES = 4  # whose names have room inside the axes
WIDE = (8.4, 4.8)  # inches of a figure with names beside the axes
STYLES = ("o-", "s--", "^:", "v-.")


def draw_criteria(comparison: Any, ax: Any, criterion: str | None) -> Any:
    """Draw criteria of a comparison against the number of components; return the axes."""
    from matplotlib import pyplot as plt
    from matplotlib.ticker import MaxNLocator

    lines, chosen = criterion_lines(comparison, criterion), criterion or comparison.chosen_by
    are_few = len(lines) <= FEW_LINES
    if ax is None:
        _, ax = plt.subplots(figsize=None if are_few else WIDE, layout="constrained")
    for place, line in enumerate(lines):
        _draw_line(ax, line, place, is_ringed=are_few or place == 0)
    ax.set_ylim(*line_limits(lines))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_xlabel("components")
    is_one_family = lines[0].name == CRITERIA[chosen]
    ax.set_ylabel("lower is better" if is_one_family else f"{CRITERIA[chosen]} (lower is better)")
    ax.set_title("How many components?")
    if are_few:
        ax.legend(frameon=False)
    else:
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small")
    return ax


def _draw_line(ax: Any, line: CriterionLine, place: int, is_ringed: bool) -> None:
    """Draw one line, and a ring around its lowest value."""
    number, value = line.numbers[line.lowest], line.values[line.lowest]
    colour = PALETTE[place % len(PALETTE)]
    style = STYLES[(place + place // len(PALETTE)) % len(STYLES)]  # differs where colours repeat
    label = f"{line.name}, lowest at {number}"
    ax.plot(line.numbers, line.values, style, color=colour, ms=4, lw=1.6, label=label)
    if is_ringed:
        ax.plot(number, value, "o", color=colour, mfc="none", ms=11, mew=1.6)
