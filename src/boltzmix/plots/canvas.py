"""Colours of plots, figures to draw on, and the part of the plane that is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..data import FloatArray, IntArray, evenly_spaced, shown, without_covariates
from ..fitted import FittedMixture
from ..look import NOISE_COLOUR, PALETTE
from ..pictures import shown_range
from ..views import are_merged, namer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.typing import ColorType


LIGHTNESS = (0.299, 0.587, 0.114)  # weights of red, green and blue
MOST_NUMBERS = 12  # rows or columns of a matrix that is written out
LONGEST_NAME = 12  # letters of a name on an axis
MOST_LETTERS = 14  # of all names side by side on an axis
MOST_ROWS = 3000  # drawn in plots of many panels


def matplotlib() -> Any:
    """Import matplotlib, or raise an error that says how to install it."""
    try:
        import matplotlib.figure
    except ImportError:
        raise ImportError("Plots need matplotlib: pip install matplotlib.") from None
    return matplotlib


def check_mixture(model: FittedMixture) -> None:
    """Raise unless a model is a fitted mixture."""
    if isinstance(model, type) or not hasattr(model, "history_"):
        raise ValueError(
            f"model must be a fitted mixture, but {shown(model)} is not one, or is not fitted yet:"
            " call fit first."
        )


def observed(model: FittedMixture, X: object, y: object = None) -> Any:
    """Read observations as a fitted model does."""
    check_mixture(model)
    return without_covariates(model.read(X, y))


def axes(ax: "Axes | None") -> "Axes":
    """Return `ax`, or the axes of a new figure."""
    if ax is not None:
        return ax
    matplotlib()
    import matplotlib.pyplot as plt

    _, made = plt.subplots(layout="constrained")
    return made


def panel(
    ax: "Axes | Figure | SubFigure | None", size: tuple[float, float]
) -> "Figure | SubFigure":
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
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        return ax
    place, figure = ax.get_subplotspec(), ax.figure
    if place is None:
        raise ValueError("ax must have a place in a grid, as those of plt.subplots() have.")
    ax.remove()
    return figure.add_subfigure(place)


def colours(n: int) -> list["ColorType"]:
    """Return n colours that are easy to distinguish."""
    if n <= len(PALETTE):
        return list(PALETTE[:n])
    return list(matplotlib().colormaps["turbo"](np.linspace(0.05, 0.95, n)))


def label_colours(n: int) -> list["ColorType"]:
    """Return the colours of n components or clusters, and last, at index -1, the grey of noise."""
    return [*colours(n), NOISE_COLOUR]


def merged_clusters(model: FittedMixture) -> IntArray | None:
    """Return the cluster of each component (K,), if some components of a mixture are merged."""
    return np.asarray(model.clusters_) if are_merged(model) else None


def noun_of(clusters: IntArray | None) -> str:
    """Return what a group of one colour is called: a cluster, if components are merged."""
    return "component" if clusters is None else "cluster"


def component_colours(n: int, clusters: IntArray | None) -> list["ColorType"]:
    """Return the colour of each of n components, that of its cluster, and last that of noise."""
    if clusters is None:
        return label_colours(n)
    own = label_colours(int(clusters.max()) + 1)
    return [*(own[cluster] for cluster in clusters), NOISE_COLOUR]


def name_components(
    ax: "Axes", colours: Sequence["ColorType"], has_noise: bool = False, noun: str = "component"
) -> None:
    """Add a legend that names the colour of each component: beside the axes, if there is room.

    Parameters
    ----------
    ax : matplotlib axes
    colours : sequence
        Colours of the components, and last that of noise.
    has_noise : bool
        Whether noise is named, too.
    noun : str
        What has a colour: a component, or a cluster.
    """
    from matplotlib.lines import Line2D

    *own, grey = colours
    named = [(f"{noun} {k}", colour) for k, colour in enumerate(own)]
    named += [("noise", grey)] * has_noise
    handles = [
        Line2D([], [], color=one, marker="o", ls="", ms=5, label=name) for name, one in named
    ]
    is_laid_out = ax.figure.get_layout_engine() is not None
    place = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if is_laid_out else {"loc": "best"}
    ax.legend(handles=handles, fontsize="small", frameon=not is_laid_out, **place)


def drawn_rows(n: int) -> IntArray:
    """Return the indices of the rows that are drawn of n, evenly spaced where there are many."""
    return evenly_spaced(n, MOST_ROWS)


def heat_map(
    ax: "Axes",
    probabilities: FloatArray,
    colour: "ColorType",
    label: str,
    names: Sequence[object] | None = None,
) -> None:
    """Draw a matrix of probabilities, with numbers in its cells where there is room.

    `names` are those of its columns, which are numbered if they are absent.
    """
    from matplotlib.colors import LinearSegmentedColormap

    rows, columns = probabilities.shape
    shades = LinearSegmentedColormap.from_list("", ["white", colour])
    written_out = max(rows, columns) <= MOST_NUMBERS
    darkest = 1.0 if written_out else float(probabilities.max())
    ax.imshow(probabilities, cmap=shades, vmin=0, vmax=darkest, aspect="auto")
    ax.set_xlabel(label if written_out else f"{label} (darkest: {_short(darkest)})")
    mark_each(ax.xaxis, columns, names)
    if written_out:
        size = float(np.clip(9 - 0.25 * columns, 6, 8))
        for row, column in np.argwhere(probabilities >= 0.005):
            shade = shades(probabilities[row, column])
            ax.text(
                column, row, _short(probabilities[row, column]), ha="center", va="center",
                fontsize=size, color="black" if np.dot(shade[:3], LIGHTNESS) > 0.5 else "white",
            )  # fmt: skip


def mark_each(axis: "Axis", n: int, names: Sequence[object] | None = None) -> None:
    """Name each of n places, by its number if it has no name; of many, only a few are numbered."""
    from matplotlib.ticker import MaxNLocator

    if n > MOST_NUMBERS:
        axis.set_major_locator(MaxNLocator(6, integer=True))
        return
    axis.set_ticks(range(n))
    if names is not None:
        shown = [short_name(namer(names)(place)) for place in range(n)]
        is_crowded = axis is axis.axes.xaxis and sum(map(len, shown)) > MOST_LETTERS
        labels = axis.set_ticklabels(shown)
        for label in labels if is_crowded else ():
            label.set(rotation=40, ha="right", rotation_mode="anchor")


def short_name(name: str) -> str:
    """Return a name, cut if it is long."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _short(probability: float) -> str:
    """Write a probability with two digits, without the leading zero."""
    return f"{probability:.2f}".removeprefix("0") if probability < 0.995 else "1"


MARGIN = 0.05  # of the range that is shown, on either side
MOST_ADDED = 0.3  # what outlines may add to the range, on either side
EDGE = 0.012  # distance of far points from the frame
MOST_WHOLE_NUMBERS, MOST_BARS = 40, 60  # of a histogram


@dataclass(frozen=True)
class Window:
    """The limits of the axes, which a few points far away do not stretch.

    Parameters
    ----------
    low, high : array, shape (d,)
        The ranges of the points that are shown in their place.
    start, stop : array, shape (d,)
        The limits of the axes.
    """

    low: FloatArray
    high: FloatArray
    start: FloatArray
    stop: FloatArray

    @classmethod
    def of(cls, points: FloatArray, labels: IntArray, outlines: Sequence[FloatArray] = ()) -> Self:
        """Find the limits of points (n, d), and of outlines (m, d) as far as they add little.

        Noise, at the label -1, and members far from all others do not widen the limits.
        """
        return cls.around([shown_range(column, labels) for column in points.T], outlines)

    @classmethod
    def around(cls, ranges: Any, outlines: Sequence[FloatArray] = ()) -> Self:
        """Find the limits around ranges (d, 2), and outlines (m, d) as far as they add little."""
        low, high = np.asarray(ranges).T
        width = np.where(high > low, high - low, 1.0)
        drawn = np.vstack([low, high, *outlines])
        start = np.clip(drawn.min(axis=0), low - MOST_ADDED * width, low) - MARGIN * width
        stop = np.clip(drawn.max(axis=0), high, high + MOST_ADDED * width) + MARGIN * width
        return cls(low, high, start, stop)

    def n_beyond(self, points: FloatArray) -> int:
        """Return how many of the points (n, d) are not in the ranges that are shown."""
        return int(((points < self.low) | (points > self.high)).any(axis=1).sum())

    def place(self, points: FloatArray) -> FloatArray:
        """Return where points (n, d) are drawn: those outside the limits at the edge."""
        inset = EDGE * (self.stop - self.start)
        return np.clip(points, self.start + inset, self.stop - inset)

    def limit(self, ax: "Axes", points: FloatArray) -> None:
        """Set the limits of axes in the plane, and note how many of all points are at the edge."""
        ax.set_xlim(self.start[0], self.stop[0])
        ax.set_ylim(self.start[1], self.stop[1])
        self.note(ax, points, "at the edge")

    def note(self, ax: "Axes", points: FloatArray, where: str) -> None:
        """Write on the axes how many of all points are far away, if any."""
        if n_far := self.n_beyond(points):
            words = f"{n_far:,} far away, {where}"
            ax.text(0.98, 0.02, words, transform=ax.transAxes, ha="right", fontsize="small")


def histogram_edges(values: FloatArray, low: float, high: float) -> FloatArray:
    """Return the edges of bars between two values, one bar for each of a few whole numbers."""
    inside = values[(values >= low) & (values <= high)]
    if not len(inside):
        return np.array([0.0, 1.0])
    if not (inside % 1).any() and high - low <= MOST_WHOLE_NUMBERS:
        return np.arange(low - 0.5, high + 1)
    spread = np.subtract(*np.quantile(inside, [0.75, 0.25]))
    n_bars = np.log2(len(inside)) + 1  # the rule of Sturges, or that of Freedman and Diaconis
    if spread > 0:
        n_bars = max(n_bars, np.cbrt(len(inside)) * (high - low) / (2 * spread))
    room = 0.0 if high > low else 0.5
    return np.linspace(low - room, high + room, int(min(n_bars, MOST_BARS)) + 1)
