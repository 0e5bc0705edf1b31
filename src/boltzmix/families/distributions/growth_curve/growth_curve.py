"""Growth curves: trajectories around a mean curve, each with a smooth deviation of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self, cast

import numpy as np

from ....data import DATA, FloatArray, Hard, InputError, Rng, Trajectories, Weights
from ...columns.additive_fits import fit_by_steps
from ...contract.bank import log_prob_by_bank
from ...contract.base import Family
from ...contract.search_hints import SearchHints
from ...covariance.covariance import COVARIANCES
from ...covariance.covariance_base import solved
from ...covariance.pooled_covariance import PooledCovariance
from ...covariance.pooled_noise import PooledNoise
from ...shared.copies import replaced
from ...shared.validation import MOST_STEPS, fitted, read_count, read_floor, read_not_negative
from .growth_curve_bank import GrowthCurveBank
from .growth_curve_prediction import PredictedCurve
from .growth_curve_products import Effects, KernelCurve
from .growth_curve_scales import GrowthScales


def maximised(
    statistics: Effects, curve: KernelCurve, scales: GrowthScales
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return coefficients (m, p), covariance of effects (q, q) and noise (m,) after a step of EM.

    The mean curve and the mean of the effects are found together, given the old variances, with
    the prior of the mean curve; then the variances, given these.
    """
    sums = statistics
    m, p, q = scales.effects.shape
    effects = scales.effects.reshape(m * p, q)
    means, shift = _centres(sums, curve, scales, effects)
    mixed = np.outer(shift, sums.first)
    second = sums.second - mixed - mixed.T + sums.weight * np.outer(shift, shift)
    squares = sums.residuals - 2 * (means * sums.rests).sum(axis=1)
    squares += np.einsum("ja,jab,jb->j", means, sums.grams, means)
    tiny = np.finfo(float).tiny
    return (
        means + (effects @ shift).reshape(m, p),
        (second + second.T) / (2 * sums.weight),
        np.maximum(squares / np.maximum(sums.counts, tiny), 0.0),
    )


def _centres(
    sums: Effects, curve: KernelCurve, scales: GrowthScales, effects: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return coefficients (m, p), and the mean of the effects (q,), which is to be added to them.

    The prior is that of their sum.
    """
    m, p = sums.rests.shape
    covariance = curve.root @ curve.root.T
    precision, level = scales.precision, scales.level.ravel()
    across = precision @ effects
    inner = sums.weight * np.linalg.inv(covariance) + effects.T @ across
    system = np.block([[precision, across], [across.T, inner]])
    for j in range(m):
        own = slice(j * p, (j + 1) * p)
        system[own, own] += sums.grams[j] / curve.noise[j]
    right = np.concatenate(
        [
            (sums.rests / curve.noise[:, None]).ravel() + precision @ level,
            solved(covariance, sums.first[:, None])[:, 0] + across.T @ level,
        ]
    )
    solution = solved(system, right[:, None])[:, 0]
    return solution[: m * p].reshape(m, p), solution[m * p :]


# Mean ARI of EM from the true labels, less that of the true parameters, over 20 seeds of each of
# the six settings of `python -m benchmarks trajectories`, with a prior of 1, 4, 20 and 60: -0.061,
# -0.051, -0.043 and -0.042.
PRIOR = 20.0
# The fraction of the points of these trajectories that count for the noise. The same measure, with
# fractions of 0.1, 0.3 and 1: growth curves of different noise -0.033, -0.034 and -0.041, of equal
# noise -0.035, -0.033 and -0.036. A small one lets components of long trajectories differ in their
# noise more than in their curves.
NOISE_SHARE = 0.3
RIDGE = 1e-8  # added to the variances of effects, of which those of all trajectories are one


@dataclass(frozen=True, eq=False, repr=False)
class GrowthCurve(PredictedCurve):
    """Trajectories around a mean curve, each with a smooth deviation of its own, and noise.

    An observation is a whole trajectory: times, and the values observed at them. Trajectories may
    have different numbers of points, at different times, and values may be missing. The value at
    time t is m(t) + f(t) + noise: the mean curve m is that of the component, and the deviation f
    is that of the trajectory, a Gaussian process with mean zero. It is the model of growth mixtures
    and of hierarchical Gaussian processes.

    Parameters
    ----------
    n_basis : int, optional
        Number of spline functions of which a mean curve is made, at most: 10 unless given (fewer
        where there are many outputs), and never more than there are distinct times.
    n_effects : int, optional
        Number of random effects, which are the functions of which deviations are made: as many as
        the data show, but no more than 8, unless given.
    prior : float, default=20.0
        Strength of the prior, which pulls the covariances of the effects and the noise variances
        of all components of a mixture towards common ones (see
        `families.covariance.pooled_covariance`): it counts as much as `prior` times the number
        of effects trajectories, which all components share evenly, so its effect vanishes as data
        grow. Zero means no prior.
    floor : float, default=1e-4
        The least noise variance, as a fraction of the variance of the values over K². It is robust:
        where the quartiles imply a smaller variance, that one is taken.
    n_steps : int, default=20
        Steps of EM in one `fit`. The M-step of a mixture takes one.

    Attributes
    ----------
    scales : GrowthScales
        What curves of all components have in common. Taken from the data by `prepare` and `fit`
        unless present.
    coefficients : array, shape (m, p)
        Coefficients of the mean curve of each output, less the mean of the output in all the data.
        Present once fitted, as all that follow.
    covariance : array, shape (q, q)
        Covariance of the random effects, in units in which those of all the data have unit
        variance.
    noise : array, shape (m,)
        Variance of the noise of each output.
    pooled_covariance, pooled_noise : arrays, shapes (q, q) and (m,)
        What the prior pulls towards, if there is a prior.
    prior_trajectories : float
        Number of trajectories that the prior counts as in each component.

    Notes
    -----
    Mean curves are cubic splines with more functions where there are more times; beyond the first
    and the last time, they go on as straight lines. One smooth curve for each trajectory is fitted
    to a sample before learning (a mixed model of one component). The leading principal components
    of these curves are the functions of which deviations are made. Their covariance is also that of
    a Gaussian prior for the mean curves, around the mean curve of all trajectories: a component
    with few members has a smooth mean curve. Time and values have no units in all of this: other
    units lead to the same clusters.

    A step of EM is exact: it estimates the random effects of each trajectory, given the parameters,
    and then the parameters. The mean of the effects is free in it and then becomes part of the mean
    curve (parameter-expanded EM, Liu, Rubin & Wu 1998), with which EM converges faster.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = []
    >>> for _ in range(40):
    ...     times = rng.uniform(0, 10, rng.integers(3, 8))
    ...     X.append((times, 50 + 3 * times + rng.normal(0, 4) + rng.normal(0, 1, len(times))))
    >>> curve = GrowthCurve().fit(Trajectories.of(X))
    >>> curve.predict([0.0, 5.0, 10.0]).round()
    array([51., 65., 80.])
    """

    observes = Trajectories
    missing = True

    n_basis: int | None = None
    n_effects: int | None = None
    prior: float = PRIOR
    floor: float = 1e-4
    n_steps: int = 20
    scales: GrowthScales | None = field(default=None, init=False)
    coefficients: FloatArray | None = field(default=None, init=False)
    covariance: FloatArray | None = field(default=None, init=False)
    noise: FloatArray | None = field(default=None, init=False)
    pooled_covariance: FloatArray | None = field(default=None, init=False)
    pooled_noise: FloatArray | None = field(default=None, init=False)
    prior_trajectories: float | None = field(default=None, init=False)

    @property
    def search_hints(self) -> SearchHints:
        """Hints for a search: a prior keeps components of few trajectories sound."""
        return replace(super().search_hints, regularised=True)

    def __post_init__(self) -> None:
        for name in ("n_basis", "n_effects"):
            if getattr(self, name) is not None:
                read_count(self, name)
        read_count(self, "n_steps", most=MOST_STEPS)
        read_not_negative(self, "prior")
        read_floor(self)
        if self.scales is not None:
            self.scales.check_shapes(
                coefficients=self.coefficients,
                covariance=self.covariance,
                noise=self.noise,
                pooled_covariance=self.pooled_covariance,
                pooled_noise=self.pooled_noise,
            )

    def __repr__(self) -> str:
        if self.scales is None or self.coefficients is None:
            return "GrowthCurve()"
        p, q = self.scales.effects.shape[1:]
        return f"GrowthCurve({p} functions, {q} random effects)"

    @property
    def n_parameters(self) -> int:
        coefficients, covariance, noise = self.fitted_parameters
        q = len(covariance)
        return coefficients.size + q * (q + 1) // 2 + noise.size

    @property
    def is_degenerate(self) -> bool:
        """Whether the noise of some output is at the floor."""
        return bool((self.fitted_parameters[2] <= self.prepared.least_noise * (1 + 1e-6)).any())

    def check(self, data: Trajectories, first_row: int | None = None) -> None:
        """Raise a ValueError if outputs or units of time are not those that were fitted to."""
        if self.scales is None:
            return
        m = len(self.scales.centre)
        if data.n_features != m:
            raise InputError(
                f"{DATA} has {data.n_features} output(s), but this GrowthCurve was fitted to {m}."
            )
        if data.time_unit not in (None, self.scales.time_unit):
            raise InputError(
                f"The times of {DATA} are {data.time_unit}, but this GrowthCurve was fitted to"
                f" {self.scales.time_unit or 'numbers'}: use the same times."
            )

    def prepare(self, data: Trajectories, n_components: int, weights: Weights = None) -> Self:
        """Take the functions, the scales and first parameters from the data."""
        if self.scales is not None:
            self.check(data)
            return self
        scales = GrowthScales.of(data, weights, self.n_basis, self.n_effects)
        scales = scales.with_floor(data, self.floor, n_components, weights)
        q = scales.effects.shape[2]
        return replaced(
            self,
            scales=scales,
            prior_trajectories=self.prior * q / n_components,
            coefficients=scales.level,
            covariance=np.eye(q),
            noise=np.maximum(scales.noise, scales.least_noise),
        )

    fit = fit_by_steps

    log_prob = log_prob_by_bank

    def summarise(self, data: Trajectories, weights: Weights = None) -> Effects:
        """Return sums over points and expected effects, given the current parameters."""
        return self.bank([self]).summarise(data, Hard.of_one(len(data), weights))[0]

    def from_statistics(self, statistics: Effects, rng: Rng = None) -> Self:
        """Return the component after one step of EM."""
        updated = self.bank([self]).update([statistics], np.zeros(1, dtype=bool))
        return cast(Self, updated.components[0])

    def bank(self, components: Sequence[Family]) -> GrowthCurveBank:
        """Return growth curves as a bank."""
        return GrowthCurveBank(components)

    def without_prior(self, statistics: Effects) -> Self:
        """Return the component after one step of EM, whose variances have no prior."""
        found = maximised(statistics, self.kernel_curve, self.prepared)
        return replaced(self, coefficients=found[0], covariance=found[1], noise=found[2])

    def with_variances(self, covariance: FloatArray, noise: FloatArray) -> Self:
        """Return this component with another covariance of effects and other noise variances."""
        return replaced(self, covariance=covariance, noise=noise)

    def with_prior(self, covariance: FloatArray | None, noise: FloatArray | None) -> Self:
        """Return this component with a prior that pulls towards others."""
        if self.pooled_covariance is covariance and self.pooled_noise is noise:
            return self
        return replaced(self, pooled_covariance=covariance, pooled_noise=noise)

    def covariance_prior(self, is_frozen: bool = False) -> PooledCovariance:
        """Return the prior of the covariance of effects."""
        strength = self.prior_trajectories or 0.0
        return PooledCovariance(COVARIANCES["full"], strength, self.pooled_covariance, is_frozen)

    def noise_prior(self, is_frozen: bool = False) -> PooledNoise:
        """Return the prior of the noise variances."""
        strength = NOISE_SHARE * (self.prior_trajectories or 0.0) * self.prepared.mean_length
        return PooledNoise(strength, self.prepared.least_noise, self.pooled_noise, is_frozen)

    @property
    def log_prior(self) -> float:
        """Log density of the priors of mean curve, covariance and noise, but for a constant."""
        coefficients, covariance, noise = self.fitted_parameters
        shape, q = COVARIANCES["full"], len(covariance)
        whitening = shape.whitening(covariance[None] + RIDGE * np.eye(q))
        volumes = shape.log_determinants(whitening, q)
        total = self.covariance_prior().log_densities(whitening, volumes, q)[0]
        total += self.noise_prior().log_density(noise)
        return float(total - self.prepared.distance(coefficients) / 2)

    def effects(self, X: object) -> FloatArray:
        data: Any = self.observe(X)
        products = self.bank([self]).products(data)
        some, weights = np.arange(len(data)), np.ones(len(data))
        return products.summarised(self.prepared.effects, self.kernel_curve, some, weights)[1]

    def moved_to(self, observation: Trajectories) -> Self:
        """Return this component with the expected curve of a trajectory as its mean curve."""
        shift = np.tensordot(self.prepared.effects, self.effects(observation)[0], (2, 0))
        return replaced(self, coefficients=self.fitted_parameters[0] + shift)

    @property
    def parameter_vector(self) -> FloatArray:
        """Coefficients, Cholesky factor (logs on its diagonal) and log noise, shape (r,)."""
        coefficients, root, noise = self.kernel_curve
        logs = root - np.diag(np.diag(root)) + np.diag(np.log(np.diag(root)))
        factor = logs[np.tril_indices(len(root))]
        return np.concatenate([coefficients.ravel(), factor, np.log(noise)])

    def with_parameter_vector(self, values: FloatArray) -> Self:
        """Return this component with other parameters."""
        m, p, q = self.prepared.effects.shape
        coefficients, factor, noise = np.split(values, [m * p, len(values) - m])
        root = np.zeros((q, q))
        root[np.tril_indices(q)] = factor
        np.fill_diagonal(root, np.exp(np.diag(root)))
        return replaced(
            self,
            coefficients=coefficients.reshape(m, p),
            covariance=root @ root.T - RIDGE * np.eye(q),
            noise=np.exp(noise),
        )

    @cached_property
    def kernel_curve(self) -> KernelCurve:
        coefficients, covariance, noise = self.fitted_parameters
        root = np.linalg.cholesky(covariance + RIDGE * np.eye(len(covariance)))
        return KernelCurve(coefficients, root, noise)

    @property
    def prepared(self) -> GrowthScales:
        found: GrowthScales = fitted(self, "scales")[0]
        return found

    @property
    def fitted_parameters(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Coefficients, covariance of effects and noise; raise if there are none yet."""
        return fitted(self, "coefficients", "covariance", "noise")
