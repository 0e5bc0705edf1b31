"""Temperature, score and allocations of every step of a run."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..learning import History
from ..views import PALETTE, describe_moves
from . import canvas

LETTER, ROOM = 0.03, 0.2  # width of a letter and height of two lines, as fractions of the axes


@dataclass(frozen=True)
class Trace:
    """Temperature and score of every step."""

    history: History

    def plot(self, ax: Any = None) -> Any:
        """Draw on `ax`, or on a new figure; return the axes."""
        ax = canvas.axes(ax)
        steps = np.arange(len(self.history))
        ax.plot(steps, self.history.score, color=PALETTE[0], lw=1.6)
        ax.set_xlabel("step")
        ax.set_ylabel("score", color=PALETTE[0])
        ax.set_ylim(*_wide_enough(*ax.get_ylim()))
        ax.ticklabel_format(axis="y", useOffset=False)
        heat = ax.twinx()
        heat.plot(steps, self.history.temperature, color=PALETTE[5], lw=1.6, ls="--")
        heat.set_ylabel("temperature", color=PALETTE[5])
        heat.set_ylim(bottom=0)
        _leave_room(ax)
        _leave_room(heat)
        mark_phases(ax, self.history)
        mark_moves(ax, self.history)
        ax.set_title("Training")
        return ax


@dataclass(frozen=True)
class Allocations:
    """The number of observations assigned to each component at every step.

    Parameters
    ----------
    history : History
    n_components : int, optional
        Number of components, where the history counts noise after them. Noise is grey.
    """

    history: History
    n_components: int | None = None

    def plot(self, ax: Any = None) -> Any:
        """Draw on `ax`, or on a new figure; return the axes."""
        ax = canvas.axes(ax)
        counted = self.history.counts.T
        n_components = len(counted) if self.n_components is None else self.n_components
        for colour, counts in zip(canvas.label_colours(n_components), counted, strict=False):
            ax.plot(counts, color=colour, lw=1.4)
        ax.set_xlabel("step")
        ax.set_ylabel("observations")
        ax.set_ylim(bottom=0)
        _leave_room(ax)
        mark_phases(ax, self.history)
        ax.set_title("Allocations")
        return ax


def trace(model: Any) -> Trace:
    """Show the temperature and score of every step of a fitted mixture, and its moves."""
    return Trace(model.history_)


def allocations(model: Any) -> Allocations:
    """Show the number of observations assigned to each component at every step."""
    return Allocations(model.history_, len(model.components_))


def mark_phases(ax: Any, history: History) -> None:
    """Draw a line where a new recipe begins, and name each recipe above the curves."""
    ends = [0.0, 0.0]  # of the names written so far, in the lower and the upper line
    for start in np.flatnonzero(history.iteration == 0):
        if start:
            ax.axvline(start - 0.5, color="0.6", lw=0.8)
        name, place = history.phase[start], start / len(history)
        width = LETTER * (len(name) + 1)
        left = place - width if place + width > 1 else place
        line = 0 if left >= ends[0] else 1
        ends[line] = left + width
        ax.annotate(
            name,
            (start, 1),
            xycoords=("data", "axes fraction"),
            xytext=(2 if left == place else -5, -20 + 10 * line),
            textcoords="offset points",
            ha="left" if left == place else "right",
            fontsize="small",
            color="0.4",
        )


def mark_moves(ax: Any, history: History) -> None:
    """Draw a small triangle on the horizontal axis at each step that begins with moves."""
    steps = history.moved
    if len(steps):
        ax.plot(
            steps, np.zeros(len(steps)), "^", color="0.3", ms=5, clip_on=False, zorder=3,
            transform=ax.get_xaxis_transform(),
        )  # fmt: skip
        only = f": {describe_moves(history.moves[steps[0]])}" if len(steps) == 1 else ""
        ax.set_xlabel(f"step (▲ moves{only})")


def _leave_room(ax: Any) -> None:
    """Leave room for names above the curves."""
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + ROOM * (high - low))


def _wide_enough(low: float, high: float) -> tuple[float, float]:
    """Return limits at which rounding errors are not seen."""
    centre, least = (low + high) / 2, 1e-4 * max(abs(low), abs(high))
    half = max(high - low, least) / 2
    return centre - half, centre + half
