"""Splits of many groups at once, as one mixture for the loop.

Each group of components is fitted again by so many *pieces*. One bank has the pieces of all groups,
and a member of a group is evaluated under the pieces of its own group only, so the log-likelihood
matrix has one column per piece of a group. Labels, weights and temperatures are those of the pieces
and groups: pieces g, g + G, g + 2 G, … are those of group g.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np

from ....data import BoolArray, Data, FloatArray, Hard, IntArray, Membership
from ....families.contract.base import Bank
from ...engine.assigned import Kept
from ...engine.m_step import maximise
from ...engine.state import GateRows, Joint, MixtureState, T
from ...engine.training_data import TrainingData
from ...engine.workers import Workers
from ...parts.weights import learned
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
class GroupedData:
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

    @property
    def mean_size(self) -> float:
        """Mean number of steps in an observation."""
        return self.observations.mean_size

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
        components = self.groups.evaluated.mixture.bank.components
        firsts = [components[members[0]] for members in self.groups.places]
        family = self.groups.evaluated.family
        bank = family.bank(firsts * self.n_pieces).freeze(True)
        membership = PieceLabels(self.labels(pieces), len(bank), self.groups.fitting_weight)
        start = self.mixture(bank, membership.counts)
        kept = membership.sizes < family.min_observations
        data, (statistics, _) = TrainingData(cast(Any, self)), start.summarise(self, membership)
        fitted = maximise(start, data, statistics, Kept(membership), kept, kept, rng, workers)
        return start.with_bank(fitted)

    def mixture(self, bank: Bank, counts: FloatArray) -> "PieceMixture":
        """Return pieces as a mixture, given the total weights (m G,) of their members."""
        return PieceMixture(bank, np.zeros(len(bank)), data=self).weighed(learned, counts)


@dataclass(frozen=True)
class PieceMixture(MixtureState):
    """The pieces of all groups, m G components, as a mixture.

    A member is evaluated under the pieces of its own group only.

    Parameters
    ----------
    data : GroupedData
    """

    data: GroupedData = field(kw_only=True)

    def evaluate(self, data: GroupedData, *, is_rounded: bool = True) -> Joint:
        """Return the log density of each member under the pieces of its group, shape (e, m)."""
        everyone = Hard(data.labels_of_copies, len(self.bank))
        found = self.bank.log_densities_at(data.copies, everyone)
        return Joint(found.reshape(data.n_pieces, -1).T, self.log_weights)

    def summarise(
        self, data: GroupedData, membership: Membership, joint: Joint | None = None
    ) -> tuple[Any, GateRows]:
        """Return the statistics of the members of each piece."""
        assert isinstance(membership, Hard)
        has_copies = len(membership.labels) > len(data)
        members = data.copies if has_copies else data.observations
        if joint is None:
            return self.bank.summarise(members, membership), []
        found = joint.log_densities.T
        if has_copies:
            found = found.ravel()
        else:
            found = found[membership.labels // len(data.groups), np.arange(len(data))]
        return self.bank.summarise_at(members, membership, found), []

    def weighed(
        self, weighting: Callable[[FloatArray], FloatArray], counts: FloatArray
    ) -> "PieceMixture":
        """Return the pieces with the weights of groups, divided among them by counts (m G,)."""
        groups = self.data.groups
        by_group = counts.reshape(-1, len(groups))
        weights = by_group / np.maximum(by_group.sum(axis=0), TINY) * groups.weights
        return replace(self, weights=np.asarray(weights.ravel(), dtype=float))
