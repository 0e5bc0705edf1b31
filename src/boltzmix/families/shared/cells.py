"""Families whose observations fall into the cells of a table of probabilities."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy.sparse import csr_array

from ...data import BoolArray, FloatArray, Hard, IntArray, Membership
from ..additive import AdditiveFamily
from ..base import Bank, Family
from .copies import replaced
from .pooled_frequencies import PRIOR, log_density, pooled_frequencies
from .statistics import fit_prepared, weighted_one_hot


class CellFamily(AdditiveFamily):
    """A family whose observations fall into cells of a table of probabilities.

    Write ``cells(data)``, ``table``, ``allowed`` and ``from_statistics``. Statistics are the total
    weights of the cells, an array of the table's shape. Subclasses are frozen dataclasses with the
    fields annotated here. The prior is that of `boltzmix.families.shared.pooled_frequencies`.
    """

    distances = False
    prior: float
    frequencies: FloatArray | None
    fit = fit_prepared

    @abstractmethod
    def cells(self, data: Any) -> csr_array:
        """Return how often each observation falls into each cell, shape (n, cells)."""

    @property
    @abstractmethod
    def table(self) -> FloatArray:
        """Probabilities, shape (rows, codes): each row is a distribution."""

    @property
    @abstractmethod
    def allowed(self) -> BoolArray:
        """Which cells exist, of the table's shape."""

    @cached_property
    def log_table(self) -> FloatArray:
        """Logarithms of the probabilities of all cells, shape (cells,)."""
        with np.errstate(divide="ignore"):
            return np.log(self.table.ravel())

    def log_prob(self, data: Any) -> FloatArray:
        """Return the log probability of each observation, shape (n,)."""
        return self.cells(data) @ self.log_table

    def summarise(self, data: Any, weights: FloatArray | None = None) -> Any:
        """Return the total weight of each cell, in the table's shape."""
        weights = np.ones(len(data)) if weights is None else weights
        return (self.cells(data).T @ weights).reshape(self.allowed.shape)

    def pooled_frequencies(self, data: Any, weights: FloatArray | None = None) -> FloatArray | None:
        """Return the frequencies in all the data that the prior pulls to; None without a prior."""
        if self.prior == 0:
            return None
        return pooled_frequencies(self.summarise_blocks(data, weights), self.allowed)

    def most_probable(self, counts: FloatArray) -> FloatArray:
        """Return the most probable table, given counts and the prior."""
        allowed = self.allowed
        if self.prior > 0:
            pooled = self.frequencies
            pooled = pooled_frequencies(counts, allowed) if pooled is None else pooled
            counts = counts + self.prior * pooled
        nothing = counts.sum(axis=1, keepdims=True) == 0
        counts = np.where(nothing, allowed, counts)
        return counts / counts.sum(axis=1, keepdims=True)

    def for_search(self, data: Any, weights: FloatArray | None = None) -> Family:
        """Return this component with a prior: without one, a probability of zero stays zero."""
        if self.prior > 0:
            return self
        return cast(Family, replaced(cast(Any, self), prior=PRIOR)).prepare(data, 1, weights)

    def after_search(self, found: Family) -> Family:
        """Return a component that a search has learned with the prior of this one."""
        return cast(
            Family, replaced(cast(Any, found), prior=self.prior, frequencies=self.frequencies)
        )

    @property
    def log_prior(self) -> float:
        """Log density of the prior at the probabilities, but for a constant."""
        if self.prior == 0 or self.frequencies is None:
            return 0.0
        return self.prior * log_density(self.frequencies, self.table)

    def bank(self, components: Sequence[Family]) -> "CellBank":
        """Return components of this family as a bank."""
        return CellBank(components)


class CellBank(Bank):
    """K components whose observations fall into the same cells."""

    @property
    def family(self) -> CellFamily:
        """One of the components, which knows what all of them have in common."""
        return cast(CellFamily, self.components[0])

    @cached_property
    def log_tables(self) -> FloatArray:
        """Logarithms of the probabilities of all cells, shape (cells, K)."""
        members = cast(Sequence[CellFamily], self.components)
        return np.stack([one.log_table for one in members], axis=1)

    def log_prob(self, data: Any) -> FloatArray:
        """Return the log probability of each observation under each component, shape (n, K)."""
        return self.family.cells(data) @ self.log_tables

    def summarise(self, data: Any, membership: Membership) -> list[FloatArray]:
        """Return the total weight of each cell in each component."""
        shape, cells = self.family.allowed.shape, self.family.cells(data)
        if isinstance(membership, Hard):
            counts = (cells.T @ weighted_one_hot(membership)).toarray()
        else:
            counts = cells.T @ membership.responsibilities
        return [own.reshape(shape) for own in counts.T]


def draw_codes(probabilities: FloatArray, n: int, rng: np.random.Generator) -> IntArray:
    """Draw n codes, all from the only row of `probabilities` or each from its own, shape (n,)."""
    cumulated = np.cumsum(probabilities, axis=1)
    return (rng.random((n, 1)) * cumulated[:, -1:] >= cumulated).sum(axis=1)
