"""The Weibull distribution of lifetimes, with independent columns."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import gamma

from ...data import BoolArray, FloatArray
from ..columns.column_family import ColumnFamily
from ..columns.roots import decreasing_root

LEAST_SHAPE, MOST_SHAPE = 1e-3, 1e6
GUMBEL_DEVIATION = float(np.pi / np.sqrt(6))  # of the logarithms, for a shape of one
MOST_EXPONENT = 600.0  # its exponential does not overflow


@dataclass(frozen=True, eq=False, repr=False)
class Weibull(ColumnFamily):
    """Positive numbers, such as lifetimes; columns are independent.

    Parameters
    ----------
    shape : array, shape (d,), optional
        Below one, failures become rarer with time; above, more frequent. Present once fitted.
    scale : array, shape (d,), optional
        The 63rd percentile. Present once fitted.
    floor : float, default=0.01
        The least standard deviation of a component's logarithms, as a fraction of that in all the
        data. In a mixture of K components, it is divided by K^(1/d).

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> Weibull().fit(Table.of([[1.0], [2.0], [4.0], [1.5]]))
    Weibull(shape=[2.0203], scale=[2.4166])
    """

    parameters: ClassVar = {"shape": "finite and above zero", "scale": "finite and above zero"}
    takes = "numbers above zero"

    shape: FloatArray | None = None
    scale: FloatArray | None = None

    def outside(self, values: FloatArray) -> BoolArray:
        """Return which cells are not above zero."""
        return values <= 0

    def log_prob_of_cells(self, values: FloatArray) -> FloatArray:
        shape, scale = self.fitted_parameters
        logs = np.log(values)
        exponents = np.minimum(shape * (logs - np.log(scale)), MOST_EXPONENT)
        return np.log(shape) + exponents - logs - np.exp(exponents)

    def estimate(self, values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the shape at which the likelihood is greatest, and the scale that goes with it."""
        total, highest = weights.sum(axis=0), values.max(axis=0)
        logs = np.log(values) - np.log(highest)
        mean = (weights * logs).sum(axis=0) / total
        deviation = np.sqrt((weights * (logs - mean) ** 2).sum(axis=0) / total)

        def excess(shape: FloatArray) -> tuple[FloatArray, FloatArray]:
            powers = weights * np.exp(shape * logs)
            sums = np.maximum(powers.sum(axis=0), np.finfo(float).tiny)
            powers *= logs
            tilted = powers.sum(axis=0) / sums
            powers *= logs
            spread = powers.sum(axis=0) / sums - tilted**2
            return 1 / shape + mean - tilted, -1 / shape**2 - spread

        start = GUMBEL_DEVIATION / np.maximum(deviation, GUMBEL_DEVIATION / MOST_SHAPE)
        shape = decreasing_root(excess, start, LEAST_SHAPE, self._most_shape())
        power_mean = (weights * np.exp(shape * logs)).sum(axis=0) / total
        tiny = np.finfo(float).tiny
        return shape, highest * np.maximum(power_mean, tiny) ** (1 / shape)

    def at(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the parameters whose medians are the values."""
        shape, _ = self.fitted_parameters
        return shape, values / np.log(2) ** (1 / shape)

    @property
    def means(self) -> FloatArray:
        shape, scale = self.fitted_parameters
        return scale * gamma(1 + 1 / shape)

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        own, scale = self.fitted_parameters
        return np.maximum(scale * rng.weibull(own, shape), np.finfo(float).tiny)

    def _most_shape(self) -> FloatArray | float:
        if self.whole is None:
            return MOST_SHAPE
        return np.minimum(self.whole.fitted_parameters[0] / self.floor, MOST_SHAPE)
