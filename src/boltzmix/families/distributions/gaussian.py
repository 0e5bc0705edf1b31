"""The multivariate Gaussian."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np

from ...data import (
    DATA,
    BoolArray,
    FloatArray,
    Hard,
    InputError,
    Membership,
    Rng,
    Rows,
    Table,
    Weights,
)
from ..columns.resolution import Resolution, rounding_variances
from ..columns.scales import ColumnScales, check_no_overflow, check_representable
from ..contract.base import Family
from ..contract.description import Description, Ellipse, columns_around, text_of
from ..covariance.covariance_base import root_of
from ..covariance.elliptical import PRIOR, EllipticalFamily
from ..covariance.elliptical_bank import EllipticalBank, Width
from ..covariance.gaussian_missing import CellMoments, expected_moments
from ..covariance.moments import Moments, as_kernel_array
from ..shared.constants import LOG_2_PI, TINY
from ..shared.copies import altered, replaced
from ..shared.validation import fitted, read_arrays


class GaussianBank(EllipticalBank):
    """K Gaussians of one covariance shape, evaluated and fitted as stacked arrays."""

    def log_densities(
        self, values: FloatArray, log_determinants: FloatArray, d: Width
    ) -> FloatArray:
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

    def refill(self, statistics: Moments, k: int, data: Table, weights: Weights) -> Moments:
        own = self.family.summarise(data, weights)
        if isinstance(own, CellMoments):
            statistics = CellMoments.read(statistics)
        return statistics.replaced(k, own)

    def summarise(self, data: Table, membership: Membership) -> Moments:
        rows, family = as_kernel_array(data.values), self.family
        if not data.has_missing:
            return Moments.of(family.shape, rows, membership)
        if not family.shape.is_full:
            return CellMoments.of(family.shape, rows, membership)
        known = (self.means, self.variances) if self.is_fitted else ()
        return expected_moments(family.shape, rows, membership, family.data_moments, *known)

    def update(self, statistics: Moments, keep: BoolArray, rng: Rng = None) -> "GaussianBank":
        fitted, family = ~keep, self.family
        if not fitted.any():
            return self
        moments = statistics.completed(family.data_moments)
        floor = family.floor(moments.means.shape[1])
        own = family.shape.fit(moments.counts[fitted], moments.scatters[fitted], floor)
        own = family.shape.at_least_resolution(own, moments.means[fitted])
        numbers = family.shape.numbers(statistics.weights)
        return self.fitted_to(family, moments.means, own, numbers, fitted)


MISSING_STEPS = 200  # of EM in one fit to rows with missing values, at most
MISSING_GAIN = 1e-7  # nats per row below which these steps end


@dataclass(frozen=True, eq=False)
class Gaussian(EllipticalFamily):
    """The multivariate Gaussian distribution.

    Values may be missing: the density of a row is that of its observed values. With "diag",
    "spherical" and the other shapes whose third letter is I, each column is fitted to its observed
    values; with other shapes, a fit is by EM, with the conditional distribution of the missing
    values given the others of the row. The M-step of a mixture takes one step of it.

    Parameters
    ----------
    covariance : str, default="full"
        The shape of the covariance: "full", "tied", "diag" or "spherical", or three letters for
        its volume, shape and orientation. E means equal for all components of a mixture, V
        variable, I the identity: "EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE",
        "VVE", "EEV", "VEV", "EVV", "VVV". See Notes.
    ridge : float, default=1e-4
        Variance that is added to the diagonal of every covariance, so that no component collapses
        onto a point or a line: a fraction of the variance that a column would have in each of K
        components that filled the space of the data evenly, which is its variance over K^(2/d).
        It is robust: where the quartiles imply a smaller variance, that one is taken.
    prior : float, default=20.0
        Strength of the prior, which pulls the covariances of all components of a mixture towards
        a common one (see `boltzmix.families.covariance.pooled_covariance`): it counts as much as
        `prior` times d observations, which all components share evenly, so its effect vanishes as
        data grow. Zero means no prior.
    resolution : "auto", None, float or array of shape (d,), default="auto"
        Distance between neighbouring values of each column, where these are rounded or few. The
        variance of a component is at least the square of it over 12. "auto" reads it off the
        values; None or zero means that values are exact.
    added_variance : float or array of shape (d,), optional
        Variance added to the diagonal, in the units of the data squared, in place of `ridge`.
    mean : array, shape (d,), optional
        Present once fitted.
    variance : array, optional
        The covariance in its own form: (d,) for "diag" and other shapes whose third letter is I,
        () for "spherical", "VII" and "EII", (d, d) for all others. Present once fitted.

    Attributes
    ----------
    data_moments : Moments
        Moments of all the data, by columns, if values are missing. Set by `prepare`.
    rounding : array, shape (d,)
        Variance of what rounding took from each column. Set by `prepare`, from `resolution`.
    pooled_variance : array
        The covariance that the prior pulls towards, in the form of `variance`. Present once
        fitted.
    prior_observations : float
        Number of observations that the prior counts as in each component. Present once fitted.

    Notes
    -----
    The covariance of component k is lambda_k D_k A_k D_k^T: the volume lambda_k is the d-th root of
    its determinant, the shape A_k a diagonal matrix of determinant one, and the orientation D_k
    has the axes as columns (Celeux & Govaert 1995). "full" is VVV, "tied" is EEE, "diag" is VVI,
    and "spherical" is VII. What is common is fitted to all components of a mixture; a Gaussian that
    is fitted alone has parameters of its own.

    Examples
    --------
    >>> rows = Table.of([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    >>> fitted = Gaussian("diag").prepare(rows, n_components=1).fit(rows)
    >>> fitted.mean, fitted.covariance_matrix.round(3)
    (array([1., 1.]), array([[1., 0.], [0., 1.]]))
    """

    covariance: str = "full"
    ridge: float = 1e-4
    prior: float = PRIOR
    resolution: Resolution = "auto"
    added_variance: FloatArray | float | None = None
    mean: FloatArray | None = None
    variance: FloatArray | None = None
    data_moments: Moments | None = field(default=None, init=False)
    rounding: FloatArray | None = field(default=None, init=False)
    pooled_variance: FloatArray | None = field(default=None, init=False)
    prior_observations: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._check_arguments()
        read_arrays(self, "mean", "variance", axes=(0, 1, 2))
        if self.mean is not None and self.variance is not None:
            self._check_shapes(("mean", "variance"), self.mean, self.variance)

    def __repr__(self) -> str:
        known = {"mean": self.mean, "variance": self.variance}
        return text_of("Gaussian", [repr(self.covariance)], known)

    @cached_property
    def covariance_matrix(self) -> FloatArray:
        """The covariance as a (d, d) matrix, whatever its shape."""
        return self.matrix

    def describe(self) -> Description:
        """Return mean and covariance; each column has a mean and a standard deviation."""
        mean, _ = self.fitted_parameters
        covariance = self.covariance_matrix
        return Description(
            {"mean": mean, "covariance": covariance},
            columns=columns_around(mean, covariance),
            picture=Ellipse(mean, covariance),
        )

    def prepare(self, data: Rows, n_components: int, weights: Weights = None) -> Self:
        """Check the variances of the columns, and take the added variance from them."""
        if len(data) < 2 and self.added_variance is None:
            raise InputError(
                f"{DATA} has 1 sample (n_samples = 1), from which no variance can be learned:"
                " a Gaussian needs at least 2."
            )
        scales = ColumnScales.of(data, weights)
        check_no_overflow(data, scales)
        if isinstance(scales.moments, CellMoments):
            return replaced(self, data_moments=scales.moments)._with_ridge(
                data, scales, n_components
            )
        return self._with_ridge(data, scales, n_components)

    def _with_ridge(self, data: Rows, scales: ColumnScales, n_components: int) -> Self:
        """Take the added variance from the scales of the columns, unless it is given."""
        if self.added_variance is not None:
            return self
        constant = np.flatnonzero(scales.lowest == scales.highest)
        if len(constant):
            raise InputError(
                f"Column {data.column_name(constant[0])} of {DATA} is constant (every value is"
                f" {scales.lowest[constant[0]]:g}), so components cannot differ in it: drop it."
            )
        added = self.ridge * scales.robust / n_components ** (2 / data.n_features)
        enough = (added > TINY) | (self.ridge == 0)
        check_representable(data, (scales.variances > TINY) & enough)
        rounding = rounding_variances(data, self.resolution)
        return replaced(self, added_variance=added, rounding=rounding)

    def fit(self, data: Table, *, weights: Weights = None, rng: Rng = None) -> Self:
        if not data.has_missing:
            return super().fit(data, weights=weights, rng=rng)
        if self.data_moments is None:
            return replaced(self, data_moments=ColumnScales.of(data, weights).moments).fit(
                data, weights=weights
            )
        fitted = super().fit(data, weights=weights)
        return fitted._iterate_em(data, weights) if self.shape.is_full else fitted

    def _iterate_em(self, data: Table, weights: Weights) -> Self:
        """Take steps of EM until the likelihood of rows with missing values stops rising."""
        fitted, before = self, -np.inf
        for _ in range(MISSING_STEPS):
            now = float(np.average(fitted.log_prob(data), weights=weights))
            if now - before < MISSING_GAIN:
                break
            fitted, before = super(Gaussian, fitted).fit(data, weights=weights), now
        return fitted

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        mean, _ = self.fitted_parameters
        root = root_of(self.covariance_matrix)
        return mean + rng.standard_normal((n, len(mean))) @ root.T

    def bank(self, components: Sequence[Family]) -> GaussianBank:
        """Return Gaussians as a bank."""
        return GaussianBank.of(self, components)

    @property
    def is_fitted(self) -> bool:
        return self.mean is not None

    @property
    def fitted_parameters(self) -> tuple[FloatArray, FloatArray]:
        return fitted(self, "mean", "variance")

    def with_parameters(self, centre: FloatArray | None, variance: FloatArray | None) -> Self:
        """Return this Gaussian with another mean and variance, or without."""
        return altered(self, mean=centre, variance=variance)
