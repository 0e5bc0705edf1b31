"""Amounts that are often exactly zero, and log-normal otherwise, with independent columns."""

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from ...data import BoolArray, FloatArray, Rows, Weights, evenly_spaced
from ..columns.exponential_columns import ExponentialColumns
from ..contract.description import Description
from ..shared.constants import LOG_2_PI
from ..shared.copies import replaced
from ..shared.validation import read_not_negative
from .log_normal import LEAST_DEVIATION, ORIGIN_ROWS

LEAST_PROBABILITY = 1e-6  # of zero, and of an amount, in all the data


@dataclass(frozen=True, eq=False, repr=False)
class ZeroInflatedLogNormal(ExponentialColumns):
    """Amounts that are zero with some probability, and log-normal otherwise.

    Examples are expenses, rainfall and sales. Columns are independent. The same distribution is
    also known as a hurdle or delta log-normal distribution. Its log density is relative to a point
    at zero and the lengths of intervals above it.

    Parameters
    ----------
    zero : array, shape (d,), optional
        Probabilities of zero. Present once fitted.
    mean : array, shape (d,), optional
        Means of the logarithms of amounts above zero. Present once fitted.
    deviation : array, shape (d,), optional
        Standard deviations of these logarithms. Present once fitted.
    floor : float, default=0.01
        The least deviation of a component, as a fraction of the deviation in all the data. In a
        mixture of K components, it is divided by K^(1/d).
    prior : float, default=1.0
        Number of observations in each column that the prior of the probability of zero counts as.
        Their fraction of zeros is that of all the data. Zero means no prior.

    Attributes
    ----------
    origin : array, shape (d,)
        A number near the logarithms. Sums are of distances from it, so that no digits cancel.
        Set by `prepare`.

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> amounts = Table.of([[0.0], [0.0], [np.exp(1.0)], [np.exp(3.0)]])
    >>> ZeroInflatedLogNormal().fit(amounts)
    ZeroInflatedLogNormal(zero=[0.5], mean=[2.], deviation=[1.])
    """

    of_columns = ("origin",)
    parameters: ClassVar = {
        "zero": "between 0 and 1",
        "mean": "finite",
        "deviation": "finite and above zero",
    }
    takes = "zeros and numbers above zero"
    atoms = (0.0,)

    zero: FloatArray | None = None
    mean: FloatArray | None = None
    deviation: FloatArray | None = None
    prior: float = field(default=1.0, kw_only=True)
    origin: FloatArray | float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        read_not_negative(self, "prior")

    def outside(self, values: FloatArray) -> BoolArray:
        """Return which cells are below zero."""
        return values < 0

    def with_limits_from(self, data: Rows, weights: Weights) -> Self:
        """Return this family with origin and limits taken from all the data."""
        values = data.take(evenly_spaced(len(data), ORIGIN_ROWS)).as_vectors().astype(float)
        amounts = values > 0
        logarithms = np.log(np.where(amounts, values, 1.0)).sum(axis=0)
        centred = replaced(self, origin=logarithms / np.maximum(amounts.sum(axis=0), 1))
        return super(ZeroInflatedLogNormal, centred).with_limits_from(data, weights)

    def functions(self, values: FloatArray) -> tuple[FloatArray, ...]:
        """Return whether there is an amount, its logarithm's distance from the origin, squared."""
        amount = values > 0
        distance = np.log(np.where(amount, values, 1.0)) - self.origin
        return amount.astype(float), amount * distance, amount * distance**2

    @property
    def natural(self) -> FloatArray:
        """A constant, and the factors of the three functions, shape (4, d)."""
        zero, mean, deviation = self.fitted_parameters
        shift, precision = mean - self.origin, deviation**-2.0
        height = -np.log(deviation) - (LOG_2_PI + shift**2 * precision) / 2
        amount = np.log1p(-zero) - np.log(zero) + height
        return np.stack([np.log(zero), amount, shift * precision, -precision / 2])

    def remainder(self, values: FloatArray) -> FloatArray:
        """Return minus the logarithms of amounts."""
        return -np.log(np.where(values > 0, values, 1.0))

    def solve(self, weight: FloatArray, means: FloatArray) -> tuple[FloatArray, ...]:
        """Return the probability of zero, and mean and deviation of the logarithms of amounts.

        Without any amount, the logarithms are as in all the data.
        """
        zero = (weight * (1 - means[0]) + self._zeros_of_prior) / (weight + self._strength)
        zero = np.clip(zero, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
        there = means[0] > 0
        first, second = means[1:] / np.where(there, means[0], 1.0)
        deviation = np.sqrt(np.maximum(second - first**2, 0.0))
        if self.whole is None:
            return zero, self.origin + first, np.where(there, self._at_least(deviation), 1.0)
        _, common_mean, common_deviation = self.whole.fitted_parameters
        mean = np.where(there, self.origin + first, common_mean)
        return zero, mean, np.where(there, self._at_least(deviation), common_deviation)

    def _at_least(self, deviation: FloatArray) -> FloatArray:
        """Return deviations that are not below the floor."""
        if self.whole is None:
            return np.maximum(deviation, LEAST_DEVIATION)
        common = self.whole.fitted_parameters[2]
        return np.maximum(deviation, np.maximum(self.floor * common, LEAST_DEVIATION))

    @property
    def _strength(self) -> float:
        """Number of observations that the prior counts as; none before the data are known."""
        return 0.0 if self.whole is None else self.prior

    @property
    def _zeros_of_prior(self) -> FloatArray | float:
        return 0.0 if self.whole is None else self.prior * self.whole.fitted_parameters[0]

    @property
    def log_prior_of_columns(self) -> FloatArray:
        """Log density of the prior of the probabilities of zero, but for a constant, (d,)."""
        if self.whole is None:
            return np.zeros(len(self.fitted_parameters[0]))
        zero, common = self.fitted_parameters[0], self.whole.fitted_parameters[0]
        gain = common * np.log(zero / common)
        gain += (1 - common) * (np.log1p(-zero) - np.log1p(-common))
        return self.prior * gain

    def at(self, values: FloatArray) -> tuple[FloatArray, ...]:
        """Return the parameters whose medians of amounts are the values.

        At zero, a component gets half as many amounts.
        """
        zero, mean, deviation = self.fitted_parameters
        amount = values > 0
        moved = np.log(np.where(amount, values, 1.0))
        return np.where(amount, zero, (1 + zero) / 2), np.where(amount, moved, mean), deviation

    @property
    def means(self) -> FloatArray:
        """Means of the columns, zeros included, shape (d,)."""
        zero, mean, deviation = self.fitted_parameters
        return (1 - zero) * np.exp(mean + deviation**2 / 2)

    def describe(self) -> Description:
        """Return the parameters by name, and the mean and the probability of zero of columns."""
        found, zero = super().describe(), self.fitted_parameters[0].tolist()
        columns = [replace(one, atoms={0.0: p}) for one, p in zip(found.columns, zero, strict=True)]
        return replace(found, columns=columns)

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        zero, mean, deviation = self.fitted_parameters
        return np.where(rng.random(shape) < zero, 0.0, rng.lognormal(mean, deviation, shape))
