"""Factor analysis: a Gaussian whose columns are correlated through a few factors."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular
from sklearn.utils.extmath import randomized_svd

from ...data import DATA, FloatArray, InputError, Rows, Table, Weights, derived, evenly_spaced
from ..columns.additive_fits import Sums, fit_by_steps
from ..columns.backgrounds import background_of_numbers
from ..columns.scales import ColumnScales, least_variances
from ..contract.base import Family
from ..contract.description import Description, Ellipse, columns_around, text_of
from ..covariance.pooled_noise import PooledNoiseBank, PooledNoiseFamily
from ..shared.constants import LOG_2_PI
from ..shared.copies import replaced
from ..shared.validation import (
    MOST_STEPS,
    fitted,
    read_arrays,
    read_count,
    read_floor,
    read_not_negative,
)

LEAST_EXPLAINED = 1e-2  # of the noise, by a factor at the start: EM leaves a zero loading at zero


def first_loadings(
    rows: FloatArray,
    weights: FloatArray,
    least_variance: FloatArray,
    n_factors: int,
    strength: float,
) -> tuple[FloatArray, FloatArray]:
    """Return loadings (d, q) and noise (d,), from the principal components of scaled columns.

    Columns are scaled to unit variance. Noise is the variance that the loadings leave over.

    Parameters
    ----------
    rows : array, shape (n, d)
        Centred rows.
    weights : array, shape (n,)
        They sum to one.
    least_variance : array, shape (d,)
    n_factors : int
    strength : float, at most 1
        By which loadings are multiplied.
    """
    variances = np.maximum(weights @ rows**2, least_variance)
    widths = np.sqrt(variances)
    rows = rows / widths * np.sqrt(weights)[:, None]
    q = min(n_factors, len(rows))
    _, singular, axes = randomized_svd(rows, q, random_state=0)
    rest = max(1 - float((singular**2).sum()) / len(widths), LEAST_EXPLAINED)
    loadings = np.zeros((len(widths), n_factors))
    loadings[:, :q] = axes.T * np.sqrt(np.maximum(singular**2 - rest, LEAST_EXPLAINED * rest))
    loadings *= strength * widths[:, None]
    return loadings, np.maximum(variances - (loadings**2).sum(axis=1), least_variance)


class Projector(NamedTuple):
    """The posterior of factors given a row.

    Parameters
    ----------
    weights : array, shape (d, q)
        A centred row times these weights is the mean of its factors.
    covariance : array, shape (q, q)
    log_determinant : float
        Of the covariance of rows.
    """

    weights: FloatArray
    covariance: FloatArray
    log_determinant: float

    @classmethod
    def of(cls, loadings: FloatArray, noise: FloatArray) -> Self:
        """Return the posterior, given loadings (d, q) and noise variances (d,)."""
        n_factors = loadings.shape[1]
        scaled = loadings / noise[:, None]
        root = cholesky(np.eye(n_factors) + loadings.T @ scaled, lower=True)
        covariance = cho_solve((root, True), np.eye(n_factors))
        log_determinant = np.log(noise).sum() + 2 * np.log(np.diag(root)).sum()
        return cls(scaled @ covariance, covariance, float(log_determinant))


@dataclass(frozen=True, eq=False)
class Projections(Sums):
    """Sums over rows and their expected factors, about a common centre.

    Parameters
    ----------
    weight : float
    rows, squares : arrays, shape (d,)
    factors : array, shape (q,)
    crossed : array, shape (d, q)
        Sums of rows times factors.
    second : array, shape (q, q)
        Sums of factors times factors, including their covariance.
    """

    weight: float
    rows: FloatArray
    squares: FloatArray
    factors: FloatArray
    crossed: FloatArray
    second: FloatArray


START_ROWS = 2_000  # from which the first loadings are taken
# Mean ARI of "auto" over 8 seeds of 3 simulated components, with a prior of 0, 1, 4, 12 and 36:
# 20 rows each and 8 columns 0.348, 0.305, 0.362, 0.377 and 0.225; 20 rows and 20 columns 0.684,
# 0.704, 0.725, 0.687 and 0.451; 40 rows and 10 columns 0.702, 0.702, 0.701, 0.702 and 0.668; 4
# components of 100 rows 0.758, 0.758, 0.756, 0.762 and 0.748.
PRIOR = 4.0
FAINT = 1e-2  # times these loadings are those that components of a mixture start with


class FactorScales(NamedTuple):
    """Scales of all the data: their centre, and the least noise variance of each column."""

    centre: FloatArray
    least_variance: FloatArray


@dataclass(frozen=True, eq=False)
class FactorAnalyser(PooledNoiseFamily):
    """A Gaussian whose columns are correlated through a few factors.

    It is for many columns: it has (q + 2) d parameters where a full Gaussian has d² / 2, and takes
    time in proportion to n d q. A row is mean + loadings @ factors + noise, with factors and noise
    independent.

    Parameters
    ----------
    n_factors : int, default=2
        Number of factors q; fewer than there are columns.
    floor : float, default=1e-4
        The least noise variance, as a fraction of the variance that a column would have in each
        of K components that filled the space of the data evenly, which is its variance over
        K^(2/d). It is robust: where the quartiles imply a smaller variance, that one is taken.
    prior : float, default=4.0
        Strength of the prior, which pulls the noise variances of all components of a mixture
        towards common ones (see `families.covariance.pooled_noise`): it counts as much as so
        many observations in each component, so its effect vanishes as data grow. Zero means no
        prior.
    n_steps : int, default=10
        Steps of EM in one `fit`. The M-step of a mixture takes one.
    mean : array, shape (d,), optional
        Present once fitted, as all that follow.
    loadings : array, shape (d, q), optional
        The change of each column per unit of a factor.
    noise : array, shape (d,), optional
        Variance of each column that the factors leave unexplained.

    Attributes
    ----------
    scales : FactorScales
        Taken from the data by `prepare` and `fit` unless present.
    pooled_noise : array, shape (d,)
        The variances that the prior pulls towards, if there is a prior.

    Notes
    -----
    The first fit starts from the principal components of all columns at unit variance; later fits
    continue from the last one. In a mixture, these loadings are small at first: they mostly explain
    the differences between components, and a strong factor that spans two clusters would keep them
    in one component. Steps are those of parameter-expanded EM (Liu, Rubin & Wu 1998), which
    converges faster than EM, and never lowers the likelihood.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> rows = Table.of(rng.normal(size=(500, 1)) * [3.0, 2.0, 1.0] + rng.normal(size=(500, 3)))
    >>> fitted = FactorAnalyser(1, n_steps=50).fit(rows)
    >>> np.abs(fitted.loadings[:, 0]).round(1), fitted.noise.round(1)
    (array([2.9, 2. , 1. ]), array([1.3, 0.9, 0.9]))
    """

    background = background_of_numbers

    n_factors: int = 2
    floor: float = 1e-4
    prior: float = PRIOR
    n_steps: int = 10
    scales: FactorScales | None = field(default=None, init=False)
    mean: FloatArray | None = None
    loadings: FloatArray | None = None
    noise: FloatArray | None = None
    pooled_noise: FloatArray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        read_count(self, "n_factors")
        read_count(self, "n_steps", most=MOST_STEPS)
        read_arrays(self, "mean", axes=(1,))
        read_arrays(self, "loadings", axes=(2,))
        read_arrays(self, "noise", axes=(1,), least=0)
        read_floor(self)
        read_not_negative(self, "prior")

    def __repr__(self) -> str:
        known = {"mean": self.mean, "noise": self.noise}
        return text_of("FactorAnalyser", [str(self.n_factors)], known, threshold=6, edgeitems=2)

    @derived
    def min_observations(self) -> int:
        """One more than the number of factors."""
        return self.n_factors + 1

    @property
    def n_parameters(self) -> int:
        """Number of free parameters, less those of a rotation of the factors."""
        d, q = self._fitted()[1].shape
        return 2 * d + d * q - q * (q - 1) // 2

    @property
    def covariance_matrix(self) -> FloatArray:
        """The covariance as a (d, d) matrix."""
        _, loadings, noise = self._fitted()
        return loadings @ loadings.T + np.diag(noise)

    @cached_property
    def projector(self) -> Projector:
        """The posterior of the factors."""
        _, loadings, noise = self._fitted()
        return Projector.of(loadings, noise)

    def describe(self) -> Description:
        """Return mean, loadings and noise; each column has a mean and a standard deviation."""
        mean, loadings, noise = self._fitted()
        covariance = self.covariance_matrix
        return Description(
            {"mean": mean, "loadings": loadings, "noise": noise},
            columns=columns_around(mean, covariance),
            picture=Ellipse(mean, covariance),
        )

    def prepare(self, data: Rows, n_components: int, weights: Weights = None) -> Self:
        """Check the number of columns, and take scales and first parameters from the data."""
        if self.n_factors >= data.n_features:
            raise InputError(
                f"n_factors={self.n_factors} needs at least {self.n_factors + 1} columns, but"
                f" {DATA} has"
                f" {data.n_features}: use fewer factors, or Gaussian."
            )
        if self.scales is not None:
            return self
        least = least_variances(data, ColumnScales.of(data, weights), self.floor, n_components)
        some = evenly_spaced(len(data), START_ROWS)
        rows = data.take(some).values.astype(float)
        own = np.ones(len(rows)) if weights is None else weights[some]
        own = own / own.sum()
        centre = own @ rows
        scaled = replaced(self, scales=FactorScales(centre, least))
        if self.mean is not None:
            return scaled
        strength = 1.0 if n_components == 1 else FAINT
        loadings, noise = first_loadings(rows - centre, own, least, self.n_factors, strength)
        return replaced(scaled, mean=centre, loadings=loadings, noise=noise)

    fit = fit_by_steps

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row, shape (n,).

        The squared Mahalanobis distance is that of the residuals in units of the noise, plus that
        of the factors from zero: sums of squares, in which no digits cancel.
        """
        mean, loadings, noise = self._fitted()
        rest = data.values - mean
        factors = rest @ self.projector.weights
        rest -= factors @ loadings.T
        distances = rest**2 @ (1 / noise) + (factors**2).sum(axis=1)
        return -0.5 * (distances + self.projector.log_determinant + len(mean) * LOG_2_PI)

    def factors(self, X: object) -> FloatArray:
        """Return the expected factors of each row, shape (n, q)."""
        mean, _, _ = self._fitted()
        return (Table.of(X).values - mean) @ self.projector.weights

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        mean, loadings, noise = self._fitted()
        factors = rng.standard_normal((n, self.n_factors))
        return mean + factors @ loadings.T + np.sqrt(noise) * rng.standard_normal((n, len(mean)))

    def moved_to(self, observation: Table) -> Self:
        """Return this component with another mean."""
        return replaced(self, mean=observation.values[0].astype(float))

    def summarise(self, data: Table, weights: Weights = None) -> Projections:
        """Return sums over rows and their expected factors, given the current parameters."""
        mean, _, _ = self._fitted()
        centre = self._prepared().centre
        weights = np.ones(len(data)) if weights is None else weights.astype(float)
        total = float(weights.sum())
        rows = data.values - centre
        factors = (rows + (centre - mean)) @ self.projector.weights
        weighed = factors * weights[:, None]
        return Projections(
            total,
            weights @ rows,
            weights @ rows**2,
            weighed.sum(axis=0),
            rows.T @ weighed,
            factors.T @ weighed + total * self.projector.covariance,
        )

    @property
    def noise_variances(self) -> FloatArray:
        return self._fitted()[2]

    @property
    def least_noise(self) -> FloatArray:
        return self._prepared().least_variance

    def with_noise(self, variances: FloatArray, pooled: FloatArray | None) -> Self:
        return replaced(self, noise=variances, pooled_noise=pooled)

    def without_prior(self, statistics: Projections) -> tuple[Self, float]:
        """Return the component after one step of EM, and the total weight."""
        if statistics.weight <= 0:
            return self, 0.0
        scales, total = self._prepared(), statistics.weight
        mean, mean_factors = statistics.rows / total, statistics.factors / total
        variances = statistics.squares / total - mean**2
        crossed = statistics.crossed / total - np.outer(mean, mean_factors)
        second = statistics.second / total - np.outer(mean_factors, mean_factors)
        root = cholesky(second, lower=True)
        loadings = solve_triangular(root, crossed.T, lower=True).T
        noise = np.maximum(variances - (loadings**2).sum(axis=1), 0.0)
        return replaced(self, mean=scales.centre + mean, loadings=loadings, noise=noise), total

    def bank(self, components: Sequence[Family]) -> PooledNoiseBank:
        return PooledNoiseBank(components)

    def _prepared(self) -> FactorScales:
        if self.scales is None:
            raise ValueError("This FactorAnalyser has no scales yet: call prepare or fit first.")
        return self.scales

    def _fitted(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return fitted(self, "mean", "loadings", "noise")
