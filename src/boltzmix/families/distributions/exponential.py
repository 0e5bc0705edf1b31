"""The exponential distribution of waiting times, with independent columns."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ...data import BoolArray, FloatArray
from ..columns.exponential_columns import ExponentialColumns


@dataclass(frozen=True, eq=False, repr=False)
class Exponential(ExponentialColumns):
    """Numbers of zero or more whose density falls exponentially; columns are independent.

    Parameters
    ----------
    rate : array, shape (d,), optional
        One over the mean of each column. Present once fitted.
    floor : float, default=1e-6
        The least mean of a component, as a fraction of the column's mean. In a mixture of K
        components, it is divided by K^(1/d).

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> Exponential().fit(Table.of([[1.0, 0.2], [3.0, 0.0], [2.0, 0.1]])).rate
    array([ 0.5, 10. ])
    """

    parameters: ClassVar = {"rate": "finite and above zero"}
    takes = "numbers that are not negative"

    rate: FloatArray | None = None
    floor: float = field(default=1e-6, kw_only=True)

    def outside(self, values: FloatArray) -> BoolArray:
        """Return which cells are negative."""
        return values < 0

    def functions(self, values: FloatArray) -> tuple[FloatArray]:
        """Return the values themselves."""
        return (values,)

    @property
    def natural(self) -> FloatArray:
        """A constant, and the factor of the value, shape (2, d)."""
        (rate,) = self.fitted_parameters
        return np.stack([np.log(rate), -rate])

    def solve(self, weight: FloatArray, means: FloatArray) -> tuple[FloatArray]:
        """Return one over the means."""
        return self.at(means[0])

    def at(self, values: FloatArray) -> tuple[FloatArray]:
        """Return the rates of these means."""
        if self.whole is None:
            return (1 / np.where(values > 0, values, 1.0),)
        return (1 / np.maximum(values, self.floor / self.whole.fitted_parameters[0]),)

    @property
    def means(self) -> FloatArray:
        (rate,) = self.fitted_parameters
        return 1 / rate

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        (rate,) = self.fitted_parameters
        return rng.standard_exponential(shape) / rate
