"""The multivariate Gaussian."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, cast

import numpy as np

from ..data import BoolArray, FloatArray, Table
from .base import AdditiveFamily, Bank, Family
from .covariance import COVARIANCES, Covariance

LOG_2_PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False)
class Moments:
    """Total weight, mean and scatter about the mean; adding never cancels digits."""

    shape: Covariance
    count: float
    mean: FloatArray
    scatter: FloatArray

    @classmethod
    def of(cls, shape: Covariance, x: FloatArray, weights: FloatArray | None) -> Self:
        """Measure rows x (n, d)."""
        count = float(len(x) if weights is None else weights.sum())
        if count == 0:
            mean = np.zeros(x.shape[1])
        elif weights is None:
            mean = x.mean(axis=0, dtype=float)
        else:
            mean = weights @ x / count
        return cls(shape, count, mean, shape.scatter(x - mean, weights))

    def __add__(self, other: Self) -> Self:
        count = self.count + other.count
        if count == 0:
            return self
        apart = other.mean - self.mean
        between = self.shape.scatter(apart[None, :], np.array([self.count * other.count / count]))
        return replace(
            self,
            count=count,
            mean=self.mean + apart * (other.count / count),
            scatter=self.scatter + other.scatter + between,
        )


@dataclass(frozen=True, eq=False)
class Gaussian(AdditiveFamily):
    """The multivariate Gaussian distribution.

    Parameters
    ----------
    covariance : {"full", "tied", "diag", "spherical"}, default="full"
        The shape of the covariance. With "tied", all components of a mixture share one.
    ridge : float, default=1e-4
        What is added to the diagonal of every covariance so that no component collapses onto a
        point or a line: this share of the variance a column would have in each of K components
        that filled the space of the data evenly, its variance over K^(2/d).
    added_variance : float or array of shape (d,), optional
        What is added to the diagonal, in the units of the data squared, in place of `ridge`.
    mean : array, shape (d,), optional
        Present once fitted.
    variance : array, optional
        The covariance in its own form: (d, d) for full and tied, (d,) for diagonal, () for
        spherical. Present once fitted.

    Examples
    --------
    >>> rows = Table.of([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    >>> fitted = Gaussian("diag").prepare(rows, n_components=1).fit(rows)
    >>> fitted.mean, fitted.covariance_matrix.round(3)
    (array([1., 1.]), array([[1., 0.], [0., 1.]]))
    """

    movable = True

    covariance: str = "full"
    ridge: float = 1e-4
    added_variance: FloatArray | float | None = None
    mean: FloatArray | None = None
    variance: FloatArray | None = None

    def __post_init__(self) -> None:
        if self.covariance not in COVARIANCES:
            raise ValueError(
                f"covariance must be one of {', '.join(map(repr, COVARIANCES))},"
                f" not {self.covariance!r}."
            )
        if not 0 <= self.ridge < np.inf:
            raise ValueError(f"ridge must be zero or a positive number, not {self.ridge!r}.")

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
    def n_parameters(self) -> int:
        """Number of free parameters."""
        d = len(self._fitted()[0])
        return d + self.shape.n_parameters(1, d)

    def prepare(self, data: Table, n_components: int) -> Self:
        """Take the ridge's scale from the data; refuse columns without variance."""
        if self.added_variance is not None:
            return self
        if len(data) < 2:
            raise ValueError(
                "X has 1 sample (n_samples = 1), from which no variance can be learned:"
                " a Gaussian needs at least 2."
            )
        constant = np.flatnonzero(data.values.min(axis=0) == data.values.max(axis=0))
        if len(constant):
            raise ValueError(
                f"Column {data.column_name(constant[0])} of X is constant (every value is"
                f" {data.values[0, constant[0]]:g}), so it tells no component from another:"
                " drop it."
            )
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            variances = data.values.var(axis=0, dtype=float)
            added = self.ridge * variances / n_components ** (2 / data.n_features)
        tiny, huge = np.finfo(float).tiny, np.finfo(float).max / (4 * len(data))
        extreme = np.flatnonzero(~((variances > tiny) & (variances < huge)))
        if self.ridge > 0:
            extreme = np.union1d(extreme, np.flatnonzero(added < tiny))
        if len(extreme):
            raise ValueError(
                f"The variance of column {data.column_name(extreme[0])} of X does not fit into"
                " double precision: rescale the column, for example to unit variance."
            )
        return replace(self, added_variance=added)

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row, shape (n,)."""
        return GaussianBank((self,)).log_prob(data)[:, 0]

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        mean, _ = self._fitted()
        root = np.linalg.cholesky(self.covariance_matrix)
        return mean + rng.standard_normal((n, len(mean))) @ root.T

    def moved_to(self, observation: Table) -> Self:
        """Return this Gaussian with another mean."""
        return replace(self, mean=observation.values[0].astype(float))

    def summarise(self, data: Table, weights: FloatArray | None = None) -> Moments:
        """Measure the moments of some rows."""
        return Moments.of(self.shape, data.values, weights)

    def from_statistics(self, statistics: Moments, rng: np.random.Generator | None = None) -> Self:
        """Return a Gaussian with these moments, and the added variance."""
        bank = GaussianBank((self,)).update([statistics], np.zeros(1, dtype=bool))
        return cast(Self, bank.components[0])

    def bank(self, components: Sequence[Family]) -> "GaussianBank":
        """Put Gaussians together."""
        return GaussianBank(cast(tuple[Gaussian, ...], tuple(components)))

    def _fitted(self) -> tuple[FloatArray, FloatArray]:
        if self.mean is None or self.variance is None:
            raise ValueError("This Gaussian has no parameters yet: call fit first.")
        return self.mean, self.variance


@dataclass(frozen=True)
class GaussianBank(Bank):
    """K Gaussians of one covariance shape, evaluated and fitted as stacked arrays."""

    components: tuple[Gaussian, ...]

    @property
    def family(self) -> Gaussian:
        """The family, through one of its members."""
        return self.components[0]

    @cached_property
    def means(self) -> FloatArray:
        """Means, shape (K, d)."""
        return np.stack([component._fitted()[0] for component in self.components])

    @cached_property
    def variances(self) -> FloatArray:
        """Covariances in their own form, stacked along the first axis."""
        return np.stack([component._fitted()[1] for component in self.components])

    @cached_property
    def whitening(self) -> FloatArray:
        """Whitening factors, stacked along the first axis."""
        try:
            return self.family.shape.whitening(self.variances)
        except np.linalg.LinAlgError:
            raise ValueError(
                "A component's covariance is not positive definite: raise the ridge"
                " (reg_covar in GaussianMixture), or use fewer components."
            ) from None

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of all components."""
        k, d = self.means.shape
        return k * d + self.family.shape.n_parameters(k, d)

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row under each component, shape (n, K)."""
        shape, d = self.family.shape, data.n_features
        constants = shape.log_determinants(self.whitening, d) - d / 2 * LOG_2_PI
        values = np.empty((len(data), len(self)))
        for k, (mean, factor) in enumerate(zip(self.means, self.whitening, strict=True)):
            white = shape.whiten(data.values - mean, factor)
            values[:, k] = constants[k] - 0.5 * np.einsum("nd,nd->n", white, white)
        return values

    def update(
        self, statistics: Sequence[Any], keep: BoolArray, rng: np.random.Generator | None = None
    ) -> "GaussianBank":
        """Return the bank fitted to moments; the components in `keep` stay as they are."""
        family, fitted = self.family, np.flatnonzero(~keep)
        if len(fitted) == 0:
            return self
        moments: list[Moments] = [statistics[int(k)] for k in fitted]
        variances = family.shape.fit(
            np.array([moment.count for moment in moments]),
            np.stack([moment.scatter for moment in moments]),
            np.broadcast_to(
                0.0 if family.added_variance is None else family.added_variance,
                moments[0].mean.shape,
            ),
        )
        components = list(self.components)
        for k, moment, variance in zip(fitted, moments, variances, strict=True):
            components[k] = replace(components[k], mean=moment.mean, variance=variance)
        if family.shape.shared:
            components = [replace(one, variance=variances[0]) for one in components]
        return GaussianBank(tuple(components))
