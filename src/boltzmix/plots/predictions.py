"""Targets of a regression against the means that their own components predict."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import FloatArray, IntArray, Regression
from ..families.contract.description import Curve
from ..views import picture_of, sample_of_groups
from . import canvas


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

    def plot(self, ax: Any = None) -> Any:
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


def predictions(model: Any, X: Any, y: Any = None) -> Predictions:
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
