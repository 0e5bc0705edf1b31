"""The uniform distribution between two ends, with independent columns."""

from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from ...data import FloatArray, Rng, Rows, Table, Weights, shown
from ..columns.additive_fits import fit_prepared
from ..columns.column_family import ColumnFamily
from ..contract.capabilities import AdditiveFamily
from ..shared.copies import replaced

CONSTANT_WIDTH = 1e-6  # width of a constant column, as a fraction of its value


@dataclass(frozen=True, eq=False)
class Ends:
    """Least and greatest value of some rows in each column; infinities where there is none.

    Parameters
    ----------
    low, high : arrays, shape (d,)
    """

    low: FloatArray
    high: FloatArray

    def __add__(self, other: Self) -> Self:
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return replaced(self, low=low, high=high)

    def __mul__(self, factor: float) -> Self:
        return self if factor else replaced(self, low=self.low + np.inf, high=self.high - np.inf)

    def filled(self, other: Self) -> Self:
        """Return these ends, with those of `other` where there is no value."""
        seen = self.low <= self.high
        low, high = np.where(seen, (self.low, self.high), (other.low, other.high))
        return replaced(self, low=low, high=high)


@dataclass(frozen=True, eq=False, repr=False)
class Uniform(ColumnFamily, AdditiveFamily):
    """Numbers between two ends, all equally likely; columns are independent.

    Beyond the ends of a component, its log density is minus infinity. An observation
    with any responsibility, however small, lies between the ends of a component. So EM never
    narrows a component, and after a random start all components are as wide as the data: start
    with ``init="kmeans"``, or with labels. Batches of `partial_fit` only widen components.

    Parameters
    ----------
    low : array, shape (d,), optional
        Least values. Present once fitted.
    high : array, shape (d,), optional
        Greatest values. Present once fitted.
    floor : float, default=0.01
        The least width of a component, as a fraction of the width of all the data: a narrower one
        is widened on both sides. In a mixture of K components, it is divided by K^(1/d).

    Attributes
    ----------
    data_moments : Ends
        The ends of all the data. Set by `prepare`.

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> Uniform().fit(Table.of([[1.0, 0.2], [3.0, 0.0], [2.0, 0.1]]))
    Uniform(low=[1. 0.], high=[3.  0.2])
    """

    smooth = False
    parameters: ClassVar = {"low": "finite", "high": "finite"}
    fit = fit_prepared

    low: FloatArray | None = None
    high: FloatArray | None = None
    data_moments: "Ends | None" = field(default=None, init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.low is not None and self.high is not None and not np.all(self.low < self.high):
            raise ValueError(
                f"low must be less than high, not {shown(self.low)} and {shown(self.high)}."
            )

    def log_prob_of_cells(self, values: FloatArray) -> FloatArray:
        low, high = self.fitted_parameters
        return np.where((values >= low) & (values <= high), -np.log(high - low), -np.inf)

    def with_limits_from(self, data: Rows, weights: Weights) -> Self:
        data_moments = self.summarise_blocks(data, weights)
        return replaced(self, data_moments=data_moments, whole=self.from_statistics(data_moments))

    def summarise(self, data: Table, weights: Weights = None) -> Ends:
        """Find the ends of the values that have weight."""
        values = data.values.astype(float)
        there = ~np.isnan(values)
        if weights is not None:
            there &= weights[:, None] > 0
        return Ends(
            values.min(axis=0, where=there, initial=np.inf),
            values.max(axis=0, where=there, initial=-np.inf),
        )

    def from_statistics(self, statistics: Ends, rng: Rng = None) -> Self:
        """Return the component with these ends, widened if it is too narrow."""
        ends = statistics if self.data_moments is None else statistics.filled(self.data_moments)
        missing_width = np.maximum(self._least_width(ends) - (ends.high - ends.low), 0.0)
        return self.with_parameters((ends.low - missing_width / 2, ends.high + missing_width / 2))

    def at(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return ends around the values."""
        low, high = self.fitted_parameters
        return values - (high - low) / 2, values + (high - low) / 2

    @property
    def means(self) -> FloatArray:
        low, high = self.fitted_parameters
        return (low + high) / 2

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        low, high = self.fitted_parameters
        return rng.uniform(low, high, shape)

    def _least_width(self, ends: Ends) -> FloatArray:
        if self.whole is None:
            return CONSTANT_WIDTH * np.where(ends.high == 0, 1.0, np.abs(ends.high))
        low, high = self.whole.fitted_parameters
        return self.floor * (high - low)
