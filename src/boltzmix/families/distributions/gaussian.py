"""The multivariate Gaussian."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, cast

import numpy as np

from ...data import BoolArray, FloatArray, Hard, IntArray, Membership, Rows, Table
from ..additive import AdditiveFamily
from ..base import Bank, Family
from ..description import Description, Ellipse, columns_around
from ..shared.box import background_of_numbers
from ..shared.constants import LOG_2_PI, TINY
from ..shared.covariance import COVARIANCES, Covariance
from ..shared.gaussian_missing import (
    CellMoments,
    Patterns,
    conditional,
    expected_moments,
    log_densities_of_cells,
)
from ..shared.moments import Moments, as_kernel_array
from ..shared.scales import ColumnScales, check_no_overflow, check_representable, is_at_floor
from ..shared.validation import check_added_variance, check_not_negative, fitted

MISSING_STEPS = 200  # of EM in one fit to rows with missing values, at most
MISSING_GAIN = 1e-7  # nats per row below which these steps end


@dataclass(frozen=True, eq=False)
class Gaussian(AdditiveFamily):
    """The multivariate Gaussian distribution.

    Values may be missing: the density of a row is that of its observed values. With "diag" and
    "spherical", each column is fitted to its observed values; with "full" and "tied", a fit is by
    EM, with the conditional distribution of the missing values given the others of the row. The
    M-step of a mixture takes one step of it.

    Parameters
    ----------
    covariance : {"full", "tied", "diag", "spherical"}, default="full"
        The shape of the covariance. With "tied", all components of a mixture share one.
    ridge : float, default=1e-4
        Variance that is added to the diagonal of every covariance, so that no component collapses
        onto a point or a line: a fraction of the variance that a column would have in each of K
        components that filled the space of the data evenly, which is its variance over K^(2/d).
        It is robust: where the quartiles imply a smaller variance, that one is taken.
    added_variance : float or array of shape (d,), optional
        Variance added to the diagonal, in the units of the data squared, in place of `ridge`.
    mean : array, shape (d,), optional
        Present once fitted.
    variance : array, optional
        The covariance in its own form: (d, d) for full and tied, (d,) for diagonal, () for
        spherical. Present once fitted.
    everything : Moments, optional
        Moments of all the data, by columns, if values are missing. Set by `prepare`.

    Examples
    --------
    >>> rows = Table.of([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    >>> fitted = Gaussian("diag").prepare(rows, n_components=1).fit(rows)
    >>> fitted.mean, fitted.covariance_matrix.round(3)
    (array([1., 1.]), array([[1., 0.], [0., 1.]]))
    """

    missing = True
    background = background_of_numbers

    covariance: str = "full"
    ridge: float = 1e-4
    added_variance: FloatArray | float | None = None
    mean: FloatArray | None = None
    variance: FloatArray | None = None
    everything: Moments | None = None

    def __post_init__(self) -> None:
        if self.covariance not in list(COVARIANCES):
            raise ValueError(
                f"covariance must be one of {', '.join(map(repr, COVARIANCES))},"
                f" not {self.covariance!r}."
            )
        check_not_negative("ridge", self.ridge)
        check_added_variance(self.added_variance)
        if self.mean is not None and self.variance is not None:
            self._check_shapes(self.mean, self.variance)

    def _check_shapes(self, mean: FloatArray, variance: FloatArray) -> None:
        """Raise if the shapes of mean and variance do not match, which kernels do not check."""
        wanted = self.shape.stack(1, np.size(mean))[1:]
        if np.ndim(mean) != 1 or np.shape(variance) != wanted:
            raise ValueError(
                f"mean must have one number per column, and variance of a {self.covariance!r}"
                f" covariance then the shape {wanted}, but they have {np.shape(mean)} and"
                f" {np.shape(variance)}."
            )

    def __repr__(self) -> str:
        if self.mean is None or self.variance is None:
            return f"Gaussian({self.covariance!r})"
        with np.printoptions(precision=4, threshold=12):
            return (
                f"Gaussian({self.covariance!r}, mean={self.mean},"
                f" variance={self.variance})".replace("\n", "")
            )

    @property
    def shape(self) -> Covariance:
        """The shape of the covariance."""
        return COVARIANCES[self.covariance]

    @cached_property
    def covariance_matrix(self) -> FloatArray:
        """The covariance as a (d, d) matrix, whatever its shape."""
        mean, variance = self._fitted()
        return self.shape.dense(variance, len(mean))

    @property
    def is_degenerate(self) -> bool:
        """Whether a tenth or more of the variance in some direction is the variance added."""
        return is_at_floor(self.added_variance, self.covariance_matrix)

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        d = len(self._fitted()[0])
        return d + self.shape.n_parameters(1, d)

    def describe(self) -> Description:
        """Return mean and covariance; each column has a mean and a standard deviation."""
        mean, _ = self._fitted()
        covariance = self.covariance_matrix
        return Description(
            {"mean": mean, "covariance": covariance},
            columns=columns_around(mean, covariance),
            picture=Ellipse(mean, covariance),
        )

    def prepare(self, data: Rows, n_components: int, weights: FloatArray | None = None) -> Self:
        """Check the variances of the columns, and take the added variance from them."""
        if len(data) < 2 and self.added_variance is None:
            raise ValueError(
                "X has 1 sample (n_samples = 1), from which no variance can be learned:"
                " a Gaussian needs at least 2."
            )
        scales = ColumnScales.of(data, weights)
        check_no_overflow(data, scales)
        if isinstance(scales.moments, CellMoments):
            return replace(self, everything=scales.moments)._with_ridge(data, scales, n_components)
        return self._with_ridge(data, scales, n_components)

    def _with_ridge(self, data: Rows, scales: ColumnScales, n_components: int) -> Self:
        """Take the added variance from the scales of the columns, unless it is given."""
        if self.added_variance is not None:
            return self
        constant = np.flatnonzero(scales.lowest == scales.highest)
        if len(constant):
            raise ValueError(
                f"Column {data.column_name(constant[0])} of X is constant (every value is"
                f" {scales.lowest[constant[0]]:g}), so it tells no component from another: drop"
                " it."
            )
        added = self.ridge * scales.robust / n_components ** (2 / data.n_features)
        enough = (added > TINY) | (self.ridge == 0)
        check_representable(data, (scales.variances > TINY) & enough)
        return replace(self, added_variance=added)

    def fit(
        self,
        data: Table,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Return a new component fitted to `data`."""
        if not data.has_missing:
            return super().fit(data, weights=weights, rng=rng)
        if self.everything is None:
            return replace(self, everything=ColumnScales.of(data, weights).moments).fit(
                data, weights=weights
            )
        fitted = super().fit(data, weights=weights)
        return fitted._iterate_em(data, weights) if self.shape.is_full else fitted

    def _iterate_em(self, data: Table, weights: FloatArray | None) -> Self:
        """Take steps of EM until the likelihood of rows with missing values stops rising."""
        fitted, before = self, -np.inf
        for _ in range(MISSING_STEPS):
            now = float(np.average(fitted.log_prob(data), weights=weights))
            if now - before < MISSING_GAIN:
                break
            fitted, before = super(Gaussian, fitted).fit(data, weights=weights), now
        return fitted

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row, shape (n,)."""
        return self.bank([self]).log_prob(data)[:, 0]

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        mean, _ = self._fitted()
        root = np.linalg.cholesky(self.covariance_matrix)
        return mean + rng.standard_normal((n, len(mean))) @ root.T

    def expected(self, data: Table) -> FloatArray:
        """Return rows (n, d) whose missing values are replaced by conditional means."""
        rows, (mean, _) = as_kernel_array(data.values), self._fitted()
        return conditional(rows, Patterns.of(rows), mean, self.covariance_matrix)[0]

    def moved_to(self, observation: Table) -> Self:
        """Return this Gaussian with another mean."""
        values = observation.values[0].astype(float)
        return replace(self, mean=np.where(np.isnan(values), self._fitted()[0], values))

    def summarise(self, data: Table, weights: FloatArray | None = None) -> Moments:
        """Return the moments of some rows."""
        everyone = Hard(np.zeros(len(data), dtype=np.int32), 1, weights)
        return self.bank([self]).summarise(data, everyone)

    def from_statistics(self, statistics: Moments, rng: np.random.Generator | None = None) -> Self:
        """Return a Gaussian with these moments, and the added variance."""
        bank = self.bank([self]).update(statistics, np.zeros(1, dtype=bool))
        return cast(Self, bank.components[0])

    def bank(self, components: Sequence[Family]) -> "GaussianBank":
        """Return Gaussians as a bank."""
        gaussians = cast(Sequence[Gaussian], components)
        if gaussians[0].mean is None:
            return GaussianBank(self, np.empty((len(components), 0)), np.empty(0))
        means, variances = zip(*(one._fitted() for one in gaussians), strict=True)
        return GaussianBank(self, np.stack(means), np.stack(variances))

    def _fitted(self) -> tuple[FloatArray, FloatArray]:
        return fitted(self, "mean", "variance")


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

    def __init__(self, family: Gaussian, means: FloatArray, variances: FloatArray) -> None:
        self._family = family
        self.means = means
        self.variances = variances

    def __len__(self) -> int:
        return len(self.means)

    @property
    def family(self) -> Gaussian:
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
            self.family._fitted()
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
            means[place], variances[place] = cast(Gaussian, component)._fitted()
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
