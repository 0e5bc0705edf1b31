"""How certain it is which component each observation belongs to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import entr

from ...data import FloatArray
from ...fitted import FittedMixture
from ...look import frame_of, html_table, text_table

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, repr=False)
class Classification:
    """How certain a mixture is about the components of some observations.

    Parameters
    ----------
    table : array, shape (K, K)
        The classification table: row k has the expected numbers of observations from each
        component, among those assigned to component k, their most probable one. Noise, if there is
        any, is the last row and column.
    names : sequence of str
        The number of each component, or "noise".
    uncertainty : float
        Mean entropy of an observation's probabilities, in nats.
    """

    table: FloatArray
    names: Sequence[str]
    uncertainty: float

    @property
    def n_observations(self) -> float:
        """Number of observations."""
        return float(self.table.sum())

    @property
    def sizes(self) -> FloatArray:
        """Expected fraction of observations from each component, shape (K,)."""
        return self.table.sum(axis=0) / self.n_observations

    @property
    def assigned(self) -> FloatArray:
        """Fraction of observations that are assigned to each component, shape (K,)."""
        return self.table.sum(axis=1) / self.n_observations

    @property
    def mean_probabilities(self) -> FloatArray:
        """Mean probability of each component, by the component assigned, shape (K, K).

        These are the average latent class probabilities that Mplus prints. A row is NaN where no
        observation is assigned to the component.
        """
        return _fractions(self.table)

    @property
    def assignment_probabilities(self) -> FloatArray:
        """Probability that an observation of component k is assigned to each, shape (K, K).

        Row k is of component k. Three-step analyses correct for these probabilities.
        """
        return _fractions(self.table.T)

    @property
    def errors(self) -> float:
        """Expected fraction of observations that are assigned to a wrong component."""
        return 1 - float(np.trace(self.table)) / self.n_observations

    @property
    def error_reduction(self) -> float:
        """How much of the errors without any column, all in the largest component, is avoided.

        This is the "reduction of errors" (lambda) of Latent GOLD.
        """
        without = 1 - float(self.sizes.max())
        return 1.0 if without <= 0 else 1 - self.errors / without

    @property
    def relative_entropy(self) -> float:
        """One less the mean entropy over ln K, the entropy of K equally probable components.

        This is what Mplus prints as "entropy": 1 where all observations are certain, 0 where all
        components are equally probable for each of them.
        """
        return _one_less(self.uncertainty, np.log(len(self.table)))

    @property
    def entropy_r2(self) -> float:
        """One less the mean entropy over that of the sizes of the components.

        This is the "entropy R²" of Latent GOLD: the fraction of the uncertainty about the
        component that the columns remove. It equals `relative_entropy` where sizes are equal.
        """
        return _one_less(self.uncertainty, float(entr(self.sizes).sum()))

    def to_frame(self) -> "DataFrame":
        """Return the classification table as a pandas frame, a row for each component assigned."""
        rows = [dict(zip(self.names, row, strict=True)) for row in self.table]
        return frame_of(rows).set_axis(list(self.names), axis=0).rename_axis("assigned to")

    def __repr__(self) -> str:
        return f"{text_table(*self._cells)}\n{self._sentence}"

    def _repr_html_(self) -> str:
        return html_table(*self._cells, self._sentence)

    @property
    def _cells(self) -> tuple[list[str], list[list[str]]]:
        headings = ["assigned to", *(f"from {name}" for name in self.names), "total", "mean prob."]
        rows = [
            [name, *(f"{cell:.2f}" for cell in (*row, row.sum())), f"{probability:.3f}"]
            for name, row, probability in zip(
                self.names, self.table, np.diagonal(self.mean_probabilities), strict=True
            )
        ]
        total = self.table.sum(axis=0)
        return headings, [*rows, ["total", *(f"{n:.2f}" for n in (*total, total.sum())), ""]]

    @property
    def _sentence(self) -> str:
        return (
            f"Relative entropy {self.relative_entropy:.4f}, entropy R² {self.entropy_r2:.4f},"
            f" {self.errors:.2%} expected classification errors."
        )


def classify_observations(
    model: FittedMixture, X: object, y: object = None, covariates: object = None
) -> Classification:
    """Return how certain a fitted mixture is about some observations."""
    model._in_memory(X, y, covariates)
    return classify(model, model.predict_component_proba(X, y, covariates))


def classify(model: FittedMixture, probabilities: FloatArray) -> Classification:
    """Return how certain a fitted mixture is about observations with these probabilities (n, K)."""
    assigned = probabilities.argmax(axis=1)
    table = np.zeros((probabilities.shape[1],) * 2)
    np.add.at(table, assigned, probabilities)
    uncertainty = float(entr(probabilities).sum(axis=1).mean())
    return Classification(table, group_names(model, probabilities), uncertainty)


def group_names(model: FittedMixture, probabilities: FloatArray) -> tuple[str, ...]:
    """Return the numbers of the components, and "noise" if probabilities have a column for it."""
    n_components = len(model.components_)
    noise = ["noise"] if probabilities.shape[1] > n_components else []
    return (*map(str, range(n_components)), *noise)


def _fractions(table: FloatArray) -> FloatArray:
    """Divide rows by their sums; rows without any observation become NaN."""
    sums = table.sum(axis=1, keepdims=True)
    return np.divide(table, sums, out=np.full(table.shape, np.nan), where=sums > 0)


def _one_less(uncertainty: float, most: float) -> float:
    return 1.0 if most <= 0 else 1 - uncertainty / most
