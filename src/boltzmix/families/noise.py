"""A bank with a background, from which outliers come."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..data import BoolArray, FloatArray, Membership
from .bank import Bank, with_room
from .base import Family
from .wrapped_bank import WrappedBank

LEAST_WEIGHT = 10 * float(np.finfo(float).eps)
WIDTH_OF_BACKGROUND = 3.0  # times as wide as the data is where outliers come from


def outlier_weight(family: Family, n_features: int) -> float:
    """Return how much of the background of outliers lies where the data are.

    The background is wider than the data in every direction, so that it takes no observations from
    components, however many columns there are.
    """
    inside = WIDTH_OF_BACKGROUND ** -float(n_features)
    return max(family.outliers * inside, float(np.finfo(float).tiny))


class NoisyBank(WrappedBank):
    """K components, and after them a background that is never fitted.

    The engine sees K + 1 components, of which the last is never too small. Its mixing weight is
    learned, also where the weights of the other components are equal, unless it is given.

    Parameters
    ----------
    bank : Bank
        The components that are fitted.
    background : Family
        The distribution of the noise, such as `Family.background` returns.
    weight : float, optional
        The mixing weight of the noise, if it is not learned.
    """

    def __init__(self, bank: Bank, background: Family, weight: float | None = None) -> None:
        super().__init__(bank)
        self._background = background
        self.weight = weight

    @property
    def background(self) -> Family:
        """The distribution of the noise."""
        return self._background

    def without_background(self) -> Bank:
        """Return the components that are fitted."""
        return self.bank

    def _with(self, bank: Bank) -> "NoisyBank":
        """Return other components with the same background."""
        return NoisyBank(bank, self.background, self.weight)

    def __len__(self) -> int:
        return len(self.bank) + 1

    def log_prob(self, data: Any) -> FloatArray:
        """Return the log-likelihood matrix, with the background in the last column, (n, K + 1)."""
        return self._with_background(self.bank.log_prob(data), data)

    def log_objective(self, data: Any) -> FloatArray:
        """Return what learning maximises of the log-likelihood matrix, shape (n, K + 1)."""
        return self._with_background(self.bank.log_objective(data), data)

    def _with_background(self, log_likelihoods: FloatArray, data: Any) -> FloatArray:
        """Add the log density of the background as a last column."""
        together = with_room(log_likelihoods, 1)
        together[:, -1] = self._log_background(data)
        return together

    def _log_background(self, data: Any) -> FloatArray:
        """Return the log density of the background, shape (n,)."""
        return Bank([self.background]).log_prob(data)[:, 0]

    def summarise(self, data: Any, membership: Membership) -> Any:
        """Return the statistics of the observations that are assigned to each component."""
        places, inside = membership.among_first(len(self.bank))
        return self.bank.summarise(data if isinstance(places, slice) else data.take(places), inside)

    def evaluate(self, data: Any, room: int = 0) -> tuple[FloatArray, Any]:
        """Return `log_objective`, and what `summarise_evaluated` can reuse of its computation."""
        log_objectives, work = self.bank.evaluate(data, room + 1)
        log_objectives[:, len(self.bank)] = self._log_background(data)
        return log_objectives, work

    def summarise_evaluated(self, data: Any, membership: Membership, work: Any) -> Any:
        """Return `summarise`, given the second of what `evaluate` returned for the same data."""
        places, inside = membership.among_first(len(self.bank))
        if isinstance(places, slice):
            return self.bank.summarise_evaluated(data, inside, work)
        return self.bank.summarise(data.take(places), inside)

    def update(self, statistics: Any, keep: BoolArray, rng: np.random.Generator) -> Bank:
        """Return the bank fitted to `statistics`; the components in `keep` stay as they are."""
        return self._with(self.bank.update(statistics, keep[:-1], rng))

    def too_small(self, sizes: FloatArray, fewest: float) -> BoolArray:
        """Return which components cannot be fitted; the background is never fitted."""
        return np.append(self.bank.too_small(sizes[:-1], fewest), False)

    def weigh(
        self, weighting: Callable[[FloatArray], FloatArray], counts: FloatArray
    ) -> FloatArray:
        """Return mixing weights, shape (K + 1,): the others have in total what noise leaves."""
        noise = self.weight
        if noise is None:
            noise = np.clip(counts[-1] / counts.sum(), LEAST_WEIGHT, 1 - LEAST_WEIGHT)
        return np.append((1 - noise) * self.bank.weigh(weighting, counts[:-1]), noise)

    def log_marginal(self, k: int, data: Any, weights: FloatArray | None) -> float:
        """Return the joint log-likelihood of `data`, if it is assigned to component k, or noise.

        Observations of noise are independent.
        """
        if k < len(self.bank):
            return self.bank.log_marginal(k, data, weights)
        log_densities = self.background.log_prob(data)
        return float(log_densities.sum() if weights is None else weights @ log_densities)


def with_background(bank: Bank, background: Family, weight: float | None) -> Bank:
    """Return components with a background, to which covariates of membership do not apply."""
    return bank.below_gate(lambda own: NoisyBank(own, background, weight))
