"""A prior that pulls the noise variances of all components towards common ones.

It is the prior of `pooled_covariance`, for independent columns, where none of the variances may
fall below a floor. Given the common variance s, the most probable variance of a column is (S_k + nu
s) / (n_k + nu) for a sum of squares S_k of n_k observations; given the variances, the most probable
s is their harmonic mean. Both are found in turn.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

import numpy as np

from ...data import BoolArray, FloatArray, IntArray, Rng
from ..contract.bank import Bank
from ..contract.base import Family
from ..contract.capabilities import AdditiveFamily

ROUNDS = 2  # in which variances and the common one are found in turn, at each M-step


@dataclass(frozen=True, eq=False)
class PooledNoise:
    """The prior of the noise variances of K components.

    Parameters
    ----------
    strength : float
        Number nu of observations that the prior stands for.
    least : array, shape (m,)
        The floor.
    common : array, shape (m,), optional
        The common variances; unknown before the first fit.
    is_frozen : bool
        Whether these stay as they are.
    """

    strength: float
    least: FloatArray
    common: FloatArray | None = None
    is_frozen: bool = False

    def fit(
        self, variances: FloatArray, counts: FloatArray, own: FloatArray, fitted: BoolArray
    ) -> tuple[FloatArray, FloatArray | None]:
        """Return the most probable variances (F, m), and the common ones.

        Parameters
        ----------
        variances : array, shape (K, m)
            Variances before this fit, for components that are not fitted.
        counts : array, shape (F,)
            Total responsibilities of the components that are fitted.
        own : array, shape (F, m)
            Their variances without a prior and a floor.
        fitted : array of bool, shape (K,)
            Which components are fitted.
        """
        if self.strength == 0:
            return np.maximum(own, self.least), None
        if len(variances) == 1 and not self.is_frozen:
            found = np.maximum(own, self.least)
            return found, found[0]
        common = self.common
        if common is None:
            common = counts @ own / counts.sum()
        found, everyone = self._pulled(own, counts, common), variances.copy()
        for _ in range(0 if self.is_frozen else ROUNDS):
            everyone[fitted] = found
            common = 1 / (1 / everyone).mean(axis=0)
            found = self._pulled(own, counts, common)
        return found, common

    def _pulled(self, own: FloatArray, counts: FloatArray, common: FloatArray) -> FloatArray:
        weights = counts[:, None]
        pulled = (weights * own + self.strength * common) / (weights + self.strength)
        return np.asarray(np.maximum(pulled, self.least))

    def log_density(self, variances: FloatArray) -> float:
        """Return the log density at the variances (m,) of a component, but for a constant."""
        if self.strength == 0 or self.common is None:
            return 0.0
        ratios = self.common / variances
        return float(self.strength / 2 * (np.log(ratios) - ratios + 1).sum())


class PooledNoiseFamily(AdditiveFamily):
    """A family with noise variances, which a prior pulls towards those of other components.

    Write ``noise_variances``, ``least_noise``, ``with_noise`` and ``without_prior``, and return
    a `PooledNoiseBank` from `bank`. Subclasses are frozen dataclasses with the fields annotated
    here.
    """

    prior: float
    pooled_noise: FloatArray | None

    @property
    @abstractmethod
    def noise_variances(self) -> FloatArray:
        """Variances of the noise, shape (m,)."""

    @property
    @abstractmethod
    def least_noise(self) -> FloatArray:
        """The least variances of the noise, shape (m,)."""

    @abstractmethod
    def with_noise(self, variances: FloatArray, pooled: FloatArray | None) -> Self:
        """Return this component with other variances, and others that the prior pulls to."""

    @abstractmethod
    def without_prior(self, statistics: Any) -> tuple[Self, float]:
        """Return the likeliest component, whatever its noise variances, and the total weight."""

    @property
    def log_prior(self) -> float:
        """Log density of the prior at the noise variances, but for a constant."""
        return self.noise_prior().log_density(self.noise_variances)

    def noise_prior(self, is_frozen: bool = False) -> PooledNoise:
        """Return the prior of the noise variances."""
        return PooledNoise(self.prior, self.least_noise, self.pooled_noise, is_frozen)

    def from_statistics(self, statistics: Any, rng: Rng = None) -> Self:
        """Return the likeliest component, with a floor for its noise variances."""
        component, _ = self.without_prior(statistics)
        variances = np.maximum(component.noise_variances, self.least_noise)
        return component.with_noise(variances, variances if self.prior > 0 else None)


class PooledNoiseBank(Bank):
    """K components whose noise variances a prior pulls towards common ones.

    Parameters
    ----------
    components : sequence of PooledNoiseFamily
        The prior is that of the first.
    is_frozen : bool
        Whether the common variances stay as they are.
    """

    def __init__(self, components: Sequence[Family], is_frozen: bool = False) -> None:
        members = cast(Sequence[PooledNoiseFamily], components)
        pooled = members[0].pooled_noise
        super().__init__([
            one if one.pooled_noise is pooled else one.with_noise(one.noise_variances, pooled)
            for one in members
        ])  # fmt: skip
        self.is_frozen = is_frozen

    def freeze(self, frozen: bool) -> Self:
        """Return these components with a frozen prior, or free to learn it."""
        return self if frozen == self.is_frozen else type(self)(self.components, frozen)

    def replaced(self, components: dict[int, Family]) -> Self:
        members = cast(Sequence[PooledNoiseFamily], self.components)
        changed: list[Family] = list(members)
        for place, new in cast(dict[int, PooledNoiseFamily], components).items():
            changed[place] = new.with_noise(new.noise_variances, members[0].pooled_noise)
        return type(self)(changed, self.is_frozen)

    def chosen(self, places: Sequence[int] | IntArray) -> Self:
        return type(self)([self.components[k] for k in places], self.is_frozen)

    def statistics_at(self, statistics: Any, k: int) -> Any:
        """Return the statistics of component k alone."""
        return statistics[k]

    def update(self, statistics: Any, keep: BoolArray, rng: Rng = None) -> Self:
        if keep.all():
            return self
        members = cast(Sequence[PooledNoiseFamily], self.components)
        places = np.flatnonzero(~keep).tolist()
        fits = [members[k].without_prior(self.statistics_at(statistics, k)) for k in places]
        own = np.stack([one.noise_variances for one, _ in fits])
        before = np.tile(own[0], (len(self), 1))
        for k in np.flatnonzero(keep).tolist():
            before[k] = members[k].noise_variances
        counts = np.array([count for _, count in fits])
        prior = members[0].noise_prior(self.is_frozen)
        found, pooled = prior.fit(before, counts, own, ~keep)
        updated = [one.with_noise(one.noise_variances, pooled) if kept else one
                   for one, kept in zip(members, keep, strict=True)]  # fmt: skip
        for k, (one, _), variances in zip(places, fits, found, strict=True):
            updated[k] = one.with_noise(variances, pooled)
        return type(self)(updated, self.is_frozen)
