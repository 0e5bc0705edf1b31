"""Temperature, score and allocations of every step of a run, and the names of its phases."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data import FloatArray, IntArray
from ..fitted import FittedMixture
from ..learning import History
from ..look import PALETTE
from ..views import describe_moves
from . import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes


LINE = 10  # height of a line of names, in points
LETTER = 5.2  # width of a letter of a name, in points
GAP = 6  # between two names in one line, in points


def plot_by_phase(ax: "Axes", history: History, values: object, **style: Any) -> None:
    """Draw values of all steps (n,), with a gap between phases; a phase of one step is a dot.

    Every recipe has a score of its own, so a line from one to the next would mean nothing.
    """
    steps, begins = np.arange(len(history), dtype=float), starts_of(history)
    broken = [
        np.insert(np.asarray(one, dtype=float), begins[1:], np.nan) for one in (steps, values)
    ]
    (line,) = ax.plot(*broken, **style)
    alone = begins[np.diff([*begins, len(history)]) == 1]
    if len(alone):
        ax.plot(alone, np.asarray(values)[alone], "o", ms=3, color=line.get_color())


def starts_of(history: History) -> IntArray:
    """Return the first step of each phase."""
    return np.flatnonzero(history.iteration == 0)


def name_phases(ax: "Axes", history: History, title: str = "") -> None:
    """Draw a line where each phase begins, with its name above the axes, and a title above these.

    A name that would run into another one is in a higher line.
    """
    ax.locator_params(axis="x", integer=True)
    begins = starts_of(history)
    names = [str(history.phase[start]) for start in begins]
    levels = _levels(_places(ax, begins), names)
    for start, name, level in zip(begins, names, levels, strict=True):
        if start:
            ax.axvline(start - 0.5, color="0.6", lw=0.8)
            _draw_from_top(ax, start - 0.5, LINE * (level + 1))
        ax.annotate(
            name, (max(start - 0.5, 0), 1), xycoords=("data", "axes fraction"),
            xytext=(2, 2 + LINE * level), textcoords="offset points", fontsize="small", color="0.4",
            annotation_clip=False,
        )  # fmt: skip
    ax.set_title(title, pad=6 + LINE * (1 + max(levels, default=0)))


def _draw_from_top(ax: "Axes", x: float, height: float) -> None:
    """Draw a line of so many points above the axes."""
    ax.annotate(
        "", (x, 1), xycoords=("data", "axes fraction"), xytext=(0, height), annotation_clip=False,
        textcoords="offset points",
        arrowprops={"arrowstyle": "-", "color": "0.6", "lw": 0.8, "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip


def _places(ax: "Axes", steps: IntArray) -> FloatArray:
    """Return the horizontal places of steps, in points."""
    pixels = ax.transData.transform(np.column_stack([steps, np.zeros(len(steps))]))[:, 0]
    return np.asarray(pixels * 72 / ax.figure.dpi)


def _levels(places: FloatArray, names: list[str]) -> list[int]:
    """Return the line of each name, the lowest in which it runs into no name to its right."""
    firsts: list[float] = []  # left end of the leftmost name in each line
    levels = []
    for place, name in zip(places[::-1], names[::-1], strict=True):
        end = place + LETTER * len(name) + GAP
        level = next((n for n, first in enumerate(firsts) if end <= first), len(firsts))
        firsts[level : level + 1] = [place]
        levels.append(level)
    return levels[::-1]


@dataclass(frozen=True)
class Trace:
    """Temperature and score of every step.

    Lines break where one phase ends and the next begins: every phase has a score of its own.
    """

    history: History

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw on `ax`, or on a new figure; return the axes."""
        ax = canvas.axes(ax)
        history, has_phases = self.history, len(self.history.phases) > 1
        plot_by_phase(ax, history, history.score, color=PALETTE[0], lw=1.6)
        ax.set_xlabel("step")
        ax.set_ylabel(f"score{' (of each phase)' * has_phases}", color=PALETTE[0])
        ax.set_ylim(*_wide_enough(*ax.get_ylim()))
        ax.ticklabel_format(axis="y", useOffset=False)
        heat = ax.twinx()
        plot_by_phase(heat, history, history.temperature, color=PALETTE[5], lw=1.6, ls="--")
        heat.set_ylabel("temperature", color=PALETTE[5])
        heat.set_ylim(bottom=0)
        mark_moves(ax, history)
        name_phases(ax, history, "Training")
        return ax


@dataclass(frozen=True)
class Allocations:
    """The number of observations assigned to each component at every step.

    Parameters
    ----------
    history : History
    n_components : int, optional
        Number of components, where the history counts noise after them. Noise is grey.
    clusters : array of int, shape (K,), optional
        The cluster of each component, where components are merged: it has one colour.
    """

    history: History
    n_components: int | None = None
    clusters: IntArray | None = None

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw on `ax`, or on a new figure; return the axes."""
        ax = canvas.axes(ax)
        counted = self.history.counts.T
        n_components = len(counted) if self.n_components is None else self.n_components
        colours = canvas.component_colours(n_components, self.clusters)
        for colour, counts in zip(colours, counted, strict=False):
            plot_by_phase(ax, self.history, counts, color=colour, lw=1.4)
        ax.set_xlabel("step")
        ax.set_ylabel("observations")
        ax.set_ylim(bottom=0)
        name_phases(ax, self.history, "Allocations")
        return ax


def trace(model: FittedMixture) -> Trace:
    """Show the temperature and score of every step of a fitted mixture, and its moves."""
    canvas.check_mixture(model)
    return Trace(model.history_)


def allocations(model: FittedMixture) -> Allocations:
    """Show the number of observations assigned to each component at every step."""
    canvas.check_mixture(model)
    return Allocations(model.history_, len(model.components_), canvas.merged_clusters(model))


def mark_moves(ax: "Axes", history: History) -> None:
    """Draw a small triangle on the horizontal axis at each step that begins with moves."""
    steps = history.moved
    if len(steps):
        ax.plot(
            steps, np.zeros(len(steps)), "^", color="0.3", ms=5, clip_on=False, zorder=3,
            transform=ax.get_xaxis_transform(),
        )  # fmt: skip
        only = f": {describe_moves(history.moves[steps[0]])}" if len(steps) == 1 else ""
        ax.set_xlabel(f"step (▲ moves{only})")


def _wide_enough(low: float, high: float) -> tuple[float, float]:
    """Return limits at which rounding errors are not seen."""
    centre, least = (low + high) / 2, 1e-4 * max(abs(low), abs(high))
    half = max(high - low, least) / 2
    return centre - half, centre + half
