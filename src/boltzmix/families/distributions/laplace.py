"""The Laplace distribution, with heavier tails than a Gaussian, and independent columns."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...data import FloatArray
from ..columns.column_family import ColumnFamily

CONSTANT_SCALE = 1e-6  # scale of a constant column, as a fraction of its value


@dataclass(frozen=True, eq=False, repr=False)
class Laplace(ColumnFamily):
    """Numbers around a median, with heavy tails; columns are independent.

    Parameters
    ----------
    centre : array, shape (d,), optional
        Medians. Present once fitted.
    scale : array, shape (d,), optional
        Mean distances from the medians. Present once fitted.
    floor : float, default=0.01
        The least scale of a component, as a fraction of the median distance from the median in
        all the data. In a mixture of K components, it is divided by K^(1/d).

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> Laplace().fit(Table.of([[1.0], [2.0], [3.0], [4.0], [20.0]]))
    Laplace(centre=[3.], scale=[4.2])
    """

    smooth = False
    parameters: ClassVar = {"centre": "finite", "scale": "finite and above zero"}

    centre: FloatArray | None = None
    scale: FloatArray | None = None

    def log_prob_of_cells(self, values: FloatArray) -> FloatArray:
        centre, scale = self.fitted_parameters
        return -np.abs(values - centre) / scale - np.log(2 * scale)

    def estimate(self, values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return weighted medians, and mean distances from them."""
        centre = weighted_median(values, weights)
        distances = np.abs(values - centre)
        scale = (weights * distances).sum(axis=0) / weights.sum(axis=0)
        if self.whole is not None:
            return centre, np.maximum(scale, self.floor * self.whole.fitted_parameters[1])
        median = weighted_median(distances, weights)
        scale = np.where(median > 0, median, scale)
        nothing = CONSTANT_SCALE * np.where(centre == 0, 1.0, np.abs(centre))
        return centre, np.where(scale > 0, scale, nothing)

    def at(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the parameters whose centres are the values."""
        return values, self.fitted_parameters[1]

    @property
    def means(self) -> FloatArray:
        centre, _ = self.fitted_parameters
        return centre

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        centre, scale = self.fitted_parameters
        return rng.laplace(centre, scale, shape)


def weighted_median(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weighted median of each column, shape (d,).

    Examples
    --------
    >>> weighted_median(np.array([[5.0], [1.0], [3.0]]), np.array([[3.0], [1.0], [1.0]]))
    array([5.])
    """
    order = np.argsort(values, axis=0)
    cumulated = np.cumsum(np.take_along_axis(weights, order, axis=0), axis=0)
    place = (cumulated < cumulated[-1] / 2).sum(axis=0, keepdims=True)
    return np.take_along_axis(values, np.take_along_axis(order, place, axis=0), axis=0)[0]
