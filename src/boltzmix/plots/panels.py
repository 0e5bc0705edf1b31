"""How the members of one component are drawn: lines of numbers, or rows of symbols."""

from typing import Any

import numpy as np

from . import canvas

MOST_SYMBOLS = 12  # for which the legend names every colour


def draw_lines(ax: Any, group: Any, feature: int, colour: Any) -> None:
    """Draw a thin line for each member, or a dot if it has one step, and their mean."""
    alpha = float(np.clip(5 / max(len(group.paths), 1), 0.15, 0.8))
    for path in group.paths:
        marker = "o" if len(path.steps) == 1 else None
        line = path.values[:, feature]
        ax.plot(path.steps, line, color=colour, lw=0.8, alpha=alpha, marker=marker, ms=3)
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


def explain_symbols(figure: Any, n_symbols: int) -> None:
    """Add a legend that names the symbol of each colour."""
    from matplotlib.patches import Patch

    patches = [
        Patch(color=colour, label=str(code))
        for code, colour in enumerate(_symbol_colours(n_symbols))
    ]
    figure.legend(handles=patches, title="symbol", loc="outside right upper", frameon=False)


def _symbol_colours(n: int) -> list[Any]:
    """Return colours that no component has."""
    return list(canvas.matplotlib().colormaps["viridis"](np.linspace(0, 1, n)))
