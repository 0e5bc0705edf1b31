"""The picture of a comparison."""

from typing import Any

from ..views import NOISE_COLOUR, PALETTE, CriterionLine, CriterionPicture, criterion_picture

FEW_LINES = 4  # whose names have room inside the axes
WIDE = (8.4, 4.8)  # inches of a figure with names beside the axes
STYLES = ("o-", "s--", "^:", "v-.")


def draw_criteria(comparison: Any, ax: Any, criterion: str | None) -> Any:
    """Draw a comparison against the number of components or clusters; return the axes."""
    from matplotlib import pyplot as plt
    from matplotlib.ticker import MaxNLocator

    picture = criterion_picture(comparison, criterion)
    are_few = len(picture.lines) <= FEW_LINES
    if ax is None:
        _, ax = plt.subplots(figsize=None if are_few else WIDE, layout="constrained")
    _draw_range(ax, picture)
    for place, line in enumerate(picture.lines):
        _draw_line(ax, line, place, is_ringed=are_few or place == 0)
    ax.set_ylim(*picture.limits)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_xlabel(picture.x_label)
    ax.set_ylabel(picture.y_label)
    ax.set_title(picture.title)
    if are_few:
        ax.legend(frameon=False)
    else:
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small")
    return ax


def _draw_range(ax: Any, picture: CriterionPicture) -> None:
    """Shade the numbers that are about as good, and draw the agreement that is needed."""
    if len(picture.plausible) > 1:
        label = "about as good"
        for number in picture.plausible:
            ax.axvspan(number - 0.5, number + 0.5, color=NOISE_COLOUR, alpha=0.4, lw=0, label=label)
            label = "_"  # named once
    if picture.needed is not None:
        ax.plot(*picture.needed, color="0.4", lw=1, ls=":", label="needed, or one cluster")


def _draw_line(ax: Any, line: CriterionLine, place: int, is_ringed: bool) -> None:
    """Draw one line, its spread, and a ring around its best value."""
    colour = PALETTE[place % len(PALETTE)]
    style = STYLES[(place + place // len(PALETTE)) % len(STYLES)]  # differs where colours repeat
    ax.plot(line.numbers, line.values, style, color=colour, ms=4, lw=1.6, label=line.caption)
    if line.spread is not None and place == 0:
        ax.vlines(line.numbers, *line.spread, color=colour, lw=3, alpha=0.35)
    if is_ringed and line.best is not None:
        number, value = line.numbers[line.best], line.values[line.best]
        ax.plot(number, value, "o", color=colour, mfc="none", ms=11, mew=1.6)
