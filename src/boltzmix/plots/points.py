"""Rows of a table, coloured by component."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import FloatArray, IntArray, Sequences, Trajectories
from ..families.description import Ellipse
from ..views import column_names, picture_of
from . import canvas


@dataclass(frozen=True)
class Clusters:
    """Observations coloured by component, with an ellipse or a density curve for each.

    Parameters
    ----------
    points : array, shape (n, 2) or (n, 1)
    labels : array of int, shape (n,)
        -1 for noise, which is grey.
    outlines : sequence of arrays (m, 2)
        An ellipse for each component, or, over one column, its density curve.
    axis_names : tuple of str
    """

    points: FloatArray
    labels: IntArray
    outlines: Sequence[FloatArray]
    axis_names: tuple[str, ...]

    def plot(self, ax: Any = None) -> Any:
        """Draw on `ax`, or on a new figure; return the axes."""
        ax = canvas.axes(ax)
        n_components = max(len(self.outlines), int(self.labels.max()) + 1)
        colours = canvas.label_colours(n_components)
        if self.points.shape[1] == 1:
            bins = np.histogram_bin_edges(self.points[:, 0], bins="auto")
            drawn = [*range(n_components), -1]
            columns = [self.points[self.labels == k, 0] for k in drawn]
            height = 1 / (len(self.points) * (bins[1] - bins[0]))
            weights = [np.full(len(column), height) for column in columns]
            ax.hist(columns, bins, weights=weights, stacked=True, color=colours, alpha=0.5)
            ax.set_ylabel("density")
        else:
            ax.scatter(*self.points.T, c=[colours[k] for k in self.labels], s=8, alpha=0.6, lw=0)
            ax.set_ylabel(self.axis_names[1])
        for colour, outline in zip(colours, self.outlines, strict=False):
            ax.plot(*outline.T, color="white", lw=3)
            ax.plot(*outline.T, color=colour, lw=1.6)
        ax.set_xlabel(self.axis_names[0])
        ax.set_title("Clusters")
        return ax


def clusters(model: Any, X: Any) -> Clusters:
    """Show observations coloured by component.

    One column is shown as a histogram, two as a scatter plot, more by their first two principal
    components. Components whose picture is an ellipse get one of two standard deviations; over one
    column, every component gets its density curve.

    Parameters
    ----------
    model : fitted mixture of a family on tables
    X : array or frame, shape (n, d)
    """
    data = canvas.observed(model, X)
    if isinstance(data, Sequences):
        raise ValueError("clusters draws the rows of a table: use plots.sequences for sequences.")
    if isinstance(data, Trajectories):
        raise ValueError("clusters draws the rows of a table: use plots.trajectories for these.")
    labels = model.predict(X)
    plane = Plane.of(data)
    outlines = plane.outlines(model.components_, model.weights_)
    return Clusters(plane.points, labels, outlines, plane.axis_names)


@dataclass(frozen=True)
class Plane:
    """The plane in which the rows of a table are drawn.

    Parameters
    ----------
    rows : array, shape (n, d)
    projection : array, shape (2, d) or (1, 1)
    axis_names : tuple of str
    """

    rows: FloatArray
    projection: FloatArray
    axis_names: tuple[str, ...]

    @classmethod
    def of(cls, data: Any) -> "Plane":
        """Choose the one or two columns there are, or the first two principal components."""
        rows, names = data.as_vectors(), column_names(data.feature_names, data.n_features)
        if data.n_features <= 2 or len(rows) == 1:
            return cls(rows, np.eye(min(2, data.n_features), data.n_features), names)
        centred = rows - rows.mean(axis=0)
        principal = np.linalg.svd(centred, full_matrices=False)[2][:2]
        return cls(rows, principal, ("principal component 1", "principal component 2"))

    @property
    def points(self) -> FloatArray:
        """Coordinates of the rows, shape (n, 2) or (n, 1)."""
        return self.rows @ self.projection.T

    def outlines(self, components: Sequence[Any], weights: FloatArray) -> list[FloatArray]:
        """Return an ellipse of each component that has one; over one column, a density curve."""
        if self.rows.shape[1] == 1:
            return _density_curves(components, weights, self.rows)
        ellipses = [picture_of(one, Ellipse) for one in components]
        return [
            points_on_ellipse(
                self.projection @ one.centre, self.projection @ one.covariance @ self.projection.T
            )
            for one in ellipses
            if one is not None
        ]


def points_on_ellipse(mean: FloatArray, covariance: FloatArray) -> FloatArray:
    """Return points in the plane, two standard deviations from the mean, shape (100, 2)."""
    angles = np.linspace(0, 2 * np.pi, 100)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    return mean + 2 * circle @ np.linalg.cholesky(covariance).T


def _density_curves(
    components: Sequence[Any], weights: FloatArray, rows: FloatArray
) -> list[FloatArray]:
    low, high = rows.min(), rows.max()
    grid = np.linspace(low - 0.05 * (high - low), high + 0.05 * (high - low), 400)
    on_grid = components[0].observe(grid[:, None])
    return [
        np.column_stack([grid, weight * np.exp(one.log_prob(on_grid))])
        for one, weight in zip(components, weights, strict=True)
    ]
