"""K components of rows in which some columns are taken as logarithms."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...data import (
    BoolArray,
    FloatArray,
    Hard,
    IntArray,
    Membership,
    Table,
    Weights,
    derived,
    derived_once,
)
from ..contract.bank import Bank, Evaluation
from ..contract.base import Family

if TYPE_CHECKING:
    from .logarithms import Logarithms


class LogarithmsBank(Bank):
    """K components of `Logarithms`, as a bank of what describes the logarithms.

    Parameters
    ----------
    template : Logarithms
        Says which columns are replaced.
    bank : Bank
        The components of the logarithms.
    """

    def __init__(self, template: "Logarithms", bank: Bank) -> None:
        self.template = template
        self.bank = bank

    @classmethod
    def of(cls, template: "Logarithms", components: Sequence["Logarithms"]) -> "LogarithmsBank":
        """Return a bank of components that take logarithms of the same columns."""
        first = components[0]
        return cls(template, first.family.bank([one.family for one in components]))

    def _with(self, bank: Bank) -> "LogarithmsBank":
        return LogarithmsBank(self.template, bank)

    def __len__(self) -> int:
        return len(self.bank)

    @property
    def family(self) -> Family:
        """The family that the components have in common."""
        return self.template.of(self.bank.family)

    @derived_once
    def components(self) -> tuple[Family, ...]:
        """The components one by one."""
        return tuple(map(self.template.of, self.bank.components))

    n_columns = derived(lambda self: self.bank.n_columns)
    n_parameters = derived(lambda self: self.bank.n_parameters)
    log_prior = derived(lambda self: self.bank.log_prior)

    def effective_parameters(self, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.bank.effective_parameters(sizes)

    def freeze(self, frozen: bool) -> Bank:
        bank = self.bank.freeze(frozen)
        return self if bank is self.bank else self._with(bank)

    def update(self, statistics: Any, keep: BoolArray, rng: np.random.Generator) -> Bank:
        return self._with(self.bank.update(statistics, keep, rng))

    def replaced(self, components: dict[int, Family]) -> Bank:
        inner = {k: _inner(one) for k, one in components.items()}
        return self._with(self.bank.replaced(inner))

    def chosen(self, places: Sequence[int] | IntArray) -> Bank:
        return self._with(self.bank.chosen(places))

    def evaluate(self, data: Table, *, is_rounded: bool = True) -> Evaluation:
        """Return the log density of each row under each component, shape (n, K)."""
        table = self.template.transformed(data)
        found = self.bank.evaluate(table, is_rounded=is_rounded)
        slopes = self.template.log_slopes(table)[:, None]
        return Evaluation(found.log_densities + slopes, found.summarise)

    def log_densities_at(self, data: Table, membership: Hard) -> FloatArray:
        table = self.template.transformed(data)
        return self.bank.log_densities_at(table, membership) + self.template.log_slopes(table)

    def summarise(self, data: Table, membership: Membership) -> Any:
        return self.bank.summarise(self.template.transformed(data), membership)

    def refill(self, statistics: Any, k: int, data: Table, weights: Weights) -> Any:
        return self.bank.refill(statistics, k, self.template.transformed(data), weights)


def _inner(component: Family) -> Family:
    """Return the component that describes the logarithms."""
    return cast("Logarithms", component).family
