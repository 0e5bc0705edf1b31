"""K Gaussians, evaluated and fitted as stacked arrays."""

from typing import Any

import numpy as np

from ...data import BoolArray, FloatArray, Hard, Membership, Table
from ..covariance.elliptical_bank import EllipticalBank
from ..covariance.gaussian_missing import CellMoments, expected_moments
from ..covariance.moments import Moments, as_kernel_array
from ..shared.constants import LOG_2_PI


class GaussianBank(EllipticalBank):
    """K Gaussians of one covariance shape, evaluated and fitted as stacked arrays."""

    def log_densities(self, values: FloatArray, log_determinants: FloatArray, d: Any) -> FloatArray:
        """Return log densities in d dimensions, in place of `values`."""
        values += log_determinants - d * (LOG_2_PI / 2)
        return values

    def _log_densities(self, data: Table, is_rounded: bool) -> FloatArray:
        """Return log densities, shape (K, n), in one pass where no value is missing."""
        if data.has_missing:
            return super()._log_densities(data, is_rounded)
        return self.half_squared_distances(data, self._constants(is_rounded))

    def _log_densities_at(self, data: Table, membership: Hard, is_rounded: bool) -> FloatArray:
        if data.has_missing:
            return super()._log_densities_at(data, membership, is_rounded)
        return self.half_squared_distances_at(data, membership, self._constants(is_rounded))

    def _constants(self, is_rounded: bool) -> FloatArray:
        """Return log densities at the means, shape (K,)."""
        d = self.means.shape[1]
        return self.log_determinants - d / 2 * LOG_2_PI + self.offsets(is_rounded)

    def refill(
        self, statistics: Moments, k: int, data: Table, weights: FloatArray | None
    ) -> Moments:
        """Return `statistics` with those of component k replaced by those of `data`."""
        own = self.family.summarise(data, weights)
        if isinstance(own, CellMoments):
            statistics = CellMoments.read(statistics)
        return statistics.replaced(k, own)

    def summarise(self, data: Table, membership: Membership) -> Moments:
        """Return the moments of the rows that are assigned to each component."""
        rows, family = as_kernel_array(data.values), self.family
        if not data.has_missing:
            return Moments.of(family.shape, rows, membership)
        if not family.shape.is_full:
            return CellMoments.of(family.shape, rows, membership)
        known = (self.means, self.variances) if self.is_fitted else ()
        return expected_moments(family.shape, rows, membership, family.data_moments, *known)

    def update(
        self, statistics: Moments, keep: BoolArray, rng: np.random.Generator | None = None
    ) -> "GaussianBank":
        """Return the bank fitted to moments; the components in `keep` stay as they are."""
        fitted, family = ~keep, self.family
        if not fitted.any():
            return self
        moments = statistics.completed(family.data_moments)
        floor = family.floor(moments.means.shape[1])
        own = family.shape.fit(moments.counts[fitted], moments.scatters[fitted], floor)
        own = family.shape.at_least_resolution(own, moments.means[fitted])
        numbers = family.shape.numbers(statistics.weights)
        return self.fitted_to(family, moments.means, own, numbers, fitted)
