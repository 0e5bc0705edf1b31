"""Points on curves, coloured by component, with each component's curve and its band."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import FloatArray, IntArray, Regression
from ..families.contract.description import Curve
from ..views import column_names, picture_of
from . import canvas
from .window import Window

GRID = 300


@dataclass(frozen=True)
class Curves:
    """Observations coloured by component, and the curve of each component.

    Parameters
    ----------
    inputs : array, shape (n,)
    targets : array, shape (n, m)
    labels : array of int, shape (n,)
        -1 for noise, which is grey.
    grid : array, shape (g,)
    means : array, shape (K, g, m)
        Means of the targets on the grid, for each component.
    deviations : array, shape (K, g)
        Standard deviations of the first target.
    input_name : str
    clusters : array of int, shape (K,), optional
        The cluster of each component, where components are merged. Labels are then clusters, and
        all components of a cluster have its colour.
    """

    inputs: FloatArray
    targets: FloatArray
    labels: IntArray
    grid: FloatArray
    means: FloatArray
    deviations: FloatArray
    input_name: str
    clusters: IntArray | None = None

    def plot(self, ax: Any = None) -> Any:
        """Draw on `ax`, or on a new figure; return the axes.

        One target is drawn against the input, and two as a path in the plane. Of three or more,
        the first is drawn against the input.
        """
        ax = canvas.axes(ax)
        n_groups = len(self.means) if self.clusters is None else int(self.clusters.max()) + 1
        colours = canvas.label_colours(n_groups)
        own = canvas.component_colours(n_groups, self.clusters)
        ax.scatter(
            *self.window.place(self.points).T,
            c=[colours[k] for k in self.labels],
            s=9,
            alpha=0.6,
            lw=0,
        )
        for colour, path, deviation in zip(own, self.paths, self.deviations, strict=False):
            if not self._in_plane:
                band = path[:, 1] - 2 * deviation, path[:, 1] + 2 * deviation
                ax.fill_between(self.grid, *band, color=colour, alpha=0.2, lw=0)
            ax.plot(*path.T, color="white", lw=3)
            ax.plot(*path.T, color=colour, lw=1.6)
        self.window.limit(ax, self.points)
        if n_groups <= canvas.MOST_NUMBERS:
            has_noise, noun = bool((self.labels < 0).any()), canvas.noun_of(self.clusters)
            canvas.name_components(ax, colours, has_noise, noun)
        ax.set_xlabel(self.axis_names[0])
        ax.set_ylabel(self.axis_names[1])
        ax.set_title("Paths" if self._in_plane else "Curves, with bands of two standard deviations")
        return ax

    @property
    def window(self) -> Window:
        """The part of the plane that is drawn."""
        return Window.of(self.points, self.labels, self.paths)

    @property
    def points(self) -> FloatArray:
        """Coordinates of the observations, shape (n, 2)."""
        return self._drawn(self.inputs, self.targets)

    @property
    def paths(self) -> list[FloatArray]:
        """Coordinates of the curve of each component, shapes (g, 2)."""
        return [self._drawn(self.grid, mean) for mean in self.means]

    @property
    def axis_names(self) -> tuple[str, str]:
        """Names of the horizontal and the vertical axis."""
        return ("target 0", "target 1") if self._in_plane else (self.input_name, "target")

    @property
    def _in_plane(self) -> bool:
        return self.targets.shape[1] == 2

    def _drawn(self, inputs: FloatArray, targets: FloatArray) -> FloatArray:
        return targets if self._in_plane else np.column_stack([inputs, targets[:, 0]])


def curves(model: Any, X: Any, y: Any = None) -> Curves:
    """Show points coloured by component, with each component's curve.

    Parameters
    ----------
    model : fitted mixture of a family with targets, such as GaussianProcess
    X : array or frame, shape (n, 1)
    y : array, shape (n,) or (n, m)
    """
    canvas.check_mixture(model)
    data = canvas.observed(model, X, y)
    if not isinstance(data, Regression):
        raise ValueError("curves draws targets y over inputs X of one column.")
    if data.positions is None:
        raise ValueError(
            "curves draws targets y over inputs X of one column: use plots.predictions for several."
        )
    pictures = [picture_of(one, Curve) for one in model.components_]
    if None in pictures:
        raise ValueError(
            f"curves draws components that are a curve, and {model.components_[0].name} is not:"
            " let its describe return a Description whose picture is a Curve."
        )
    labels = model.predict(X, y)
    grid = np.linspace(data.positions.min(), data.positions.max(), GRID)
    drawn = [curve.predict(grid[:, None]) for curve in pictures if curve is not None]
    return Curves(
        data.positions,
        data.targets,
        labels,
        grid,
        np.stack([means for means, _ in drawn]),
        np.stack([deviations[:, 0] for _, deviations in drawn]),
        column_names(data.input_names, 1)[0] if data.input_names else "input",
        canvas.merged_clusters(model),
    )
