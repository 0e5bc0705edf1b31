"""The uniform distribution over an ellipsoid around all the data: where outliers come from."""

from dataclasses import dataclass
from functools import cached_property, partial
from operator import add
from typing import Any, Self

import numpy as np
from scipy.special import gammaln

from ...data import FloatArray, Rng, Rows, Table, Weights
from ..contract.base import Family
from ..shared.copies import replaced


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

    def _log_volume(self, d: Any) -> Any:
        """Return the log volume of a ball of this radius in d dimensions."""
        return d / 2 * np.log(np.pi) - gammaln(d / 2 + 1) + d * np.log(self.radius)


def _largest_square(bank: Any, data: Table, place: slice) -> float:
    """Return the largest squared distance of a row from the mean of the only component."""
    if data.has_missing:
        values, _, _ = bank.observed_distances(data, False)
    else:
        values = bank.half_squared_distances(data, np.zeros(1))
    return float(-2 * values.min())
