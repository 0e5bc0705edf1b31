"""Temperature, score and allocations of every step of a run."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import IntArray
from ..fitted import FittedMixture
from ..learning import History
from ..look import PALETTE
from ..views import describe_moves
from . import canvas
from .phases import name_phases, plot_by_phase


@dataclass(frozen=True)
class Trace:
    """Temperature and score of every step.

    Lines break where one phase ends and the next begins: every phase has a score of its own.
    """

    history: History

    def plot(self, ax: Any = None) -> Any:
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

    def plot(self, ax: Any = None) -> Any:
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


def _wide_enough(low: float, high: float) -> tuple[float, float]:
    """Return limits at which rounding errors are not seen."""
    centre, least = (low + high) / 2, 1e-4 * max(abs(low), abs(high))
    half = max(high - low, least) / 2
    return centre - half, centre + half
