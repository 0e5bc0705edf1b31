"""The geometric distribution of numbers of trials, with independent columns."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ...data import BoolArray, FloatArray
from ..columns.exponential_columns import PRIOR, ExponentialColumns, pooled_counts
from ..shared.validation import are_no_counts, read_not_negative


@dataclass(frozen=True, eq=False, repr=False)
class Geometric(ExponentialColumns):
    """Numbers of trials up to the first success, 1, 2, 3, …; columns are independent.

    The success counts, as in `scipy.stats.geom`: for numbers of failures, which may be zero, add
    one to the data.

    Parameters
    ----------
    probability : array, shape (d,), optional
        Probability of success of a trial in each column, one over the mean. Present once fitted.
    floor : float, default=1e-4
        The least mean number of failures of a component, as a fraction of the column's mean number.
        A column of ones is taken to have one failure. In a mixture of K components, it is divided
        by K^(1/d).
    prior : float, default=1.0
        Strength of the prior, which pulls the mean of every component towards that of all the
        data: it counts as much as so many observations in each column, or as so many failures if
        these are fewer, so its effect vanishes as data grow. Zero means no prior.

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> Geometric().fit(Table.of([[1, 10], [3, 1], [2, 4]])).probability
    array([0.5, 0.2])
    """

    parameters: ClassVar = {"probability": "between 0 and 1"}
    takes = "numbers of trials, which are whole and at least 1, up to 9e15"
    whole_numbers = True

    probability: FloatArray | None = None
    floor: float = field(default=1e-4, kw_only=True)
    prior: float = field(default=PRIOR, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        read_not_negative(self, "prior")

    def outside(self, values: FloatArray) -> BoolArray:
        """Return which cells are not whole numbers of at least one."""
        return are_no_counts(values, least=1)

    def functions(self, values: FloatArray) -> tuple[FloatArray]:
        """Return the numbers of failures."""
        return (values - 1,)

    @property
    def natural(self) -> FloatArray:
        """A constant, and the factor of the number of failures, shape (2, d)."""
        (probability,) = self.fitted_parameters
        return np.stack([np.log(probability), np.log1p(-probability)])

    @property
    def pooled(self) -> FloatArray | None:
        """Numbers of observations of the prior, and sums of their counts, shape (2, d)."""
        return pooled_counts(self, self.prior)

    def solve(self, weight: FloatArray, means: FloatArray) -> tuple[FloatArray]:
        """Return one over the means."""
        return (1 / (1 + np.maximum(means[0], self._least_failures(weight))),)

    def at(self, values: FloatArray) -> tuple[FloatArray]:
        """Return the probabilities whose means are the values."""
        return (1 / (1 + np.maximum(values - 1, self._least_failures(1.0))),)

    @property
    def means(self) -> FloatArray:
        (probability,) = self.fitted_parameters
        return 1 / probability

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return np.asarray(rng.geometric(self.fitted_parameters[0], shape), dtype=float)

    def _least_failures(self, weight: FloatArray | float) -> FloatArray | float:
        if self.whole is None:
            return 1 / weight
        return self.floor * (1 / self.whole.fitted_parameters[0] - 1)
