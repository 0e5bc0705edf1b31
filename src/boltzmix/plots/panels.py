"""How the members of one component are drawn: lines of numbers, or rows of symbols."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..views import namer
from . import canvas

MOST_SYMBOLS = 12  # for which the legend names every colour


def draw_lines(ax: Any, group: Any, feature: int, colour: Any) -> None:
    """Draw a thin line for each member, or a dot if it has one step, and their mean and band."""
    least = 0.15 if group.deviations is None else 0.4
    alpha = float(np.clip(5 / max(len(group.paths), 1), least, 0.8))
    for path in group.paths:
        there = ~np.isnan(path.values[:, feature])
        steps, line = path.steps[there], path.values[there, feature]
        marker = "o" if len(steps) == 1 else None
        ax.plot(steps, line, color=colour, lw=0.8, alpha=alpha, marker=marker, ms=3)
    if group.deviations is not None:
        middle, spread = group.mean.values[:, feature], 2 * group.deviations[:, feature]
        ax.fill_between(
            group.mean.steps, middle - spread, middle + spread, color=colour, alpha=0.15, lw=0
        )
    if group.mean is not None:
        ax.plot(group.mean.steps, group.mean.values[:, feature], color="white", lw=3.2)
        ax.plot(group.mean.steps, group.mean.values[:, feature], color="0.1", lw=1.6)


def draw_symbols(ax: Any, group: Any, feature: int, n_symbols: int) -> None:
    """Draw a row of colours for each member, sorted by their symbols."""
    from matplotlib.colors import ListedColormap

    rows = sorted(path.values[:, feature].tolist() for path in group.paths)
    image = np.full((max(len(rows), 1), max(map(len, rows), default=1)), np.nan)
    for place, row in enumerate(rows):
        image[place, : len(row)] = row
    last = max((path.steps[-1] for path in group.paths), default=0)
    ax.imshow(
        image, cmap=ListedColormap(_symbol_colours(n_symbols)), vmin=-0.5, vmax=n_symbols - 0.5,
        aspect="auto", interpolation="nearest", extent=(-0.5, last + 0.5, len(image), 0),
    )  # fmt: skip
    ax.set_yticks([])


def explain_symbols(figure: Any, n_symbols: int, symbols: Sequence[Any] | None) -> None:
    """Add a legend that names the symbol of each colour."""
    from matplotlib.patches import Patch

    name = namer(symbols)
    patches = [
        Patch(color=colour, label=canvas.short_name(name(code)))
        for code, colour in enumerate(_symbol_colours(n_symbols))
    ]
    figure.legend(handles=patches, title="symbol", loc="outside right upper", frameon=False)


def _symbol_colours(n: int) -> list[Any]:
    """Return colours that no component has."""
    return list(canvas.matplotlib().colormaps["viridis"](np.linspace(0, 1, n)))
