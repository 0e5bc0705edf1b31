"""Uniform distributions over a box or an ellipsoid around all the data: where outliers are from."""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import add
from typing import Any, Self

import numpy as np
from scipy.special import gammaln

from ...data import AnyArray, FloatArray, IntArray, Rng, Rows, Table, Weights
from ..contract.base import Family
from ..contract.description import Description, columns_of
from ..shared.copies import replaced


@dataclass(frozen=True, eq=False)
class Box(Family):
    """A uniform density over a box, for the background of a mixture (Banfield & Raftery 1993).

    New observations may lie outside the box. They have the same density as those inside, because
    they are outliers all the more. Missing values are left out, and so are constant columns, and
    those without any value, which are drawn as zeros.

    Parameters
    ----------
    low, high : arrays, shape (d,)
        Least and greatest values of the columns.
    spacing : float, default=0
        The distance of neighbouring values: one for whole numbers, zero for real numbers.

    Examples
    --------
    >>> box = Box.around(Table.of([[0.0, 1.0], [2.0, 3.0], [1.0, 6.0]]))
    >>> np.exp(box.log_prob(Table.of([[1.0, 5.0]])))
    array([0.1])
    """

    missing = True

    low: FloatArray
    high: FloatArray
    spacing: float = 0.0

    @classmethod
    def around(cls, data: Rows, spacing: float = 0.0) -> Self:
        """Return the smallest box that holds all rows."""
        ends = np.array(data.fold(_ends, _ends_together), dtype=float)
        low, high = np.where(np.isnan(ends), 0.0, ends)
        return cls(low, high, spacing)

    def fit(self, data: Rows, *, weights: Weights = None, rng: Rng = None) -> Self:
        """Return the smallest box that holds all rows of `data`."""
        return type(self).around(data, self.spacing)

    def log_prob(self, data: Table) -> FloatArray:
        widths = self.high - self.low + self.spacing
        log_widths = np.log(np.where(widths > 0, widths, 1.0))
        if not data.has_missing:
            return np.full(len(data), -log_widths.sum())
        return -(~np.isnan(data.values) @ log_widths)

    def describe(self) -> Description:
        """Return the least and greatest values of the columns."""
        ends = {"low": self.low, "high": self.high}
        columns = [replace(one, whole_numbers=self.spacing > 0) for one in columns_of(ends)]
        return Description(ends, columns=columns)

    def sample(self, n: int, rng: np.random.Generator) -> AnyArray:
        """Draw `n` rows, shape (n, d)."""
        shape = (n, len(self.low))
        if self.spacing:
            steps = np.round((self.high - self.low) / self.spacing).astype(int)
            return self.low + self.spacing * rng.integers(0, steps + 1, shape)
        return rng.uniform(self.low, self.high, shape)


def _ends(block: Table, place: slice) -> tuple[FloatArray, FloatArray]:
    """Return the least and greatest values of the columns of a block."""
    return np.fmin.reduce(block.values, axis=0), np.fmax.reduce(block.values, axis=0)


def _ends_together(
    one: tuple[FloatArray, FloatArray], other: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    return np.fmin(one[0], other[0]), np.fmax(one[1], other[1])


def background_of_numbers(
    self: Family, data: Rows, weights: Weights = None, rng: Rng = None
) -> Family:
    """Return a uniform distribution over the box that holds all rows."""
    return Box.around(data)


def background_of_whole_numbers(
    self: Family, data: Rows, weights: Weights = None, rng: Rng = None
) -> Family:
    """Return a uniform distribution over the whole numbers in the box that holds all rows."""
    return Box.around(data, spacing=1.0)


@dataclass(frozen=True, eq=False)
class Ellipsoid(Family):
    """A uniform density over an ellipsoid, for the background of outliers.

    It has the shape of the covariance of all the data. So it does not depend on the units of the
    columns, nor on whether they are rotated. Rows outside the ellipsoid have the same density as
    those inside, because they are outliers all the more. Missing values are left out.

    Parameters
    ----------
    component : EllipticalFamily
        A component with the mean and the full covariance of all the data.
    radius : float
        The largest distance of a row from the mean, in units of that covariance.
    """

    missing = True

    component: Any
    radius: float

    @classmethod
    def around(cls, family: Any, data: Rows, weights: Weights = None) -> Self:
        """Return the smallest such ellipsoid that holds all rows.

        Parameters
        ----------
        family : EllipticalFamily
            Prepared for the data; its least variances are added to the covariance.
        data : Rows
        weights : array, shape (n,), optional
        """
        degrees = family.degrees or family.most_degrees  # which say nothing about the ellipsoid
        family = replaced(family.with_parameters(None, None), covariance="full", degrees=degrees)

        def summarise(block: Table, place: slice) -> Any:
            return family.summarise(block, None if weights is None else weights[place])

        statistics = data.fold(summarise, add)
        moments = statistics.moments.completed(family.data_moments)
        covariance = moments.scatters[0] / moments.counts[0]
        covariance += np.diag(family.floor(len(covariance)))
        whole = family.with_parameters(moments.means[0], covariance)
        largest = data.fold(partial(_largest_square, whole.bank([whole])), max)
        return cls(whole, float(np.sqrt(max(1.0, largest))))

    def fit(self, data: Rows, *, weights: Weights = None, rng: Rng = None) -> Self:
        """Return the smallest ellipsoid that holds all rows of `data`."""
        return type(self).around(self.component, data, weights)

    def log_prob(self, data: Table) -> FloatArray:
        if not data.has_missing:
            return np.full(len(data), self._log_density)
        _, log_determinants, counts = self._bank.observed_distances(data, False)
        return np.asarray(log_determinants[0] - self._log_volume(counts))

    @cached_property
    def _bank(self) -> Any:
        return self.component.bank([self.component])

    @cached_property
    def _log_density(self) -> float:
        """The log density of a row without missing values."""
        log_determinant = self._bank.log_determinants[0]
        return float(log_determinant - self._log_volume(self._bank.means.shape[1]))

    def _log_volume(self, d: int | IntArray) -> FloatArray:
        """Return the log volume of a ball of this radius in d dimensions."""
        return d / 2 * np.log(np.pi) - gammaln(d / 2 + 1) + d * np.log(self.radius)


def _largest_square(bank: Any, data: Table, place: slice) -> float:
    """Return the largest squared distance of a row from the mean of the only component."""
    if data.has_missing:
        values, _, _ = bank.observed_distances(data, False)
    else:
        values = bank.half_squared_distances(data, np.zeros(1))
    return float(-2 * values.min())
