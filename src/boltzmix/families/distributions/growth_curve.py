"""Growth curves: trajectories around a mean curve, each with a smooth deviation of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from ...data import FloatArray, Hard, Trajectories, read_times
from ..additive import AdditiveFamily
from ..base import Family
from ..description import Curve as CurvePicture
from ..description import Description
from ..shared.covariance import COVARIANCES
from ..shared.pooled_covariance import PooledCovariance
from ..shared.pooled_noise import PooledNoise
from ..shared.validation import check_count, check_floor, check_not_negative, fitted
from .growth_curve_bank import GrowthCurveBank
from .growth_curve_products import Curve, Effects
from .growth_curve_scales import GrowthScales

PRIOR = 4.0
RIDGE = 1e-8


@dataclass(frozen=True, eq=False, repr=False)
class GrowthCurve(AdditiveFamily):
    observes = Trajectories

    n_basis: int | None = None
    n_effects: int | None = None
    prior: float = PRIOR
    floor: float = 1e-4
    n_steps: int = 10
    scales: GrowthScales | None = None
    prior_trajectories: float | None = None
    coefficients: FloatArray | None = None
    covariance: FloatArray | None = None
    noise: FloatArray | None = None
    pooled_covariance: FloatArray | None = None
    pooled_noise: FloatArray | None = None

    def prepare(self, data, n_components, weights=None):
        if self.scales is not None:
            return self
        scales = GrowthScales.of(
            data, n_components, weights, self.n_basis, self.n_effects, self.floor
        )
        q = scales.effects.shape[2]
        return replace(
            self,
            scales=scales,
            prior_trajectories=self.prior * q / n_components,
            coefficients=scales.level,
            covariance=np.eye(q),
            noise=scales.noise,
        )

    def fit(self, data, *, weights=None, rng=None):
        found = self.prepare(data, 1, weights)
        bank = found.bank([found])
        everyone = Hard(np.zeros(len(data), dtype=np.int32), 1, weights)
        products = bank.products(data)
        for _ in range(self.n_steps):
            bank = found.bank([found])
            found = found.from_statistics(bank.summarise_evaluated(data, everyone, products)[0])
        return found

    def log_prob(self, data):
        return self.bank([self]).log_prob(data)[:, 0]

    def summarise(self, data, weights=None):
        everyone = Hard(np.zeros(len(data), dtype=np.int32), 1, weights)
        return self.bank([self]).summarise(data, everyone)[0]

    def from_statistics(self, statistics, rng=None):
        return self.bank([self]).update([statistics], np.zeros(1, dtype=bool)).components[0]

    def bank(self, components):
        return GrowthCurveBank(components)

    def without_prior(self, statistics: Effects) -> Self:
        """One ECM step; see notes."""
        curve, covariance, noise = self.fitted_parameters
        s, scales = statistics, self.prepared
        m, p, q = scales.effects.shape
        effects = scales.effects.reshape(m * p, q)
        inverse = np.linalg.inv(covariance + RIDGE * np.eye(q))
        gram, pull = np.zeros((m * p, m * p)), (s.rests / noise[:, None]).ravel()
        for j in range(m):
            own = slice(j * p, (j + 1) * p)
            gram[own, own] = s.grams[j] / noise[j]
        precision, level = scales.precision, scales.level.ravel()
        across = precision @ effects
        system = np.block(
            [
                [gram + precision, across],
                [across.T, s.weight * inverse + effects.T @ across],
            ]
        )
        right = np.concatenate(
            [pull + precision @ level, inverse @ s.first + across.T @ level]
        )
        solution = np.linalg.solve(system, right)
        means, shift = solution[: m * p].reshape(m, p), solution[m * p :]
        mixed = np.outer(shift, s.first)
        second = s.second - mixed - mixed.T + s.weight * np.outer(shift, shift)
        squares = s.residuals - 2 * (means * s.rests).sum(axis=1)
        squares += np.einsum("ja,jab,jb->j", means, s.grams, means)
        return replace(
            self,
            coefficients=means + (effects @ shift).reshape(m, p),
            covariance=(second + second.T) / (2 * s.weight),
            noise=np.maximum(squares / np.maximum(s.counts, 1e-300), 0.0),
        )

    def with_variances(self, covariance, noise):
        return replace(self, covariance=covariance, noise=noise)

    def with_prior(self, covariance, noise):
        return replace(self, pooled_covariance=covariance, pooled_noise=noise)

    def with_prior_of(self, other):
        if self.pooled_covariance is other.pooled_covariance and self.pooled_noise is other.pooled_noise:
            return self
        return self.with_prior(other.pooled_covariance, other.pooled_noise)

    def covariance_prior(self, is_frozen=False):
        return PooledCovariance(
            COVARIANCES["full"], self.prior_trajectories, self.pooled_covariance, is_frozen
        )

    def noise_prior(self, is_frozen=False):
        strength = self.prior_trajectories * self.prepared.mean_length
        return PooledNoise(strength, self.prepared.least_noise, self.pooled_noise, is_frozen)

    @property
    def log_prior(self):
        _, covariance, noise = self.fitted_parameters
        scales = self.prepared
        shape = COVARIANCES["full"]
        whitening = shape.whitening(covariance[None] + RIDGE * np.eye(len(covariance)))
        d = len(covariance)
        pooled = self.covariance_prior().log_densities(
            whitening, shape.log_determinants(whitening, d), d
        )[0]
        off = (self.coefficients - scales.level).ravel()
        return float(
            pooled + self.noise_prior().log_density(noise) - off @ scales.precision @ off / 2
        )

    @cached_property
    def curve(self) -> Curve:
        coefficients, covariance, noise = self.fitted_parameters
        root = np.linalg.cholesky(covariance + RIDGE * np.eye(len(covariance)))
        return Curve(coefficients, root, noise)

    @property
    def n_parameters(self):
        coefficients, covariance, noise = self.fitted_parameters
        q = len(covariance)
        return coefficients.size + q * (q + 1) // 2 + noise.size

    @property
    def prepared(self) -> GrowthScales:
        return fitted(self, "scales")[0]

    @property
    def fitted_parameters(self):
        return fitted(self, "coefficients", "covariance", "noise")
