"""Points on curves, with the curve of each component; targets against predictions."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..data import FloatArray, IntArray, Regression
from ..families.contract.description import Curve
from ..fitted import FittedMixture
from ..pictures import component_curves, sample_of_groups
from ..views import column_names, picture_of
from . import canvas
from .canvas import Window

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw on `ax`, or on a new figure; return the axes.

        One target is drawn against the input, and two as a path in the plane. Of three or more,
        the first is drawn against the input.
        """
        ax = canvas.axes(ax)
        n_groups = len(self.means) if self.clusters is None else int(self.clusters.max()) + 1
        colours = canvas.label_colours(n_groups)
        own = canvas.component_colours(n_groups, self.clusters)
        x, y = self.window.place(self.points).T
        ax.scatter(x, y, c=[colours[k] for k in self.labels], s=9, alpha=0.6, lw=0)
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


def curves(model: FittedMixture, X: object, y: object = None) -> Curves:
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
    found = component_curves(model.components_, data, GRID)
    if found is None:
        raise ValueError(
            f"curves draws components that are a curve, and {model.components_[0].name} is not:"
            " let its describe return a Description whose picture is a Curve."
        )
    return Curves(
        data.positions,
        data.targets,
        model.predict(X, y),
        found.grid,
        found.means,
        found.deviations[..., 0],
        column_names(data.input_names, 1)[0] if data.input_names else "input",
        canvas.merged_clusters(model),
    )


@dataclass(frozen=True)
class Predictions:
    """Targets against predicted means, coloured by component. The line is where both are equal.

    Parameters
    ----------
    means : array, shape (n,)
        The mean of the first target, as predicted by the component of each observation.
    targets : array, shape (n,)
    labels : array of int, shape (n,)
        The component of each observation.
    n_components : int
    clusters : array of int, shape (K,), optional
        The cluster of each component, where components are merged: it has one colour.
    """

    means: FloatArray
    targets: FloatArray
    labels: IntArray
    n_components: int
    clusters: IntArray | None = None

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw on `ax`, or on a new figure; return the axes."""
        ax = canvas.axes(ax)
        colours = canvas.component_colours(self.n_components, self.clusters)
        shown = np.random.default_rng(0).permutation(
            sample_of_groups(self.labels, self.n_components)
        )
        shades = [colours[k] for k in self.labels[shown]]
        ax.scatter(self.means[shown], self.targets[shown], c=shades, s=9, alpha=0.6, lw=0)
        middle = float(self.means.mean())
        ax.axline((middle, middle), slope=1, color="0.3", lw=1, zorder=0)
        ax.set_xlabel("mean that the component predicts")
        ax.set_ylabel("target")
        ax.set_title("Targets and predictions")
        n_groups = self.n_components if self.clusters is None else int(self.clusters.max()) + 1
        if n_groups <= canvas.MOST_NUMBERS:
            noun = canvas.noun_of(self.clusters)
            canvas.name_components(ax, canvas.label_colours(n_groups), noun=noun)
        return ax


def predictions(model: FittedMixture, X: object, y: object = None) -> Predictions:
    """Show targets against the means that their own components predict.

    It shows a regression on any number of inputs; `curves` shows one on a single input. Noise has
    no prediction, and is left out.

    Parameters
    ----------
    model : fitted mixture of a family with targets, such as LinearRegression
    X : array or frame, shape (n, p)
    y : array, shape (n,) or (n, m)
        Of several targets, the first is shown.

    Examples
    --------
    >>> import numpy as np
    >>> from boltzmix import Mixture, plots
    >>> from boltzmix.families import LinearRegression
    >>> rng = np.random.default_rng(0)
    >>> X, slopes = rng.normal(size=(200, 3)), rng.choice([-2, 2], 200)
    >>> y = slopes * X[:, 0] + X[:, 1] + rng.normal(0, 0.1, 200)
    >>> model = Mixture(LinearRegression(), 2, random_state=0).fit(X, y)
    >>> axes = plots.predictions(model, X, y).plot()
    """
    canvas.check_mixture(model)
    data = canvas.observed(model, X, y)
    if not isinstance(data, Regression):
        raise ValueError(
            "predictions draws targets y against inputs X: use plots.clusters for rows."
        )
    labels = model.predict_components(X, y)
    means = np.full(len(data), np.nan)
    for k, curve in enumerate(picture_of(one, Curve) for one in model.components_):
        if curve is None:
            raise ValueError(
                f"predictions draws components that are a curve, and {model.components_[k].name} is"
                " not: let its describe return a Description whose picture is a Curve."
            )
        own = labels == k
        if own.any():
            means[own] = curve.predict(data.inputs[own])[0][:, 0]
    known = labels >= 0
    return Predictions(
        means[known],
        data.targets[known, 0],
        labels[known],
        len(model.components_),
        canvas.merged_clusters(model),
    )
