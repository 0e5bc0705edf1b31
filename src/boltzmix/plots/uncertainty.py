"""How uncertain the assignment of each observation is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..data import Columns, FloatArray, IntArray, Regression, Rows
from ..fitted import FittedMixture
from ..pictures import shown_range
from . import canvas
from .canvas import Window
from .curves import curves
from .points import clusters

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.typing import ColorType


SURE = 0.9  # an observation is uncertain if no component has this probability
LEAST_INK, MOST_INK = 0.3, 0.95
LEAST_AREA, MOST_AREA = 6.0, 55.0


@dataclass(frozen=True)
class Uncertainty:
    """The probability that an observation belongs to another component than it is assigned to.

    Where components are merged, it is that of another cluster.

    Parameters
    ----------
    uncertainty : array, shape (n,)
        One less the probability of the most probable component.
    labels : array of int, shape (n,)
        -1 for noise, which is grey.
    n_groups : int
        Number of components, or of clusters, where components are merged: each has a colour.
    points : array, shape (n, 2), optional
        Coordinates of the observations, if they can be drawn; else those of each component are
        sorted.
    paths : sequence of arrays (m, 2)
        Outlines or curves of the components.
    axis_names : tuple of str
    window : Window, optional
        The part of the plane to draw; found from points, labels and paths unless given.
    clusters : array of int, shape (K,), optional
        The cluster of each component, where components are merged. Labels are then clusters.
    """

    uncertainty: FloatArray
    labels: IntArray
    n_groups: int
    points: FloatArray | None = None
    paths: Sequence[FloatArray] = ()
    axis_names: tuple[str, str] = ("fraction of the component's observations", "probability")
    window: Window | None = None
    clusters: IntArray | None = None

    @property
    def share_uncertain(self) -> float:
        """Fraction of observations for which no component has a probability of 0.9 or more."""
        return float(np.mean(self.uncertainty > 1 - SURE))

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw on `ax`, or on a new figure; return the axes."""
        ax = canvas.axes(ax)
        colours = canvas.label_colours(self.n_groups)
        if self.points is None:
            self._draw_in_order(ax, colours)
        else:
            self._draw_points(ax, colours)
        ax.set_xlabel(self.axis_names[0])
        ax.set_ylabel(self.axis_names[1])
        ax.set_title(f"Uncertainty: {self.share_uncertain:.0%} are less than {SURE:.0%} sure")
        return ax

    def _draw_points(self, ax: "Axes", colours: Sequence["ColorType"]) -> None:
        """Draw uncertain observations large and dark, above the others."""
        from matplotlib.colors import to_rgba_array

        assert self.points is not None
        order = np.argsort(self.uncertainty, kind="stable")
        degree = np.minimum(2 * self.uncertainty[order], 1)
        shades = to_rgba_array([colours[k] for k in self.labels[order]])
        shades[:, 3] = LEAST_INK + (MOST_INK - LEAST_INK) * degree
        areas = LEAST_AREA + (MOST_AREA - LEAST_AREA) * degree
        window = self.window or Window.of(self.points, self.labels, self.paths)
        x, y = window.place(self.points[order]).T
        ax.scatter(x, y, c=shades, s=areas, lw=0)
        window.limit(ax, self.points)
        own = canvas.component_colours(self.n_groups, self.clusters)
        for colour, path in zip(own, self.paths, strict=False):
            ax.plot(*path.T, color=colour, lw=0.9)

    def _draw_in_order(self, ax: "Axes", colours: Sequence["ColorType"]) -> None:
        """Draw the observations of each component, the most certain first."""
        for k in [*range(self.n_groups), -1]:
            members = np.sort(self.uncertainty[self.labels == k])
            if len(members):
                places = (np.arange(len(members)) + 0.5) / len(members)
                name = "noise" if k < 0 else f"{canvas.noun_of(self.clusters)} {k}"
                ax.plot(places, 1 - members, color=colours[k], lw=1.8, label=name)
        ax.axhline(SURE, color="0.7", lw=0.8, ls=":")
        ax.set_xlim(0, 1)
        ax.set_ylim(min(0.45, 0.95 - self.uncertainty.max()), 1.02)
        if self.n_groups <= canvas.MOST_NUMBERS:
            ax.legend(frameon=False, loc="lower left")


def uncertainty(model: FittedMixture, X: object, y: object = None) -> Uncertainty:
    """Show which observations are assigned with little certainty.

    Rows of a table and points on curves are drawn as points, larger and darker the more uncertain
    they are. A single column is drawn against its uncertainty. Other observations, such as
    sequences, are sorted by the probability of the component that they are assigned to.

    Parameters
    ----------
    model : fitted mixture
    X : array, frame or whatever the family takes
    y : array, optional
        The targets of a family that has them.
    """
    canvas.check_mixture(model)
    data = canvas.observed(model, X, y)
    n_groups, merged = model.n_clusters_, canvas.merged_clusters(model)
    unsure = 1 - model.predict_proba(X, y).max(axis=1)
    if isinstance(data, Regression) and data.positions is not None:
        if data.targets.shape[1] <= 2:
            drawn = curves(model, X, y)
            return Uncertainty(
                unsure, drawn.labels, n_groups, drawn.points, drawn.paths, drawn.axis_names,
                clusters=merged,
            )  # fmt: skip
    elif isinstance(data, Rows | Columns):
        shown = clusters(model, X)
        if shown.points.shape[1] == 2:
            first, second = shown.axis_names
            return Uncertainty(
                unsure, shown.labels, n_groups, shown.points, shown.outlines, (first, second),
                clusters=merged,
            )  # fmt: skip
        points = np.column_stack([shown.points[:, 0], unsure])
        names = (shown.axis_names[0], "uncertainty")
        ends = shown_range(shown.points[:, 0], shown.labels), (0.0, unsure.max())
        window = Window.around(ends)
        return Uncertainty(unsure, shown.labels, n_groups, points, (), names, window)
    return Uncertainty(unsure, model.predict(X, y), n_groups, clusters=merged)
