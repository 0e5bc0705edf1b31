"""K Gaussians, evaluated and fitted as stacked arrays."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from ...data import BoolArray, FloatArray, Hard, IntArray, Membership, Table
from ..base import Bank, Family
from ..shared.constants import LOG_2_PI
from ..shared.gaussian_missing import (
    CellMoments,
    Patterns,
    expected_moments,
    log_densities_of_cells,
)
from ..shared.moments import Moments, as_kernel_array
from ..shared.validation import not_fitted

if TYPE_CHECKING:
    from .gaussian import Gaussian


class GaussianBank(Bank):
    """K Gaussians of one covariance shape, evaluated and fitted as stacked arrays.

    Parameters
    ----------
    family : Gaussian
        What the components have in common.
    means : array, shape (K, d)
        Without columns as long as nothing is fitted.
    variances : array
        Covariances in their own form, stacked along the first axis.
    """

    def __init__(self, family: "Gaussian", means: FloatArray, variances: FloatArray) -> None:
        self._family = family
        self.means = means
        self.variances = variances

    @classmethod
    def of(cls, family: "Gaussian", components: Sequence["Gaussian"]) -> "GaussianBank":
        """Return a bank of Gaussians that have `family` in common."""
        if components[0].mean is None:
            return cls(family, np.empty((len(components), 0)), np.empty(0))
        means, variances = zip(*(one.fitted_parameters for one in components), strict=True)
        return cls(family, np.stack(means), np.stack(variances))

    def __len__(self) -> int:
        return len(self.means)

    @property
    def family(self) -> "Gaussian":
        """What the components have in common."""
        return self._family

    @cached_property
    def components(self) -> tuple[Family, ...]:  # type: ignore[override]
        """The Gaussians one by one."""
        if self.means.shape[1] == 0:
            return (self._family,) * len(self)
        return tuple(
            replace(self._family, mean=mean, variance=variance)
            for mean, variance in zip(self.means, self.variances, strict=True)
        )

    @cached_property
    def whitening(self) -> FloatArray:
        """Whitening factors, stacked along the first axis."""
        if self.means.shape[1] == 0:
            raise not_fitted(self.family)
        try:
            return np.ascontiguousarray(self.family.shape.whitening(self.variances))
        except np.linalg.LinAlgError:
            raise ValueError(
                "A component's covariance is not positive definite: raise the ridge"
                " (reg_covar in GaussianMixture), or use fewer components."
            ) from None

    @cached_property
    def constants(self) -> FloatArray:
        """Log densities at the means, shape (K,)."""
        d = self.means.shape[1]
        return self.family.shape.log_determinants(self.whitening, d) - d / 2 * LOG_2_PI

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of all components."""
        k, d = self.means.shape
        return k * d + self.family.shape.n_parameters(k, d)

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row under each component, shape (n, K)."""
        rows, shape = as_kernel_array(data.values), self.family.shape
        if data.has_missing:
            return self._log_prob_of_observed(rows)
        return shape.values(rows, self.means, self.whitening, self.constants).T

    def log_prob_at(self, data: Table, membership: Hard) -> FloatArray:
        """Return the log density of each row under its own component, shape (n,)."""
        if data.has_missing:
            return super().log_prob_at(data, membership)
        order, ends = membership.by_component
        rows, given = as_kernel_array(data.values), (self.means, self.whitening, self.constants)
        if membership.is_ordered:
            return self.family.shape.values_at(rows, ends, *given)
        values = np.empty(len(rows))
        values[order] = self.family.shape.values_at(rows[order], ends, *given)
        return values

    def summarise(self, data: Table, membership: Membership) -> Moments:
        """Return the moments of the rows that are assigned to each component."""
        rows, family = as_kernel_array(data.values), self.family
        if not data.has_missing:
            return Moments.of(family.shape, rows, membership)
        if not family.shape.is_full:
            return CellMoments.of(family.shape, rows, membership)
        known = (self.means, self.variances) if self.means.shape[1] else ()
        return expected_moments(family.shape, rows, membership, family.everything, *known)

    def _log_prob_of_observed(self, rows: FloatArray) -> FloatArray:
        """Return the log density of the observed values of each row under each component."""
        shape = self.family.shape
        if not shape.is_full:
            return log_densities_of_cells(rows, self.means, self.whitening, self.means.shape).T
        values = np.zeros((len(rows), len(self)))
        for missing, places in Patterns.of(rows):
            there = ~missing
            if there.any():
                variances = shape.marginal(self.variances, there)
                part = GaussianBank(self.family, self.means[:, there], variances)
                values[places] = part.log_prob(
                    Table(rows[np.ix_(places, there)], any_missing=False)
                )
        return values

    def add(self, one: Moments, other: Moments) -> Moments:
        """Return the moments of two sets of rows together."""
        return one + other

    def scale(self, statistics: Moments, factor: float) -> Moments:
        """Return the moments of the same rows, with all weights times `factor`."""
        return statistics * factor

    def refill(
        self, statistics: Moments, k: int, data: Table, weights: FloatArray | None
    ) -> Moments:
        """Return `statistics` with those of component k replaced by those of `data`."""
        own = self.family.summarise(data, weights)
        if isinstance(own, CellMoments):
            statistics = CellMoments.read(statistics)
        return statistics.replaced(k, own)

    def replaced(self, components: dict[int, Family]) -> "GaussianBank":
        """Return the bank with other components in some places."""
        means, variances = self.means.copy(), self.variances.copy()
        for place, component in components.items():
            means[place], variances[place] = cast("Gaussian", component).fitted_parameters
        return GaussianBank(self.family, means, variances)

    def chosen(self, places: Sequence[int] | IntArray) -> "GaussianBank":
        """Return a bank of the components in some places, in that order."""
        return GaussianBank(self.family, self.means[[*places]], self.variances[[*places]])

    def update(
        self, statistics: Moments, keep: BoolArray, rng: np.random.Generator | None = None
    ) -> "GaussianBank":
        """Return the bank fitted to moments; the components in `keep` stay as they are."""
        shape, fitted = self.family.shape, ~keep
        if not fitted.any():
            return self
        added = 0.0 if self.family.added_variance is None else self.family.added_variance
        statistics = statistics.completed(self.family.everything)
        found = shape.fit(
            statistics.counts[fitted],
            statistics.scatters[fitted],
            np.broadcast_to(added, statistics.means.shape[1:]),
        )
        if fitted.all():
            return GaussianBank(self.family, statistics.means, found)
        means, variances = self.means.copy(), self.variances.copy()
        means[fitted] = statistics.means[fitted]
        variances[slice(None) if shape.shared else fitted] = found[0] if shape.shared else found
        return GaussianBank(self.family, means, variances)
