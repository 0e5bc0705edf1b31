"""What all plots share: colours, and somewhere to draw."""

from typing import Any

import numpy as np

from ..data import FloatArray, IntArray, evenly_spaced, without_covariates
from ..views import NOISE_COLOUR, PALETTE

LIGHTNESS = (0.299, 0.587, 0.114)  # weights of red, green and blue
MOST_NUMBERS = 12  # rows or columns of a matrix that is written out
MOST_ROWS = 3000  # drawn in plots of many panels


def matplotlib() -> Any:
    """Import matplotlib, or raise an error that says how to install it."""
    try:
        import matplotlib.figure
    except ImportError:
        raise ImportError("Plots need matplotlib: pip install matplotlib.") from None
    return matplotlib


def observed(model: Any, X: Any, y: Any = None) -> Any:
    """Read observations as a fitted model does."""
    if not hasattr(model, "components_"):
        raise ValueError(f"This {type(model).__name__} is not fitted yet: call fit first.")
    return without_covariates(model.read(X, y))


def axes(ax: Any) -> Any:
    """Return `ax`, or the axes of a new figure."""
    if ax is not None:
        return ax
    matplotlib()
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def panel(ax: Any, size: tuple[float, float]) -> Any:
    """Return a figure, or a part of one, in which several axes can be drawn.

    Parameters
    ----------
    ax : None, axes, figure or subfigure
        None makes a new figure of this size in inches; axes are replaced by a subfigure.
    """
    if ax is None:
        matplotlib()
        import matplotlib.pyplot as plt

        return plt.figure(figsize=size, layout="constrained")
    if not hasattr(ax, "get_subplotspec"):
        return ax
    place, figure = ax.get_subplotspec(), ax.figure
    if place is None:
        raise ValueError("ax must have a place in a grid, as those of plt.subplots() have.")
    ax.remove()
    return figure.add_subfigure(place)


def colours(n: int) -> list[Any]:
    """Return n colours that are easy to distinguish."""
    if n <= len(PALETTE):
        return list(PALETTE[:n])
    return list(matplotlib().colormaps["turbo"](np.linspace(0.05, 0.95, n)))


def label_colours(n: int) -> list[Any]:
    """Return the colours of n components, and last, at index -1, the grey of noise."""
    return [*colours(n), NOISE_COLOUR]


def drawn_rows(n: int) -> IntArray:
    """Return the indices of the rows that are drawn of n, evenly spaced where there are many."""
    return evenly_spaced(n, MOST_ROWS)


def heat_map(ax: Any, probabilities: FloatArray, colour: Any, label: str) -> None:
    """Draw a matrix of probabilities, with numbers in its cells where there is room."""
    from matplotlib.colors import LinearSegmentedColormap

    rows, columns = probabilities.shape
    shades = LinearSegmentedColormap.from_list("", ["white", colour])
    written_out = max(rows, columns) <= MOST_NUMBERS
    darkest = 1.0 if written_out else float(probabilities.max())
    ax.imshow(probabilities, cmap=shades, vmin=0, vmax=darkest, aspect="auto")
    ax.set_xlabel(label if written_out else f"{label} (darkest: {_short(darkest)})")
    mark_each(ax.xaxis, columns)
    if written_out:
        size = float(np.clip(9 - 0.25 * columns, 6, 8))
        for row, column in np.argwhere(probabilities >= 0.005):
            shade = shades(probabilities[row, column])
            ax.text(
                column, row, _short(probabilities[row, column]), ha="center", va="center",
                fontsize=size, color="black" if np.dot(shade[:3], LIGHTNESS) > 0.5 else "white",
            )  # fmt: skip


def mark_each(axis: Any, n: int) -> None:
    """Put a tick at each of n places, or at a few of them where there are many."""
    from matplotlib.ticker import MaxNLocator

    if n <= MOST_NUMBERS:
        axis.set_ticks(range(n))
    else:
        axis.set_major_locator(MaxNLocator(6, integer=True))


def _short(probability: float) -> str:
    """Write a probability with two digits, without the leading zero."""
    return f"{probability:.2f}".removeprefix("0") if probability < 0.995 else "1"
