"""The log-normal distribution of positive numbers, with independent columns."""

from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from ...data import BoolArray, FloatArray, Rows, Weights, evenly_spaced
from ..columns.exponential_columns import ExponentialColumns
from ..shared.constants import LOG_2_PI
from ..shared.copies import replaced

LEAST_DEVIATION = 1e-6
ORIGIN_ROWS = 10_000  # from which the origin of the logarithms is taken


@dataclass(frozen=True, eq=False, repr=False)
class LogNormal(ExponentialColumns):
    """Positive numbers whose logarithms are Gaussian; columns are independent.

    Parameters
    ----------
    mean : array, shape (d,), optional
        Means of the logarithms. Present once fitted.
    deviation : array, shape (d,), optional
        Standard deviations of the logarithms. Present once fitted.
    floor : float, default=0.01
        The least deviation of a component, as a fraction of the deviation in all the data. In a
        mixture of K components, it is divided by K^(1/d).

    Attributes
    ----------
    origin : array, shape (d,)
        A number near the logarithms. Sums are of distances from it, so that no digits cancel.
        Set by `prepare`.

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> LogNormal().fit(Table.of(np.exp([[1.0, 5.0], [3.0, 5.5]])))
    LogNormal(mean=[2.   5.25], deviation=[1.   0.25])
    """

    of_columns = ("origin",)
    parameters: ClassVar = {"mean": "finite", "deviation": "finite and above zero"}
    takes = "numbers above zero"

    mean: FloatArray | None = None
    deviation: FloatArray | None = None
    origin: FloatArray | float = field(default=0.0, init=False)

    def outside(self, values: FloatArray) -> BoolArray:
        """Return which cells are not above zero."""
        return values <= 0

    def with_limits_from(self, data: Rows, weights: Weights) -> Self:
        """Return this family with origin and limits taken from all the data."""
        some = data.take(evenly_spaced(len(data), ORIGIN_ROWS))
        values = some.as_vectors().astype(float)
        centred = replaced(self, origin=np.log(np.where(values > 0, values, 1.0)).mean(axis=0))
        return super(LogNormal, centred).with_limits_from(data, weights)

    def functions(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the logarithms' distances from the origin, and their squares."""
        distance = np.log(values) - self.origin
        return distance, distance**2

    @property
    def natural(self) -> FloatArray:
        """A constant, and the factors of distance and square, shape (3, d)."""
        mean, deviation = self.fitted_parameters
        shift, precision = mean - self.origin, deviation**-2.0
        constant = -np.log(deviation) - (LOG_2_PI + shift**2 * precision) / 2
        return np.stack([constant, shift * precision, -precision / 2])

    def remainder(self, values: FloatArray) -> FloatArray:
        """Return minus the logarithms."""
        return -np.log(values)

    def solve(self, weight: FloatArray, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return mean and deviation of the logarithms."""
        deviation = np.sqrt(np.maximum(means[1] - means[0] ** 2, 0.0))
        return self.origin + means[0], np.maximum(deviation, self._least_deviation())

    def at(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the parameters whose medians are the values."""
        return np.log(values), self.fitted_parameters[1]

    @property
    def means(self) -> FloatArray:
        mean, deviation = self.fitted_parameters
        return np.exp(mean + deviation**2 / 2)

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        mean, deviation = self.fitted_parameters
        return rng.lognormal(mean, deviation, shape)

    def _least_deviation(self) -> FloatArray | float:
        if self.whole is None:
            return LEAST_DEVIATION
        return np.maximum(self.floor * self.whole.fitted_parameters[1], LEAST_DEVIATION)
