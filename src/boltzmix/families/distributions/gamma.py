"""The gamma distribution of positive numbers, with independent columns."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import gammaln

from ...data import BoolArray, FloatArray
from ..columns.exponential_columns import ExponentialColumns
from ..columns.roots import MOST_SHAPE, likeliest_shape
from ..shared.constants import LARGEST


@dataclass(frozen=True, eq=False, repr=False)
class Gamma(ExponentialColumns):
    """Positive numbers, such as durations and amounts; columns are independent.

    The mean is shape / rate, and the standard deviation the mean over the root of the shape.

    Parameters
    ----------
    shape : array, shape (d,), optional
        Present once fitted.
    rate : array, shape (d,), optional
        Present once fitted.
    floor : float, default=0.01
        The least coefficient of variation of a component, as a fraction of that of all the data.
        In a mixture of K components, it is divided by K^(1/d).

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> fitted = Gamma().fit(Table.of([[1.0], [2.0], [4.0], [1.5]]))
    >>> fitted.shape.round(2), (fitted.shape / fitted.rate).round(3)
    (array([3.93]), array([2.125]))
    """

    parameters: ClassVar = {"shape": "finite and above zero", "rate": "finite and above zero"}
    takes = "numbers above zero"

    shape: FloatArray | None = None
    rate: FloatArray | None = None

    def outside(self, values: FloatArray) -> BoolArray:
        """Return which cells are not above zero."""
        return values <= 0

    def functions(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the values and their logarithms."""
        return values, np.log(values)

    @property
    def natural(self) -> FloatArray:
        """A constant, and the factors of value and logarithm, shape (3, d)."""
        shape, rate = self.fitted_parameters
        return np.stack([shape * np.log(rate) - gammaln(shape), -rate, shape - 1])

    def solve(self, weight: FloatArray, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the shape whose log(shape) - digamma(shape) matches the means, and the rate."""
        shape = likeliest_shape(np.log(means[0]) - means[1], self._most_shape())
        return _of_mean(shape, means[0])

    def at(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the parameters whose means are the values."""
        shape, _ = self.fitted_parameters
        return _of_mean(shape, values)

    @property
    def means(self) -> FloatArray:
        shape, rate = self.fitted_parameters
        return shape / rate

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        own, rate = self.fitted_parameters
        drawn = rng.standard_gamma(own, shape) / rate
        return np.maximum(drawn, np.finfo(float).tiny)

    def _most_shape(self) -> FloatArray | float:
        if self.whole is None:
            return MOST_SHAPE
        return np.minimum(self.whole.fitted_parameters[0] / self.floor**2, MOST_SHAPE)


def _of_mean(shape: FloatArray, mean: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return shapes and rates (d,) with these means; shapes are less where rates would overflow."""
    shape = np.minimum(shape, np.minimum(mean, 1.0) * (0.25 * LARGEST))
    return shape, shape / mean
