"""Bivariate residuals: how far pairs of columns are from independent within latent classes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ...data import FloatArray, IntArray, without_covariates
from ...fitted import FittedMixture
from ...look import frame_of, html_table, text_table
from .indicators import Indicators, indicators_of

MOST_PAIRS = 10  # named below the table


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

    def to_frame(self) -> Any:
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
