"""Information criteria against the number of components."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone

from ..data import FloatArray, IntArray
from ..views import PALETTE
from . import canvas

STYLES = {"BIC": (PALETTE[0], "o-"), "ICL": (PALETTE[5], "s--"), "AIC": (PALETTE[7], "^:")}


@dataclass(frozen=True)
class Criteria:
    """Information criteria of some mixtures; lower values are better.

    Parameters
    ----------
    models : tuple of fitted mixtures
    n_components : array of int, shape (m,)
        Number of components of each mixture.
    bic, icl, aic : arrays, shape (m,)
    """

    models: tuple[Any, ...]
    n_components: IntArray
    bic: FloatArray
    icl: FloatArray
    aic: FloatArray

    @property
    def best(self) -> Any:
        """The mixture with the lowest BIC, fitted."""
        return self.models[int(np.argmin(self.bic))]

    def plot(self, ax: Any = None) -> Any:
        """Draw on `ax`, or on a new figure; return the axes. The lowest values are ringed."""
        from matplotlib.ticker import MaxNLocator

        ax = canvas.axes(ax)
        for name, values in (("BIC", self.bic), ("ICL", self.icl), ("AIC", self.aic)):
            colour, style = STYLES[name]
            lowest = int(np.argmin(values))
            label = f"{name}, lowest at {self.n_components[lowest]}"
            ax.plot(self.n_components, values, style, color=colour, ms=4, lw=1.6, label=label)
            ax.plot(
                self.n_components[lowest], values[lowest], "o", color=colour,
                mfc="none", ms=11, mew=1.6,
            )  # fmt: skip
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        ax.set_xlabel("components")
        ax.set_ylabel("criterion (lower is better)")
        ax.set_title("How many components?")
        ax.legend(frameon=False)
        return ax


def bic(
    model: Any, X: Any, y: Any = None, *, n_components: Iterable[int] = range(1, 10)
) -> Criteria:
    """Show BIC, ICL and AIC against the number of components.

    AIC tends to choose more components than there are clusters. ICL tends to choose fewer than
    BIC, as it prefers components that do not overlap. `Criteria.best` is the mixture of lowest BIC.

    Parameters
    ----------
    model : mixture, or sequence of fitted mixtures
        Of one mixture, fitted or not, a copy with the same settings is fitted to `X` for each
        number of components. The mixtures of a sequence must all be fitted.
    X : array, frame or whatever the family takes
    y : array, optional
        The targets of a family that has them.
    n_components : iterable of int, default=range(1, 10)
        Numbers of components to try; not used for a sequence of fitted mixtures.

    Examples
    --------
    >>> from boltzmix import Mixture, plots
    >>> from boltzmix.datasets import make_square
    >>> X, _ = make_square(random_state=0)
    >>> choice = plots.bic(Mixture(random_state=0), X, n_components=range(2, 6))
    >>> choice.best.n_components
    4
    """
    models = tuple(model) if isinstance(model, Sequence) else _fit_each(model, X, y, n_components)
    if not models or not all(hasattr(one, "components_") for one in models):
        raise ValueError("model must be a mixture, or a sequence of at least one fitted mixture.")
    return Criteria(
        models,
        np.array([len(one.components_) for one in models]),
        np.array([one.bic(X, y) for one in models]),
        np.array([one.icl(X, y) for one in models]),
        np.array([one.aic(X, y) for one in models]),
    )


def _fit_each(model: Any, X: Any, y: Any, n_components: Iterable[int]) -> tuple[Any, ...]:
    """Fit a copy of a mixture with each number of components."""
    if not hasattr(model, "predict_proba"):
        raise ValueError(
            f"model must be a mixture such as Mixture(Gaussian()), not {type(model).__name__}."
        )
    wanted = list(n_components) if isinstance(n_components, Iterable) else [n_components]
    if not wanted or not all(isinstance(k, Integral) and k >= 1 for k in wanted):
        raise ValueError(
            f"n_components must be whole numbers of at least 1, as range(1, 10), not {wanted!r}."
        )
    return tuple(clone(model).set_params(n_components=k).fit(X, y) for k in wanted)
