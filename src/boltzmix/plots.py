"""Pictures of a mixture. Each function computes; the object it returns draws.

>>> from boltzmix import Mixture, plots
>>> from boltzmix.datasets import make_square
>>> X, _ = make_square(random_state=0)
>>> model = Mixture(n_components=4, random_state=0).fit(X)
>>> axes = plots.clusters(model, X).plot()
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .data import FloatArray, IntArray
from .learning import History

# Okabe and Ito's colours, told apart by people with any colour vision; black is left to text
PALETTE = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999"]


@dataclass(frozen=True)
class Clusters:
    """Observations coloured by component, with an ellipse or a density curve for each.

    Parameters
    ----------
    points : array, shape (n, 2) or (n, 1)
    labels : array of int, shape (n,)
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
        ax = _axes(ax)
        components = range(max(len(self.outlines), int(self.labels.max()) + 1))
        colours = _colours(len(components))
        if self.points.shape[1] == 1:
            bins = np.histogram_bin_edges(self.points[:, 0], bins="auto")
            heights = [self.points[self.labels == k, 0] for k in components]
            share = np.full(len(self.points), 1 / (len(self.points) * (bins[1] - bins[0])))
            shares = [share[self.labels == k] for k in components]
            ax.hist(heights, bins, weights=shares, stacked=True, color=colours, alpha=0.5)
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


@dataclass(frozen=True)
class Trace:
    """Temperature and score of every step."""

    history: History

    def plot(self, ax: Any = None) -> Any:
        """Draw on `ax`, or on a new figure; return the axes."""
        ax = _axes(ax)
        steps = np.arange(len(self.history))
        ax.plot(steps, self.history.score, color=PALETTE[0], lw=1.6)
        ax.set_xlabel("step")
        ax.set_ylabel("score", color=PALETTE[0])
        heat = ax.twinx()
        heat.plot(steps, self.history.temperature, color=PALETTE[5], lw=1.6, ls="--")
        heat.set_ylabel("temperature", color=PALETTE[5])
        heat.set_ylim(bottom=0)
        _mark_phases(ax, self.history)
        ax.set_title("Training")
        return ax


@dataclass(frozen=True)
class Allocations:
    """How much each component was given at every step."""

    history: History

    def plot(self, ax: Any = None) -> Any:
        """Draw on `ax`, or on a new figure; return the axes."""
        ax = _axes(ax)
        for colour, counts in zip(
            _colours(self.history.counts.shape[1]), self.history.counts.T, strict=True
        ):
            ax.plot(counts, color=colour, lw=1.4)
        ax.set_xlabel("step")
        ax.set_ylabel("observations given")
        ax.set_ylim(bottom=0)
        _mark_phases(ax, self.history)
        ax.set_title("Allocations")
        return ax


def clusters(model: Any, X: Any) -> Clusters:
    """Show observations coloured by component.

    One column is shown as a histogram, two as a scatter plot, more by their first two principal
    components. Components with a mean and a covariance matrix get an ellipse of two standard
    deviations; over one column, every component gets its density curve.

    Parameters
    ----------
    model : fitted mixture of a family on tables
    X : array or frame, shape (n, d)
    """
    labels = model.predict(X)
    data = model.components_[0].observe(X)
    rows = data.as_vectors()
    names = data.feature_names or tuple(f"column {j}" for j in range(data.n_features))
    if data.n_features == 1:
        return Clusters(rows, labels, _density_curves(model, rows), names)
    projection = np.eye(2, data.n_features)
    if data.n_features > 2 and len(rows) > 1:
        centred = rows - rows.mean(axis=0)
        projection = np.linalg.svd(centred, full_matrices=False)[2][:2]
        names = ("principal component 1", "principal component 2")
    outlines = [
        _ellipse(projection @ one.mean, projection @ one.covariance_matrix @ projection.T)
        for one in model.components_
        if hasattr(one, "mean") and hasattr(one, "covariance_matrix")
    ]
    return Clusters(rows @ projection.T, labels, outlines, names)


def trace(model: Any) -> Trace:
    """Show the temperature and score of every step of a fitted mixture."""
    return Trace(model.history_)


def allocations(model: Any) -> Allocations:
    """Show how much each component of a fitted mixture was given at every step."""
    return Allocations(model.history_)


def overview(model: Any, X: Any) -> Any:
    """Draw clusters, training trace and allocations side by side; return the figure."""
    figure = _matplotlib().figure.Figure(figsize=(13, 4), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    clusters(model, X).plot(left)
    trace(model).plot(middle)
    allocations(model).plot(right)
    return figure


def _matplotlib() -> Any:
    try:
        import matplotlib.figure
    except ImportError:
        raise ImportError("Plots need matplotlib: pip install 'boltzmix[plot]'.") from None
    return matplotlib


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    _matplotlib()
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def _colours(n: int) -> list[Any]:
    if n <= len(PALETTE):
        return list(PALETTE[:n])
    return list(_matplotlib().colormaps["turbo"](np.linspace(0.05, 0.95, n)))


def _mark_phases(ax: Any, history: History) -> None:
    """Draw a line where a new recipe takes over, and name each."""
    for start in np.flatnonzero(history.iteration == 0):
        if start:
            ax.axvline(start - 0.5, color="0.6", lw=0.8)
        ax.annotate(
            history.phase[start],
            (start, 1),
            xycoords=("data", "axes fraction"),
            xytext=(2, -10),
            textcoords="offset points",
            fontsize="small",
            color="0.4",
        )


def _ellipse(mean: FloatArray, covariance: FloatArray) -> FloatArray:
    angles = np.linspace(0, 2 * np.pi, 100)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    return mean + 2 * circle @ np.linalg.cholesky(covariance).T


def _density_curves(model: Any, rows: FloatArray) -> list[FloatArray]:
    low, high = rows.min(), rows.max()
    grid = np.linspace(low - 0.05 * (high - low), high + 0.05 * (high - low), 400)
    on_grid = model.components_[0].observe(grid[:, None])
    return [
        np.column_stack([grid, weight * np.exp(one.log_prob(on_grid))])
        for one, weight in zip(model.components_, model.weights_, strict=True)
    ]
