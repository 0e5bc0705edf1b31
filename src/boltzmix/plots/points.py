"""Rows of a table, coloured by component."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..data import Data, FloatArray, IntArray, Sequences, Trajectories
from ..data.reading.arrays import mean_imputed
from ..families import Family
from ..fitted import FittedMixture
from ..pictures import (
    column_keys,
    column_values,
    densities,
    principal_components,
    sample_of_groups,
    shown_range,
    turned_ellipse,
)
from ..views import column_names
from . import canvas
from .canvas import Window, histogram_edges

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.typing import ColorType


@dataclass(frozen=True)
class Clusters:
    """Observations coloured by component, with an ellipse or a density curve for each.

    Where components are merged, all of a cluster have its colour.

    Parameters
    ----------
    points : array, shape (n, 2) or (n, 1)
    labels : array of int, shape (n,)
        -1 for noise, which is grey.
    outlines : sequence of arrays (m, 2)
        An ellipse for each component, or, over one column, its density curve.
    axis_names : tuple of str
    n_groups : int
        Number of components, or of clusters, where components are merged: each has a colour.
    fixed_window : Window, optional
        The part of the plane to draw; found from points, labels and outlines unless given.
    categories : tuple of tuples or None
        What the codes of each axis stand for; None for numbers.
    clusters : array of int, shape (K,), optional
        The cluster of each component, where components are merged. Labels are then clusters.
    """

    points: FloatArray
    labels: IntArray
    outlines: Sequence[FloatArray]
    axis_names: tuple[str, ...]
    n_groups: int
    fixed_window: Window | None = None
    categories: tuple[tuple[object, ...] | None, ...] = ()
    clusters: IntArray | None = None

    def plot(self, ax: "Axes | None" = None, legend: bool = True) -> "Axes":
        """Draw on `ax`, or on a new figure; return the axes.

        Of more than 5,000 points, a sample is drawn that has points of every small component.
        Noise and members far from all components do not stretch the axes: they are drawn at the
        edge, or left out of a histogram, and a note counts them.

        Parameters
        ----------
        ax : matplotlib axes, optional
        legend : bool, default=True
            Whether to name the components. More than twelve are numbered in the picture instead.
        """
        ax = canvas.axes(ax)
        colours = canvas.label_colours(self.n_groups)
        own = canvas.component_colours(self.n_groups, self.clusters)
        if self.points.shape[1] == 1:
            self._draw_histogram(ax, colours)
        else:
            self._draw_points(ax, colours)
            self.window.limit(ax, self.points)
        for colour, outline in zip(own, self.outlines, strict=False):
            ax.plot(*outline.T, color="white", lw=3)
            ax.plot(*outline.T, color=colour, lw=1.6)
        for axis, names in zip((ax.xaxis, ax.yaxis), self.categories, strict=False):
            if names is not None:
                canvas.mark_each(axis, len(names), names)
        ax.set_xlabel(self.axis_names[0])
        ax.set_title(self._title())
        if legend and self.n_groups <= canvas.MOST_NUMBERS:
            has_noise, noun = bool((self.labels < 0).any()), canvas.noun_of(self.clusters)
            canvas.name_components(ax, colours, has_noise, noun)
        elif legend:
            self._number_components(ax)
        return ax

    def _draw_histogram(self, ax: "Axes", colours: Sequence["ColorType"]) -> None:
        """Draw one column as bars, those of all components on top of each other."""
        window = self.window
        bins = histogram_edges(self.points[:, 0], window.low[0], window.high[0])
        columns = [self.points[self.labels == k, 0] for k in [*range(self.n_groups), -1]]
        height = 1 / (len(self.points) * (bins[1] - bins[0]))
        weights = [np.full(len(column), height) for column in columns]
        ax.hist(columns, bins.tolist(), weights=weights, stacked=True, color=colours, alpha=0.5)
        ax.set_ylabel("density")
        window.note(ax, self.points, "left out")

    def _draw_points(self, ax: "Axes", colours: Sequence["ColorType"]) -> None:
        """Draw points in random order, so that no component hides another."""
        shown = np.random.default_rng(0).permutation(self._shown)
        area = float(np.clip(6000 / len(shown), 3, 10))
        shades = [colours[k] for k in self.labels[shown]]
        x, y = self.window.place(self.points[shown]).T
        ax.scatter(x, y, c=shades, s=area, alpha=0.6, lw=0)
        ax.set_ylabel(self.axis_names[1])

    def _number_components(self, ax: "Axes") -> None:
        """Write the number of each component amid its points."""
        for k in np.unique(self.labels[self.labels >= 0]):
            middle = np.median(self.points[self.labels == k], axis=0)
            place = (*middle, 0)[:2]
            ax.annotate(
                str(k), place, ha="center", va="center", fontsize="small",
                bbox={"boxstyle": "round,pad=0.15", "fc": "white", "lw": 0.4, "alpha": 0.8},
            )  # fmt: skip

    @property
    def window(self) -> Window:
        """The part of the plane that is drawn; of one column, its range."""
        is_plane = self.points.shape[1] == 2
        outlines = self.outlines if is_plane else ()
        return self.fixed_window or Window.of(self.points, self.labels, outlines)

    @property
    def _shown(self) -> IntArray:
        """The indices of the points that are drawn."""
        places = np.where(self.labels < 0, self.n_groups, self.labels)
        return sample_of_groups(places, self.n_groups + 1)

    def _title(self) -> str:
        n, n_shown = len(self.points), len(self._shown)
        if self.points.shape[1] == 1 or n_shown == n:
            return "Clusters"
        return f"Clusters ({n_shown:,} of {n:,} points drawn)"


def clusters(model: FittedMixture, X: object) -> Clusters:
    """Show observations coloured by component.

    One column is shown as a histogram, two as a scatter plot, more by the first two principal
    components of columns scaled to unit variance. Of many points, a sample is drawn. Components
    whose picture is an ellipse get one of two standard deviations; over one column, every component
    gets its density curve.

    Parameters
    ----------
    model : fitted mixture of a family on tables
    X : array or frame, shape (n, d)
    """
    canvas.check_mixture(model)
    data = canvas.observed(model, X)
    if isinstance(data, Sequences):
        raise ValueError("clusters draws the rows of a table: use plots.sequences for sequences.")
    if isinstance(data, Trajectories):
        raise ValueError("clusters draws the rows of a table: use plots.trajectories for these.")
    labels = model.predict(X)
    plane = Plane.of(data, labels)
    outlines = plane.outlines(model.components_, model.weights_)
    return Clusters(
        plane.points,
        labels,
        outlines,
        plane.axis_names,
        model.n_clusters_,
        categories=plane.categories,
        clusters=canvas.merged_clusters(model),
    )


@dataclass(frozen=True)
class Plane:
    """The plane in which the rows of a table are drawn.

    Parameters
    ----------
    data : Rows or Columns
    rows : array, shape (n, d)
    labels : array of int, shape (n,)
        -1 for noise.
    directions : array, shape (2, d) or (1, 1)
    offsets : array, shape (2,) or (1,)
        What is subtracted from the coordinates.
    axis_names : tuple of str
    """

    data: Data
    rows: FloatArray
    labels: IntArray
    directions: FloatArray
    offsets: FloatArray
    axis_names: tuple[str, ...]

    @classmethod
    def of(cls, data: Data, labels: IntArray) -> "Plane":
        """Choose the one or two columns there are, or the first two principal components."""
        keys = column_keys(data)
        n = len(keys)
        if n <= 2:
            names = column_names(keys if isinstance(keys[0], str) else None, n)
            rows = mean_imputed(column_values(data))
            return cls(data, rows, labels, np.eye(n), np.zeros(n), names)
        names = ("principal component 1", "principal component 2")
        turned = principal_components(data, labels, 2)
        return cls(data, data.as_vectors(), labels, *turned, names)

    @property
    def categories(self) -> tuple[tuple[object, ...] | None, ...]:
        """The categories that the codes of each axis stand for; None for numbers."""
        keys = column_keys(self.data)
        known = getattr(self.data, "categories", {}) if len(keys) <= 2 else {}
        return tuple(known.get(key) for key in keys[:2])

    @property
    def points(self) -> FloatArray:
        """Coordinates of the rows, shape (n, 2) or (n, 1)."""
        return self.rows @ self.directions.T - self.offsets

    def outlines(self, components: Sequence[Family], weights: FloatArray) -> list[FloatArray]:
        """Return an ellipse of each component that has one; over one column, a density curve."""
        if self.rows.shape[1] == 1:
            return self._density_curves(components, weights)
        turned = [turned_ellipse(one, self.directions, self.offsets) for one in components]
        return [points_on_ellipse(*one) for one in turned if one is not None]

    def _density_curves(
        self, components: Sequence[Family], weights: FloatArray
    ) -> list[FloatArray]:
        """Return the weighted density of each component, if the family gives it."""
        ends = shown_range(self.rows[:, 0], self.labels)
        found = densities(components, weights, self.data, 0, ends)
        if found is None:
            return []
        grid, *curves = found
        return [np.column_stack([grid, curve]) for curve in curves]


def points_on_ellipse(mean: FloatArray, covariance: FloatArray) -> FloatArray:
    """Return points in the plane, two standard deviations from the mean, shape (100, 2)."""
    angles = np.linspace(0, 2 * np.pi, 100)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    return mean + 2 * circle @ np.linalg.cholesky(covariance).T
