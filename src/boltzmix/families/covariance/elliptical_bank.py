"""K components with a centre and a covariance each, evaluated and fitted as stacked arrays."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from ...data import BoolArray, FloatArray, Hard, IntArray, Table, derived_once
from ..contract.bank import Bank, Evaluation
from ..contract.base import Family
from ..shared.constants import TINY
from ..shared.copies import altered
from ..shared.validation import not_fitted
from .covariance_base import SingularCovarianceError
from .gaussian_missing import Patterns
from .moments import as_kernel_array
from .pooled_covariance import PooledCovariance

if TYPE_CHECKING:
    from .elliptical import EllipticalFamily


Width = int | IntArray  # number of observed values: one for all rows, or one for each


class EllipticalBank(Bank):
    """K components of one covariance shape, evaluated and fitted as stacked arrays.

    Parameters
    ----------
    family : EllipticalFamily
        What the components have in common.
    means : array, shape (K, d)
        The centres; without columns as long as nothing is fitted.
    variances : array
        Covariances in their own form, stacked along the first axis.
    is_frozen : bool
        Whether what they have in common stays as it is.
    """

    def __init__(
        self, family: Any, means: FloatArray, variances: FloatArray, is_frozen: bool = False
    ) -> None:
        self._family = family
        self.means = means
        self.variances = variances
        self.is_frozen = is_frozen

    @classmethod
    def of(cls, family: "EllipticalFamily", components: Sequence[Any]) -> Self:
        """Return a bank of components; those of `family` if they are not fitted."""
        first = components[0]
        if not first.is_fitted:
            return cls(family, np.empty((len(components), 0)), np.empty(0))
        means, variances = zip(*(one.fitted_parameters for one in components), strict=True)
        return cls(first.with_parameters(None, None), np.stack(means), np.stack(variances))

    def __len__(self) -> int:
        return len(self.means)

    @property
    def family(self) -> Any:
        """The family that the components have in common."""
        return self._family

    @property
    def is_fitted(self) -> bool:
        """Whether the components have parameters."""
        return self.means.shape[1] > 0

    @derived_once
    def components(self) -> tuple[Family, ...]:
        """The components one by one."""
        if not self.is_fitted:
            return (self._family,) * len(self)
        return tuple(map(self._family.with_parameters, self.means, self.variances))

    @cached_property
    def whitening(self) -> FloatArray:
        """Whitening factors, stacked along the first axis."""
        if not self.is_fitted:
            raise not_fitted(self.family)
        try:
            return np.ascontiguousarray(self.family.shape.whitening(self.variances))
        except np.linalg.LinAlgError:
            raise SingularCovarianceError from None

    @cached_property
    def log_determinants(self) -> FloatArray:
        """Log determinants of the whitening, shape (K,)."""
        return self.family.shape.log_determinants(self.whitening, self.means.shape[1])

    @cached_property
    def rounding_costs(self) -> FloatArray:
        """Half the mean squared length of what was rounded, once whitened, shape (K,)."""
        family, d = self.family, self.means.shape[1]
        if not family.is_penalised:
            return np.zeros(len(self))
        return family.shape.traces_of_columns(self.whitening, family.floor(d)) / 2

    @cached_property
    def log_prior(self) -> FloatArray:
        """Log density of the prior at each covariance, shape (K,)."""
        d = self.means.shape[1]
        prior = self._prior(self.family.prior_observations, d)
        return prior.log_densities(self.whitening, self.log_determinants, d)

    def _prior(self, strength: float | None, d: int) -> PooledCovariance:
        """Return the prior of the covariances of d columns.

        Unless its strength is given, the components share the observations that it counts as.
        """
        family = self.family
        if strength is None:
            strength = family.prior * d / len(self)
        pooled = family.pooled_variance if self.is_fitted else None
        return PooledCovariance(family.shape, strength, pooled, self.is_frozen)

    def freeze(self, frozen: bool) -> Self:
        """Return these components with what they have in common frozen, or free to be learned."""
        if frozen == self.is_frozen:
            return self
        return type(self)(self.family, self.means, self.variances, frozen)

    @property
    def n_parameters(self) -> int:
        k, d = self.means.shape
        return int(k * d + self.family.shape.n_parameters(k, d))

    def effective_parameters(self, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return effective numbers of parameters, and of the observations they are learned from.

        If the prior counts as nu observations in a component of n, what its covariance does not
        share with others is learned from its own observations by n / (n + nu), and else from all,
        as in a hierarchical model. The covariance of a component is learned from its members, while
        its mean may lie anywhere among all observations.
        """
        (k, d), family = self.means.shape, self.family
        nu = family.prior_observations or 0.0
        every, one = family.shape.n_parameters(k, d), family.shape.n_parameters(1, d)
        apart = (every - one) / (k - 1) if k > 1 else 0
        own = sizes / np.maximum(sizes + nu, TINY)
        common = self.n_parameters - every + one - apart * own.mean()
        return np.append(apart * own, common), np.append(sizes, sizes.sum())

    @abstractmethod
    def log_densities(
        self, values: FloatArray, log_determinants: FloatArray, d: Width
    ) -> FloatArray:
        """Return log densities in d dimensions, which may replace `values`.

        Parameters
        ----------
        values : array, shape (K, n)
            Minus half the squared lengths of whitened rows.
        log_determinants : array, shape (K, 1) or (K, n)
            Those of the whitening.
        d : int, or array of shape (n,)
            Number of observed values.
        """

    def evaluate(self, data: Table, *, is_rounded: bool = True) -> Evaluation:
        """Return the mean log density of each row, given its rounding, shape (n, K)."""
        found = self._log_densities(data, is_rounded and self.family.is_penalised)
        return self.evaluated(found.T, data)

    def _log_densities(self, data: Table, is_rounded: bool) -> FloatArray:
        """Return log densities, shape (K, n)."""
        if data.has_missing:
            return self.log_densities(*self.observed_distances(data, is_rounded))
        values = self.half_squared_distances(data, self.offsets(is_rounded))
        return self.log_densities(values, self.log_determinants[:, None], data.n_features)

    def half_squared_distances(self, data: Table, constants: FloatArray) -> FloatArray:
        """Return constants (K,) less half the squared lengths of whitened rows, shape (K, n)."""
        rows = as_kernel_array(data.values)
        return self.family.shape.half_squared_distances(rows, self.means, self.whitening, constants)

    def half_squared_distances_at(
        self, data: Table, membership: Hard, constants: FloatArray
    ) -> FloatArray:
        """Return the half squared distance of each row from its own component, shape (n,)."""
        order, ends = membership.by_component
        rows, given = as_kernel_array(data.values), (self.means, self.whitening, constants)
        if membership.is_ordered:
            return self.family.shape.half_squared_distances_at(rows, ends, *given)
        values = np.empty(len(rows))
        values[order] = self.family.shape.half_squared_distances_at(rows[order], ends, *given)
        return values

    def offsets(self, is_rounded: bool) -> FloatArray:
        """Return what is added to half squared lengths (K,): minus the rounding costs, or zeros."""
        return -self.rounding_costs if is_rounded else np.zeros(len(self))

    def log_densities_at(self, data: Table, membership: Hard) -> FloatArray:
        """Return the mean log density of each row under its own component, given its rounding."""
        return self._log_densities_at(data, membership, self.family.is_penalised)

    def _log_densities_at(self, data: Table, membership: Hard, is_rounded: bool) -> FloatArray:
        if data.has_missing:
            values, logarithms, counts = self.observed_distances_at(data, membership, is_rounded)
            return self.log_densities(values[None], logarithms[None], counts)[0]
        values = self.half_squared_distances_at(data, membership, self.offsets(is_rounded))[None]
        own = self.log_determinants[membership.labels][None]
        return self.log_densities(values, own, data.n_features)[0]

    def observed_distances(
        self, data: Table, is_rounded: bool
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        """Return what `log_densities` needs of rows with missing values."""
        rows, shape = as_kernel_array(data.values), self.family.shape
        there = ~np.isnan(rows)
        floor = self.family.floor(self.means.shape[1]) if is_rounded else np.zeros(rows.shape[1])
        if shape.is_full:
            return *self._distances_by_patterns(rows, floor), there.sum(axis=1)
        factors = np.broadcast_to(self.whitening.T, self.means.T.shape).T
        values = np.empty((len(self), len(rows)))
        for k, (mean, factor) in enumerate(zip(self.means, factors, strict=True)):
            squares = ((rows - mean) ** 2 + floor) * factor**2
            values[k] = -np.where(there, squares, 0.0).sum(axis=1) / 2
        return values, np.log(factors) @ there.T, there.sum(axis=1)

    def observed_distances_at(
        self, data: Table, membership: Hard, is_rounded: bool
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        """Return `observed_distances` of each row from its own component, shape (n,) each."""
        rows, labels = as_kernel_array(data.values), membership.labels
        there = ~np.isnan(rows)
        if not self.family.shape.is_full:
            own = labels, np.arange(len(rows))
            values, logarithms, counts = self.observed_distances(data, is_rounded)
            return values[own], logarithms[own], counts
        floor = self.family.floor(self.means.shape[1]) if is_rounded else np.zeros(rows.shape[1])
        values, log_determinants = np.zeros((2, len(rows)))
        for places, some, given, determinants in self._by_patterns(rows, floor):
            order, ends = Hard(labels[places], len(self)).by_component
            values[places[order]] = self.family.shape.half_squared_distances_at(
                some[order], ends, *given
            )
            log_determinants[places] = determinants[labels[places]]
        return values, log_determinants, there.sum(axis=1)

    def _distances_by_patterns(
        self, rows: FloatArray, floor: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return values and log determinants of rows, those with the same columns together."""
        values, log_determinants = np.zeros((2, len(self), len(rows)))
        for places, some, given, determinants in self._by_patterns(rows, floor):
            values[:, places] = self.family.shape.half_squared_distances(some, *given)
            log_determinants[:, places] = determinants[:, None]
        return values, log_determinants

    def _by_patterns(
        self, rows: FloatArray, floor: FloatArray
    ) -> Iterator[tuple[IntArray, FloatArray, tuple[FloatArray, ...], FloatArray]]:
        """Yield, for each set of columns that rows have, these rows and what evaluates them.

        They are the places of the rows, their values, means, whitening and constants of all
        components in these columns, and the log determinants (K,) of the whitening.
        """
        shape = self.family.shape
        for missing, places in Patterns.of(rows):
            there = ~missing
            if not there.any():
                continue
            whitening = shape.whitening(shape.marginal(self.variances, there))
            costs = -shape.traces(whitening, np.diag(floor[there]), 0) / 2
            some = as_kernel_array(rows[np.ix_(places, there)])
            means = np.ascontiguousarray(self.means[:, there])
            given = means, np.ascontiguousarray(whitening), costs
            yield places, some, given, shape.log_determinants(whitening, there.sum())

    def replaced(self, components: dict[int, Family]) -> Self:
        if not self.is_fitted:
            return self.of(self.family, [components[place] for place in range(len(self))])
        means, variances = self.means.copy(), self.variances.copy()
        for place, component in components.items():
            means[place], variances[place] = cast("EllipticalFamily", component).fitted_parameters
        return type(self)(self.family, means, variances, self.is_frozen)

    def chosen(self, places: Sequence[int] | IntArray) -> Self:
        means, variances = self.means[[*places]], self.variances[[*places]]
        return type(self)(self.family, means, variances, self.is_frozen)

    def fitted_to(
        self,
        family: "EllipticalFamily",
        means: FloatArray,
        own: FloatArray,
        numbers: FloatArray,
        fitted: BoolArray,
    ) -> Self:
        """Return the bank with other means and variances for some components.

        The others keep theirs, but take on what all covariances have in common.

        Parameters
        ----------
        family : EllipticalFamily
            What the components have in common from now on, but for the prior.
        means : array, shape (K, d)
        own : array, shape (F, ...)
            Variances of the components that are fitted, without a prior and anything in common.
        numbers : array, shape (K, 1) or (K, d)
            Total responsibilities of the rows that each variance was fitted to.
        fitted : array of bool, shape (K,)
        """
        before = self.variances if self.is_fitted else None
        strength = self.family.prior_observations if self.is_frozen else None
        prior = self._prior(strength, means.shape[1])
        found, pooled = prior.fit(before, numbers[fitted], own, fitted)
        family = altered(family, pooled_variance=pooled, prior_observations=prior.strength)
        if fitted.all():
            return type(self)(family, means, found, self.is_frozen)
        together, variances = self.means.copy(), self.variances.copy()
        together[fitted], variances[fitted] = means[fitted], found
        if not self.is_frozen:
            variances[~fitted] = family.shape.projected(variances[~fitted], found)
        return type(self)(family, together, variances, self.is_frozen)
