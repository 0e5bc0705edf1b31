"""Splits of many groups at once, as one mixture for the loop.

Each group of components is fitted anew by so many *pieces*. One bank has the pieces of all groups,
and a member of a group is evaluated under the pieces of its own group only, so the log-likelihood
matrix has one column per piece of a group. Labels, weights and temperatures are those of the pieces
and groups: pieces g, g + G, g + 2 G, … are those of group g.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ... import kernels
from ...data import BoolArray, Data, FloatArray, Hard, IntArray
from ...families.base import Bank, Family
from ..engine.e_step import Assignment, Draw
from ..engine.m_step import maximise
from ..engine.state import MixtureState
from ..engine.workers import Workers
from ..parts.assignment import responsibilities
from .groups import Groups

COLDEST = 1e-300


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

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.observations.n_features

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of the columns."""
        return self.observations.feature_names

    @property
    def mean_size(self) -> float:
        """Mean number of steps in an observation."""
        return self.observations.mean_size

    def take(self, indices: IntArray | BoolArray | slice) -> "GroupedData":
        """Return all members: they are always one block."""
        return self

    def blocks(self, n_components: int) -> list[slice]:
        """Return the place of the one block."""
        return [slice(0, len(self))]

    def as_vectors(self) -> FloatArray:
        """Return one vector per member."""
        return self.observations.as_vectors()

    def count_distinct(self, enough: int) -> int:
        """Count the distinct members."""
        return self.observations.count_distinct(enough)

    def fitted(self, pieces: IntArray, rng: np.random.Generator, workers: Workers) -> MixtureState:
        """Return the pieces fitted to members with these labels (e,), from their first component.

        A piece with too few members stays as that component is.
        """
        components = self.groups.priced.mixture.bank.components
        firsts = [components[members[0]] for members in self.groups.places]
        family = self.groups.priced.family
        bank = PieceBank(family.bank(firsts * self.n_pieces), self)
        membership = PieceLabels(self.labels(pieces), len(bank), self.groups.fitting_weight)
        kept = bank.too_small(membership.sizes, bank.family.min_observations)
        statistics = bank.summarise(self, membership)
        fitted = maximise(bank, self, statistics, membership, kept, rng, workers)
        return MixtureState(fitted, fitted.weigh(_ignored, membership.counts))


class PieceBank(Bank):
    """The pieces of all groups.

    Parameters
    ----------
    bank : Bank
        Of m G components.
    data : GroupedData
    """

    def __init__(self, bank: Bank, data: GroupedData) -> None:
        self.bank = bank
        self.data = data

    def __len__(self) -> int:
        return len(self.bank)

    @property
    def family(self) -> Family:
        """The family of the pieces."""
        return self.bank.family

    @property
    def components(self) -> tuple[Family, ...]:  # type: ignore[override]
        """All pieces."""
        return self.bank.components

    def log_prob(self, data: GroupedData) -> FloatArray:
        """Return the log density of each member under the pieces of its group, shape (e, m)."""
        everyone = Hard(data.labels_of_copies, len(self))
        return self.bank.log_prob_at(data.copies, everyone).reshape(data.n_pieces, -1).T

    def summarise(self, data: GroupedData, membership: Hard) -> Any:  # type: ignore[override]
        """Return the statistics of the members of each piece."""
        has_copies = len(membership.labels) > len(data)
        return self.bank.summarise(data.copies if has_copies else data.observations, membership)

    def update(self, statistics: Any, keep: BoolArray, rng: np.random.Generator) -> "PieceBank":
        """Return the pieces fitted to statistics; those in `keep` stay as they are."""
        return PieceBank(self.bank.update(statistics, keep, rng), self.data)

    def freeze(self, frozen: bool) -> "PieceBank":
        """Return the pieces with frozen hyper-parameters, or free to learn them."""
        return PieceBank(self.bank.freeze(frozen), self.data)

    def weigh(
        self, weighting: Callable[[FloatArray], FloatArray], counts: FloatArray
    ) -> FloatArray:
        """Return mixing weights (m G,): those of the groups, divided among their pieces."""
        groups = self.data.groups
        by_group = counts.reshape(-1, len(groups))
        weights = by_group / np.maximum(by_group.sum(axis=0), COLDEST) * groups.weights
        return np.asarray(weights.ravel(), dtype=float)


def _ignored(counts: FloatArray) -> FloatArray:
    """Stand in for a weighting where pieces have a rule of their own."""
    return counts


def joint_of(data: GroupedData, log_probs: FloatArray, log_weights: FloatArray) -> FloatArray:
    """Return log densities plus log weights of the members' own pieces, shape (m, e)."""
    by_group = log_weights.reshape(data.n_pieces, -1)
    return np.asarray(log_probs.T + by_group[:, data.groups.group])


def drawn(data: GroupedData, is_hot: FloatArray) -> Assignment:
    """Draw a piece for every member, at a temperature of its group.

    It is the temperature of the step times the mean difference between the best and the second
    best log density of the group's members, so it has no units.

    Parameters
    ----------
    data : GroupedData
    is_hot : array, shape (G,)
        One for groups that explore; zero for groups whose members go to their best piece.
    """
    group, n_pieces = data.groups.group, data.n_pieces

    def assign(
        log_probs: FloatArray,
        log_weights: FloatArray,
        temperature: float,
        draw: Draw,
        weights: FloatArray | None,
    ) -> tuple[Hard, FloatArray]:
        columns = log_probs.T
        best = columns.max(axis=0)
        heat = np.maximum(temperature * is_hot * _mean_margins(data.groups, columns), COLDEST)
        with np.errstate(invalid="ignore", over="ignore"):
            below = np.nan_to_num(columns - best, nan=0.0, neginf=-np.inf) / heat[group]
        pieces = np.empty(len(group), dtype=np.int32)
        kernels.assignment.draw_labels(below, np.zeros(n_pieces), 1.0, draw(), pieces)
        return PieceLabels(data.labels(pieces), len(log_weights), weights), best

    return assign


def soft(data: GroupedData) -> Assignment:
    """Give every piece its responsibility for the members of its group."""

    def assign(
        log_probs: FloatArray,
        log_weights: FloatArray,
        temperature: float,
        draw: Draw,
        weights: FloatArray | None,
    ) -> tuple[Hard, FloatArray]:
        joint = joint_of(data, log_probs, log_weights)
        found, scores = responsibilities(joint.T, np.zeros(data.n_pieces))
        copies = (found.T if weights is None else weights * found.T).ravel()
        return PieceLabels(data.labels_of_copies, len(log_weights), copies), scores

    return assign


def argmax(data: GroupedData) -> Assignment:
    """Assign every member to the best piece of its group."""

    def assign(
        log_probs: FloatArray,
        log_weights: FloatArray,
        temperature: float,
        draw: Draw,
        weights: FloatArray | None,
    ) -> tuple[Hard, FloatArray]:
        joint = joint_of(data, log_probs, log_weights)
        labels = data.labels(joint.argmax(axis=0))
        return PieceLabels(labels, len(log_weights), weights), joint.max(axis=0)

    return assign


def _mean_margins(groups: Groups, log_probs: FloatArray) -> FloatArray:
    """Return by how much the best piece of a member is better, as a mean by groups (G,)."""
    best, second = log_probs[0], np.full(log_probs.shape[1], -np.inf)
    for more in log_probs[1:]:
        second = np.maximum(second, np.minimum(best, more))
        best = np.maximum(best, more)
    with np.errstate(invalid="ignore"):
        margins = best - second
    margins[~np.isfinite(margins)] = 0
    sums = np.bincount(groups.group, margins, minlength=len(groups))
    return np.asarray(sums / np.maximum(groups.sizes, 1))
