"""A bank with a background: what comes from no component is noise."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..data import BoolArray, FloatArray, IntArray, Membership
from .base import Bank, Family

LEAST_WEIGHT = 10 * float(np.finfo(float).eps)


class NoisyBank(Bank):
    """K components, and after them a background that is never fitted.

    To the loop it is K + 1 components, of which the last is never too small. Its weight is always
    learned: how much noise there is has nothing to do with how many components there are.

    Parameters
    ----------
    bank : Bank
        The components that are fitted.
    background : Family
        What noise comes from, such as `Family.background` returns.
    """

    def __init__(self, bank: Bank, background: Family) -> None:
        self.bank = bank
        self.background = background

    def __len__(self) -> int:
        return len(self.bank) + 1

    @property
    def family(self) -> Family:
        """The family of the components that are fitted."""
        return self.bank.family

    @property
    def components(self) -> tuple[Family, ...]:  # type: ignore[override]
        """The K components that are fitted."""
        return self.bank.components

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of the components that are fitted."""
        return self.bank.n_parameters

    def log_prob(self, data: Any) -> FloatArray:
        """Return the value matrix, the background's values last, shape (n, K + 1)."""
        values = np.empty((len(self), len(data)))
        values[:-1] = self.bank.log_prob(data).T
        values[-1:] = Bank([self.background]).log_prob(data).T
        return values.T

    def freeze(self, frozen: bool) -> Bank:
        """Return these components with their first hyper-parameters, or free to learn them."""
        return NoisyBank(self.bank.freeze(frozen), self.background)

    def summarise(self, data: Any, membership: Membership) -> Any:
        """Return the statistics of each component's share of what is not noise."""
        places, inside = membership.among_first(len(self.bank))
        return self.bank.summarise(data if isinstance(places, slice) else data.take(places), inside)

    def add(self, one: Any, other: Any) -> Any:
        """Return the statistics of two sets of observations together."""
        return self.bank.add(one, other)

    def scale(self, statistics: Any, factor: float) -> Any:
        """Return the statistics of the same observations, with all weights times `factor`."""
        return self.bank.scale(statistics, factor)

    def refill(self, statistics: Any, k: int, data: Any, weights: FloatArray | None) -> Any:
        """Return `statistics` with those of component k replaced by those of `data`."""
        return self.bank.refill(statistics, k, data, weights)

    def update(self, statistics: Any, keep: BoolArray, rng: np.random.Generator) -> Bank:
        """Return the bank fitted to `statistics`; the components in `keep` stay as they are."""
        return NoisyBank(self.bank.update(statistics, keep[:-1], rng), self.background)

    def replaced(self, components: dict[int, Family]) -> Bank:
        """Return the bank with other components in some places; noise stays last."""
        return NoisyBank(self.bank.replaced(components), self.background)

    def chosen(self, places: Sequence[int] | IntArray) -> Bank:
        """Return a bank of the components in some places, in that order; noise stays last."""
        return NoisyBank(self.bank.chosen(places), self.background)

    def too_small(self, sizes: FloatArray, fewest: float) -> BoolArray:
        """Return which components cannot be fitted; the background is never asked to be."""
        return np.append(self.bank.too_small(sizes[:-1], fewest), False)

    def weigh(
        self, weighting: Callable[[FloatArray], FloatArray], counts: FloatArray
    ) -> FloatArray:
        """Return mixing weights, shape (K + 1,): noise has its share, and the others the rest."""
        share = np.clip(counts[-1] / counts.sum(), LEAST_WEIGHT, 1 - LEAST_WEIGHT)
        return np.append((1 - share) * self.bank.weigh(weighting, counts[:-1]), share)

    def log_marginal(self, k: int, data: Any, weights: FloatArray | None) -> float:
        """Return the joint log-likelihood of observations, were they component k's own, or noise.

        Those of noise are independent.
        """
        if k < len(self.bank):
            return self.bank.log_marginal(k, data, weights)
        values = self.background.log_prob(data)
        return float(values.sum() if weights is None else weights @ values)
