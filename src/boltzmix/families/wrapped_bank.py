"""The base class of banks that add something to the components of another bank."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..data import BoolArray, FloatArray, IntArray
from .bank import Bank
from .base import Family
from .gate import Gate


class WrappedBank(Bank):
    """A bank that adds something to the components of another one, and leaves the rest to it.

    Write ``_with``, which adds the same to other components.

    Parameters
    ----------
    bank : Bank
        The components.
    """

    def __init__(self, bank: Bank) -> None:
        self.bank = bank

    @abstractmethod
    def _with(self, bank: Bank) -> "WrappedBank":
        """Return other components, with the same added to them."""

    def __len__(self) -> int:
        return len(self.bank)

    @property
    def family(self) -> Family:
        """One of the components, which knows what all of them have in common."""
        return self.bank.family

    @property
    def components(self) -> tuple[Family, ...]:  # type: ignore[override]
        """The K components that are fitted."""
        return self.bank.components

    @property
    def background(self) -> Family | None:
        """The background distribution of noise, if there is any."""
        return self.bank.background

    def without_background(self) -> Bank:
        """Return the components without their background, if they have one."""
        return self._with(self.bank.without_background())

    @property
    def gate(self) -> Gate | None:
        """The mixing weights given covariates, if they depend on any."""
        return self.bank.gate

    @property
    def n_columns(self) -> int:
        """Numbers that an E-step computes for each row or step."""
        return self.bank.n_columns + len(self) - len(self.bank)

    @property
    def n_passes(self) -> int:
        """How often an M-step summarises the data."""
        return self.bank.n_passes

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of the components that are fitted."""
        return self.bank.n_parameters

    def effective_parameters(self, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return effective numbers of parameters, and of the observations they are learned from."""
        return self.bank.effective_parameters(sizes)

    @property
    def log_prior(self) -> FloatArray:
        """Log density of the prior at the parameters of the components that are fitted, (K,)."""
        return self.bank.log_prior

    def freeze(self, frozen: bool) -> Bank:
        """Return these components with frozen hyper-parameters, or free to learn them."""
        bank = self.bank.freeze(frozen)
        return self if bank is self.bank else self._with(bank)

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
        return self._with(self.bank.update(statistics, keep, rng))

    def replaced(self, components: dict[int, Family]) -> Bank:
        """Return the bank with other components in some places."""
        return self._with(self.bank.replaced(components))

    def with_components(self, components: Sequence[Family]) -> Bank:
        """Return a bank of other components, of any number, with the same added to them."""
        return self._with(self.bank.with_components(components))

    def chosen(self, places: Sequence[int] | IntArray) -> Bank:
        """Return a bank of the components in some places, in that order."""
        return self._with(self.bank.chosen(places))

    def too_small(self, sizes: FloatArray, fewest: float) -> BoolArray:
        """Return which components cannot be fitted, because their size (K,) is below `fewest`."""
        return self.bank.too_small(sizes, fewest)

    def weigh(
        self, weighting: Callable[[FloatArray], FloatArray], counts: FloatArray
    ) -> FloatArray:
        """Return mixing weights (K,), from the total responsibility (K,) of each component."""
        return self.bank.weigh(weighting, counts)
