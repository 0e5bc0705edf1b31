"""Families whose observations fall into the cells of a table of probabilities."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any, Self, cast

import numpy as np
from scipy.sparse import csr_array

from ...data import BoolArray, Data, FloatArray, Hard, IntArray, Membership, Rng, Weights
from ..contract.bank import Evaluation
from ..contract.base import Bank, Family
from ..contract.capabilities import AdditiveFamily
from ..contract.search_hints import SearchHints
from .additive_fits import fit_prepared
from .pooled_frequencies import (
    PRIOR,
    log_densities,
    log_density,
    pooled_frequencies,
    with_search_prior,
)


class CellFamily(AdditiveFamily):
    """A family whose observations fall into cells of a table of probabilities.

    Write ``cells(data)``, ``table``, ``allowed`` and ``with_table``. Statistics are the total
    weights of the cells, an array of the table's shape. Subclasses are frozen dataclasses with the
    fields annotated here. The prior is that of `boltzmix.families.columns.pooled_frequencies`.
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

    @abstractmethod
    def with_table(self, table: FloatArray, counts: FloatArray) -> Self:
        """Return this component with other probabilities, which were found from these counts."""

    def from_statistics(self, statistics: FloatArray, rng: Rng = None) -> Self:
        """Return the most probable component, given counts."""
        return self.with_table(self.most_probable(statistics), statistics)

    @cached_property
    def log_table(self) -> FloatArray:
        """Logarithms of the probabilities of all cells, shape (cells,)."""
        with np.errstate(divide="ignore"):
            return np.log(self.table.ravel())

    def log_prob(self, data: Data) -> FloatArray:
        return self.cells(data) @ self.log_table

    def summarise(self, data: Data, weights: Weights = None) -> Any:
        """Return the total weight of each cell, in the table's shape."""
        weights = np.ones(len(data)) if weights is None else weights
        return (self.cells(data).T @ weights).reshape(self.allowed.shape)

    def pooled_frequencies(self, data: Data, weights: Weights = None) -> FloatArray | None:
        """Return the frequencies in all the data that the prior pulls to; None without a prior."""
        if self.prior == 0:
            return None
        return pooled_frequencies(self.summarise_blocks(data, weights), self.allowed)

    def most_probable(self, counts: FloatArray) -> FloatArray:
        """Return the most probable table, or several, given counts of its shape and the prior."""
        allowed = self.allowed
        if self.prior > 0:
            pooled = self.frequencies
            pooled = pooled_frequencies(counts, allowed) if pooled is None else pooled
            counts = counts + self.prior * pooled
        nothing = counts.sum(axis=-1, keepdims=True) == 0
        counts = np.where(nothing, allowed, counts)
        return np.asarray(counts / counts.sum(axis=-1, keepdims=True))

    @property
    def search_hints(self) -> SearchHints:
        """Hints by which a search learns with a prior."""
        return with_search_prior(self, super().search_hints, PRIOR, "frequencies")

    @property
    def log_prior(self) -> float:
        """Log density of the prior at the probabilities, but for a constant."""
        if self.prior == 0 or self.frequencies is None:
            return 0.0
        return self.prior * log_density(self.frequencies, self.table)

    def bank(self, components: Sequence[Family]) -> "CellBank":
        return CellBank(components)


class CellBank(Bank):
    """K components whose observations fall into the same cells."""

    @property
    def family(self) -> CellFamily:
        return cast(CellFamily, self.components[0])

    @cached_property
    def log_tables(self) -> FloatArray:
        """Logarithms of the probabilities of all cells, shape (cells, K)."""
        members = cast(Sequence[CellFamily], self.components)
        return np.stack([one.log_table for one in members], axis=1)

    def evaluate(self, data: Data, *, is_rounded: bool = True) -> Evaluation:
        """Return the log probability of each observation under each component, shape (n, K)."""
        cells = self.family.cells(data)
        return Evaluation(cells @ self.log_tables, partial(self._counted, cells))

    def log_densities_at(self, data: Data, membership: Hard) -> FloatArray:
        """Return the log probability of each observation under its own component, shape (n,)."""
        cells = self.family.cells(data)
        owners = np.repeat(membership.labels, np.diff(cells.indptr))
        cells.data *= self.log_tables[cells.indices, owners]
        return np.asarray(cells.sum(axis=1))

    @property
    def log_prior(self) -> FloatArray:
        frequencies, prior = self.family.frequencies, self.family.prior
        if prior == 0 or frequencies is None:
            return np.zeros(len(self))
        members = cast(Sequence[CellFamily], self.components)
        return prior * log_densities(frequencies, np.stack([one.table for one in members]))

    def summarise(self, data: Data, membership: Membership) -> FloatArray:
        """Return the total weight of each cell in each component, shape (K, rows, codes)."""
        return self._counted(self.family.cells(data), membership)

    def _counted(self, cells: csr_array, membership: Membership) -> FloatArray:
        """Return `summarise`, given the cells of the observations."""
        k, shape = len(self), self.family.allowed.shape
        if isinstance(membership, Hard):
            sizes, n_cells = np.diff(cells.indptr), cells.shape[1]
            weights = cells.data
            if membership.weights is not None:
                weights = weights * np.repeat(membership.weights, sizes)
            places = np.repeat(membership.labels.astype(np.int64) * n_cells, sizes) + cells.indices
            counts = np.bincount(places, weights, k * n_cells)
        else:
            counts = np.ascontiguousarray((cells.T @ membership.responsibilities).T)
        return np.asarray(counts.reshape(k, *shape))

    def refill(self, statistics: FloatArray, k: int, data: Data, weights: Weights) -> FloatArray:
        changed = statistics.copy()
        changed[k] = self.family.summarise(data, weights)
        return changed

    def update(
        self, statistics: FloatArray, keep: BoolArray, rng: np.random.Generator
    ) -> "CellBank":
        members = cast(Sequence[CellFamily], self.components)
        tables = self.family.most_probable(statistics)
        parts = zip(members, tables, statistics, keep, strict=True)
        updated = [
            one if kept else one.with_table(table, counts) for one, table, counts, kept in parts
        ]
        return self.family.bank(updated)


def draw_codes(probabilities: FloatArray, n: int, rng: np.random.Generator) -> IntArray:
    """Draw n codes, all from the only row of `probabilities` or each from its own, shape (n,)."""
    cumulated = np.cumsum(probabilities, axis=1)
    return (rng.random((n, 1)) * cumulated[:, -1:] >= cumulated).sum(axis=1)
