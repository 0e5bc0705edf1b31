"""A family in one file outside the package; plots and reports show its description."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from boltzmix.data import FloatArray, Table
from boltzmix.families import Family
from boltzmix.families.contract.description import ColumnDescription, Description


@dataclass(frozen=True)
class Rayleigh(Family):
    """Lengths of vectors whose coordinates are Gaussian: one column of positive numbers.

    Parameters
    ----------
    scale : float, optional
        Standard deviation of the coordinates. Present once fitted.
    """

    weighted = True

    scale: float | None = None

    def fit(
        self,
        data: Table,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Return a new component fitted to `data`."""
        return type(self)(float(np.sqrt(np.average(data.values[:, 0] ** 2, weights=weights) / 2)))

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row, shape (n,)."""
        x, square = data.values[:, 0], self._fitted() ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(x > 0, np.log(x / square) - x**2 / (2 * square), -np.inf)

    def sample(self, n: int, rng: np.random.Generator) -> Any:
        """Draw `n` rows, shape (n, 1)."""
        return rng.rayleigh(self._fitted(), (n, 1))

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        return 1

    def describe(self) -> Description:
        """Return the scale under its name."""
        parameters = {"scale": self._fitted()}
        return Description(parameters, columns=[ColumnDescription(parameters=parameters)])

    def _fitted(self) -> float:
        if self.scale is None:
            raise ValueError("This Rayleigh has no parameters yet: call fit first.")
        return self.scale
