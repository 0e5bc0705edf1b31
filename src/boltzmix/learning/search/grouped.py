"""Splits of many groups at once, as one mixture for the loop.

Each group of components is fitted again by so many *pieces*. One bank has the pieces of all groups,
and a member of a group is evaluated under the pieces of its own group only, so the log-likelihood
matrix has one column per piece of a group. Labels, weights and temperatures are those of the pieces
and groups: pieces g, g + G, g + 2 G, … are those of group g.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...data import AroundObservations, BoolArray, Data, FloatArray, Hard, IntArray
from ...families.bank import with_room
from ...families.base import Bank
from ...families.wrapped_bank import WrappedBank
from ..engine.assigned import Kept
from ..engine.m_step import maximise
from ..engine.state import MixtureState, T
from ..engine.training_data import TrainingData
from ..engine.workers import Workers
from ..parts.weights import learned
from .groups import Groups

TINY = 1e-300  # in place of a zero that something is divided by


@dataclass(frozen=True)
class PieceLabels(Hard):
    """Pieces of the members of groups; the size of a piece is the total weight of its members.

    Where responsibilities are soft, there is one label and weight for each member and piece.
    """

    @cached_property
    def sizes(self) -> FloatArray:
        """Total weight of each piece."""
        return self.counts

    def take(self, place: slice) -> "PieceLabels":
        """Return all labels: members of groups are always one block."""
        return self


@dataclass(frozen=True, eq=False)
class GroupedData(AroundObservations):
    """Members of groups, as one block of data.

    Parameters
    ----------
    groups : Groups
    n_pieces : int
        How many components each group is fitted by.
    """

    in_memory: ClassVar[bool] = True
    is_table: ClassVar[bool] = False

    groups: Groups
    n_pieces: int

    def __len__(self) -> int:
        return len(self.groups.rows)

    @property
    def observations(self) -> Data:
        """The members."""
        return self.groups.observations

    @cached_property
    def copies(self) -> Data:
        """The members, once for each piece."""
        return self.observations.take(np.tile(np.arange(len(self)), self.n_pieces))

    @cached_property
    def labels_of_copies(self) -> IntArray:
        """The piece of each copy."""
        return np.concatenate([self.labels(piece) for piece in range(self.n_pieces)])

    def labels(self, pieces: IntArray | int) -> IntArray:
        """Return labels over all groups, from pieces within groups."""
        return self.groups.group + np.int32(len(self.groups)) * np.asarray(pieces, dtype=np.int32)

    def take(self, indices: IntArray | BoolArray | slice) -> "GroupedData":
        """Return all members: they are always one block."""
        return self

    def blocks(self, n_components: int) -> list[slice]:
        """Return the place of the one block."""
        return [slice(0, len(self))]

    def nested_blocks(self, n_components: int) -> list[list[slice]]:
        """Return the place of the one block."""
        return [self.blocks(n_components)]

    def fold(
        self, function: Callable[[Any, slice], T], add: Callable[[T, T], T], n_components: int = 1
    ) -> T:
        """Return the function's result for the one block."""
        return function(self, slice(0, len(self)))

    def fitted(self, pieces: IntArray, rng: np.random.Generator, workers: Workers) -> MixtureState:
        """Return the pieces fitted to members with these labels (e,), from their first component.

        A piece with too few members stays as that component is.
        """
        components = self.groups.priced.mixture.bank.components
        firsts = [components[members[0]] for members in self.groups.places]
        family = self.groups.priced.family
        bank = PieceBank(family.bank(firsts * self.n_pieces).freeze(True), self)
        membership = PieceLabels(self.labels(pieces), len(bank), self.groups.fitting_weight)
        kept = bank.too_small(membership.sizes, bank.family.min_observations)
        data, statistics = TrainingData(self), bank.summarise(self, membership)
        fitted = maximise(bank, data, statistics, Kept(membership), kept, kept, rng, workers)
        return MixtureState(fitted, fitted.weigh(learned, membership.counts))


class PieceBank(WrappedBank):
    """The pieces of all groups.

    Parameters
    ----------
    bank : Bank
        Of m G components.
    data : GroupedData
    """

    def __init__(self, bank: Bank, data: GroupedData) -> None:
        super().__init__(bank)
        self.data = data

    def _with(self, bank: Bank) -> "PieceBank":
        """Return other pieces of the same data."""
        return PieceBank(bank, self.data)

    def log_objective(self, data: GroupedData) -> FloatArray:
        """Return the log density of each member under the pieces of its group, shape (e, m)."""
        return self.evaluate(data)[0]

    def evaluate(self, data: GroupedData, room: int = 0) -> tuple[FloatArray, FloatArray]:
        """Return `log_objective`, and the same for all copies of members, shape (m e,)."""
        everyone = Hard(data.labels_of_copies, len(self))
        found = self.bank.log_objective_at(data.copies, everyone)
        return with_room(found.reshape(data.n_pieces, -1).T, room), found

    def summarise(self, data: GroupedData, membership: Hard) -> Any:  # type: ignore[override]
        """Return the statistics of the members of each piece."""
        has_copies = len(membership.labels) > len(data)
        return self.bank.summarise(data.copies if has_copies else data.observations, membership)

    def summarise_evaluated(
        self,
        data: GroupedData,
        membership: Hard,  # type: ignore[override]
        work: FloatArray,
    ) -> Any:
        """Return `summarise`, given the log objectives of all copies of members."""
        if len(membership.labels) > len(data):
            return self.bank.summarise_at(data.copies, membership, work)
        pieces = membership.labels // len(data.groups)
        own = work.reshape(data.n_pieces, -1)[pieces, np.arange(len(data))]
        return self.bank.summarise_at(data.observations, membership, own)

    def weigh(
        self, weighting: Callable[[FloatArray], FloatArray], counts: FloatArray
    ) -> FloatArray:
        """Return mixing weights (m G,): those of groups, divided among their pieces by counts."""
        groups = self.data.groups
        by_group = counts.reshape(-1, len(groups))
        weights = by_group / np.maximum(by_group.sum(axis=0), TINY) * groups.weights
        return np.asarray(weights.ravel(), dtype=float)
