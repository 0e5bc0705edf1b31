"""K products of families, evaluated and fitted as one bank for all parts of a kind."""

from collections.abc import Sequence
from operator import is_
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...data import (
    BoolArray,
    Columns,
    FloatArray,
    Hard,
    IntArray,
    Membership,
    Table,
    Weights,
    derived_once,
)
from ..contract.bank import Evaluation, Summaries
from ..contract.base import Bank, Family

if TYPE_CHECKING:
    from .product import Product


class ProductBank(Bank):
    """K products, as one bank for each block of parts that one family describes together.

    Parameters
    ----------
    family : Product
        The product that the components have in common.
    pattern : Product
        One of the components, whose parts are alike those of the others but for their parameters.
    banks : sequence of Bank
        One for each of the blocks of `pattern`.
    """

    def __init__(self, family: "Product", pattern: "Product", banks: Sequence[Bank]) -> None:
        self._family = family
        self._pattern = pattern
        self.banks = tuple(banks)

    @classmethod
    def of(cls, family: "Product", products: Sequence["Product"]) -> "ProductBank":
        """Return a bank of products that have `family` in common."""
        blocks = products[0].blocks
        joined = [one.joined_by(blocks) for one in products]
        banks = [own[0].bank(own) for own in zip(*joined, strict=True)]
        return cls(family, products[0], banks)

    def _with(self, banks: Sequence[Bank]) -> Self:
        return type(self)(self._family, self._pattern, banks)

    def _tables(self, data: Columns) -> list[Table]:
        """Return the columns of each block."""
        return [data.together(block) for block in self._pattern.blocks]

    def __len__(self) -> int:
        return len(self.banks[0])

    @property
    def family(self) -> "Product":
        """The product that the components have in common."""
        return self._family

    @derived_once
    def components(self) -> tuple[Family, ...]:
        """The products one by one."""
        members = zip(*(bank.components for bank in self.banks), strict=True)
        return tuple(self._pattern.separated(own, self._family) for own in members)

    def chosen(self, places: Sequence[int] | IntArray) -> "ProductBank":
        return self._with([bank.chosen(places) for bank in self.banks])

    @property
    def n_parameters(self) -> int:
        return sum(bank.n_parameters for bank in self.banks)

    def effective_parameters(self, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return effective numbers of parameters of all parts, and of their observations."""
        numbers, observations = zip(
            *(bank.effective_parameters(sizes) for bank in self.banks), strict=True
        )
        return np.concatenate(numbers), np.concatenate(observations)

    def evaluate(self, data: Columns, *, is_rounded: bool = True) -> Evaluation:
        """Return the log density of each row under each component, shape (n, K)."""
        total = np.zeros((len(data), len(self)))
        parts = []
        for bank, table in zip(self.banks, self._tables(data), strict=True):
            parts.append(bank.evaluate(table, is_rounded=is_rounded))
            total += parts[-1].log_densities

        def summarise(membership: Membership) -> Summaries:
            return Summaries(tuple(one.summarise(membership) for one in parts))

        return Evaluation(total, summarise)

    def log_densities_at(self, data: Columns, membership: Hard) -> FloatArray:
        parts = zip(self.banks, self._tables(data), strict=True)
        return np.sum([bank.log_densities_at(table, membership) for bank, table in parts], axis=0)

    def summarise(self, data: Columns, membership: Membership) -> Summaries:
        """Return the statistics of each part."""
        parts = zip(self.banks, self._tables(data), strict=True)
        return Summaries(tuple(bank.summarise(table, membership) for bank, table in parts))

    def refill(self, statistics: Summaries, k: int, data: Columns, weights: Weights) -> Summaries:
        parts = zip(self.banks, statistics, self._tables(data), strict=True)
        return Summaries(tuple(bank.refill(own, k, some, weights) for bank, own, some in parts))

    @property
    def log_prior(self) -> FloatArray:
        return np.sum([bank.log_prior for bank in self.banks], axis=0)

    def freeze(self, frozen: bool) -> "ProductBank":
        banks = [bank.freeze(frozen) for bank in self.banks]
        return self if all(map(is_, banks, self.banks)) else self._with(banks)

    def fill(self, data: Columns, responsibilities: FloatArray) -> FloatArray:
        """Return all columns, part by part, with missing values replaced by the parts' banks."""
        parts = zip(self.banks, self._tables(data), strict=True)
        filled = [bank.fill(table, responsibilities) for bank, table in parts]
        return np.hstack([filled[block][:, columns] for block, columns in self._pattern.columns_of])

    def update(self, statistics: Any, keep: BoolArray, rng: np.random.Generator) -> "ProductBank":
        parts = zip(self.banks, statistics, strict=True)
        return self._with([bank.update(own, keep, rng) for bank, own in parts])
