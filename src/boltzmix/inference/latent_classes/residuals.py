"""The columns of latent classes, and how far pairs of these are from independent within a class."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data import BoolArray, Columns, Data, FloatArray, IntArray, Rows, without_covariates
from ...fitted import FittedMixture
from ...look import frame_of, html_table, text_table
from ..profiles.variables import columns_of

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False)
class Indicators:
    """Codes of categorical columns, and their probabilities in each latent class.

    Parameters
    ----------
    names : sequence of d str
    codes : array of int, shape (n, d)
        -1 where a value is missing.
    probabilities : sequence of d arrays, shape (K, C_j)
        Probability of each category of a column in each class.
    categories : sequence of d sequences
        What the codes of each column stand for.
    """

    names: Sequence[str]
    codes: IntArray
    probabilities: Sequence[FloatArray]
    categories: Sequence[Sequence[object]]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of categories of each column."""
        return tuple(table.shape[1] for table in self.probabilities)

    @property
    def complete(self) -> BoolArray:
        """Which rows have no missing value, shape (n,)."""
        return np.asarray((self.codes >= 0).all(axis=1))


def indicators_of(model: FittedMixture, data: Data, purpose: str) -> Indicators:
    """Return the columns of a latent class model; raise if the mixture is none.

    Parameters
    ----------
    model : fitted mixture
    data : Data
    purpose : str
        The method that needs the columns, for the message.
    """
    if model.noise:
        raise ValueError(f"{purpose} is for latent classes without noise: fit with noise=False.")
    columns = columns_of(data, model.components_, {}) if isinstance(data, Rows | Columns) else []
    other = next((one.name for one in columns if one.categories is None), None)
    if not columns or other is not None:
        what = f"column {other} is not" if other else f"{model.components_[0].name} has no columns"
        raise ValueError(
            f"{purpose} is for latent classes, whose columns are categories, but {what}: use a"
            " mixture of Categorical or Bernoulli, or a Product of these."
        )
    values = np.column_stack([column.values(slice(0, len(data))) for column in columns])
    tables = [np.stack([_probabilities(one) for one in own.descriptions]) for own in columns]
    return Indicators(
        [column.name for column in columns],
        np.where(np.isnan(values), -1, values).astype(np.int64),
        tables,
        [column.categories or () for column in columns],
    )


def _probabilities(column: Any) -> FloatArray:
    return np.asarray(column.probabilities)


@dataclass(frozen=True, eq=False, repr=False)
class BivariateResiduals:
    """How far each pair of columns is from what the latent classes expect.

    Parameters
    ----------
    names : sequence of d str
        Names of the columns.
    residuals : array, shape (d, d)
        Pearson's chi-squared of the two-way table of each pair, observed against expected, over
        its degrees of freedom, (C_i - 1)(C_j - 1). Symmetric; NaN on the diagonal, and where no
        row has both columns.
    """

    names: Sequence[str]
    residuals: FloatArray

    @property
    def largest(self) -> list[tuple[str, str, float]]:
        """All pairs of columns with their residuals, the largest first."""
        pairs = [
            (self.names[i], self.names[j], float(self.residuals[i, j]))
            for i, j in combinations(range(len(self.names)), 2)
            if not np.isnan(self.residuals[i, j])
        ]
        return sorted(pairs, key=lambda pair: -pair[2])

    def to_frame(self) -> "DataFrame":
        """Return the residuals as a pandas frame, with columns as rows and columns."""
        rows = [dict(zip(self.names, row, strict=True)) for row in self.residuals]
        return frame_of(rows).set_axis(list(self.names), axis=0)

    def __repr__(self) -> str:
        return f"{text_table(*self._cells)}\n{self._sentence}"

    def _repr_html_(self) -> str:
        return html_table(*self._cells, self._sentence)

    @property
    def _cells(self) -> tuple[list[str], list[list[str]]]:
        rows = [
            [name, *("" if np.isnan(one) or j >= i else f"{one:.3f}" for j, one in enumerate(row))]
            for i, (name, row) in enumerate(zip(self.names, self.residuals, strict=True))
        ]
        return ["", *self.names], rows

    @property
    def _sentence(self) -> str:
        if not self.largest:
            return "There are no two columns."
        first, second, residual = self.largest[0]
        return f"The largest bivariate residual is {residual:.3f}, of {first} and {second}."


def bivariate_residuals(
    model: FittedMixture, X: object, covariates: object = None
) -> BivariateResiduals:
    """Return how far pairs of categorical columns are from what latent classes expect."""
    data = without_covariates(model._in_memory(X, None, covariates))
    indicators = indicators_of(model, data, "bivariate_residuals")
    probabilities = model.predict_component_proba(X, None, covariates)
    d = len(indicators.names)
    residuals = np.full((d, d), np.nan)
    for i, j in combinations(range(d), 2):
        residuals[i, j] = residuals[j, i] = _residual(indicators, probabilities, i, j)
    return BivariateResiduals(indicators.names, residuals)


def _residual(indicators: Indicators, probabilities: FloatArray, i: int, j: int) -> float:
    """Return the residual of columns i and j, from the rows that have both.

    The sizes of the classes among these rows are the sums of their probabilities. So a row that
    misses one of the columns more often in some classes does not disturb the residual, and
    covariates of membership are taken into account.
    """
    first, second = indicators.probabilities[i], indicators.probabilities[j]
    codes = indicators.codes[:, [i, j]]
    both = (codes >= 0).all(axis=1)
    freedom = (first.shape[1] - 1) * (second.shape[1] - 1)
    if not both.any() or freedom == 0:
        return np.nan
    sizes = probabilities[both].sum(axis=0)
    expected = np.einsum("k,ka,kb->ab", sizes, first, second)
    return chi_squared(_count(codes[both], expected.shape), expected) / freedom


def chi_squared(observed: FloatArray, expected: FloatArray) -> float:
    """Return Pearson's chi-squared; cells that are neither observed nor expected count nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        cells = (observed - expected) ** 2 / expected
    return float(np.where(observed == expected, 0.0, cells).sum())


def _count(codes: IntArray, shape: tuple[int, ...]) -> FloatArray:
    """Count pairs of codes (n, 2) in a table of this shape."""
    flat = np.ravel_multi_index(tuple(codes.T), shape)
    return np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape).astype(float)
