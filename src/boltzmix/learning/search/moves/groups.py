"""Members of groups of components, group by group."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ....data import BoolArray, Data, FloatArray, IntArray
from ...engine.state import Move
from .pricing import Change, EvaluatedMixture, Places


@dataclass(frozen=True)
class Groups:
    """Groups of components, and the members of each.

    Parameters
    ----------
    evaluated : EvaluatedMixture
    places : sequence of tuples of int
        The components of each group; all groups have as many.
    rows : array of int, shape (e,)
        Members, if their label is not known; an observation may be a member of several groups.
    group : array of int, shape (e,)
        The group of each member, in rising order.
    responsibility : array, shape (e,)
        Of the group for the member.
    """

    evaluated: EvaluatedMixture
    places: Sequence[Places]
    rows: IntArray
    group: IntArray
    responsibility: FloatArray

    @classmethod
    def of(cls, evaluated: EvaluatedMixture, places: Sequence[Places]) -> "Groups":
        """Look up the members of groups."""
        found, known = evaluated.responsibilities, evaluated.data.known_labels
        if known is not None:
            found = np.where((known < 0)[:, None], found, 0.0)
        largest = np.where(found.any(axis=1), found.max(axis=1), np.inf)
        least = np.minimum(evaluated.settings.least_responsibility, largest)
        totals = np.empty((len(places), len(found)))
        for group, members in enumerate(places):
            totals[group] = found[:, members].sum(axis=1)
        owner, rows = np.nonzero(totals >= least)
        return cls(evaluated, places, rows, owner.astype(np.int32), totals[owner, rows])

    def __len__(self) -> int:
        return len(self.places)

    def with_at_least(self, size: float) -> "Groups":
        """Return the groups that have so many members."""
        large = np.minimum(self.totals, self.sizes) >= size
        if large.all():
            return self
        return Groups.of(self.evaluated, [self.places[int(g)] for g in np.flatnonzero(large)])

    def repeated(self, times: int) -> "Groups":
        """Return the groups with their members, so many times over."""
        group = self.group + np.arange(times, dtype=np.int32)[:, None] * np.int32(len(self))
        rows, found = np.tile(self.rows, times), np.tile(self.responsibility, times)
        several = Groups(self.evaluated, [*self.places] * times, rows, group.ravel(), found)
        several.__dict__["rest"] = np.tile(self.rest, times)  # which is expensive to compute
        return several

    def outlying(self, tail: float) -> BoolArray:
        """Return which members are the least likely ones of their group, by its first component.

        They are a fraction `tail` of a group's members, but enough to make a component of.
        """
        firsts = np.array([members[0] for members in self.places])[self.group]
        weights = self.evaluated.mixture.weights
        with np.errstate(divide="ignore", invalid="ignore"):
            log_probs = self.evaluated.joint[self.rows, firsts] - np.log(weights[firsts])
        order, begins = np.lexsort((log_probs, self.group)), np.cumsum(self.sizes) - self.sizes
        ranks = np.empty(len(order), dtype=int)
        ranks[order] = np.arange(len(order)) - begins[self.group]
        return ranks < np.maximum(tail * self.sizes, self.evaluated.least_members)[self.group]

    @cached_property
    def observations(self) -> Data:
        """The members."""
        return self.evaluated.data.observations.take(self.rows)

    @cached_property
    def sample_weight(self) -> FloatArray:
        """Sample weights of the members."""
        return self.evaluated.sample_weight[self.rows]

    @cached_property
    def fitting_weight(self) -> FloatArray | None:
        """Weights of the members in a fit, if the family takes weights."""
        if not self.evaluated.family.weighted:
            return None
        return self.responsibility * self.sample_weight

    @cached_property
    def sizes(self) -> IntArray:
        """Number of members of each group."""
        return np.bincount(self.group, minlength=len(self))

    @cached_property
    def totals(self) -> FloatArray:
        """Total responsibility of each group for its members."""
        return self._summed(self.responsibility * self.sample_weight)

    @cached_property
    def weights(self) -> FloatArray:
        """Mixing weight of each group."""
        weights = self.evaluated.mixture.weights
        return np.array([weights[[*members]].sum() for members in self.places])

    @cached_property
    def rest(self) -> FloatArray:
        """Log-likelihood of each member without its group."""
        joint = self.evaluated.joint[self.rows]
        np.put_along_axis(joint, np.array(self.places)[self.group], -np.inf, axis=1)
        return self.evaluated.scored(joint)

    @cached_property
    def log_prior(self) -> FloatArray:
        """Log prior of the components of each group, shape (G,)."""
        return self.evaluated.log_prior[np.array(self.places)].sum(axis=1)

    def gains(self, joint: FloatArray, log_prior: FloatArray | float = 0.0) -> FloatArray:
        """Return how much the objective rises if each group is replaced, shape (G,).

        Parameters
        ----------
        joint : array, shape (e,)
            Log densities of the members under the replacement, log weight included.
        log_prior : array, shape (G,)
            Log prior of the replacement; zero where nothing replaces the group.
        """
        together = np.logaddexp if self.evaluated.family.weighted else np.maximum
        before = self.evaluated.scores[self.rows]
        possible = before > -np.inf
        rises = np.zeros(len(before))
        rises[possible] = (together(self.rest, joint) - before)[possible]
        return self._summed(self.sample_weight * rises) + log_prior - self.log_prior

    def _summed(self, values: FloatArray) -> FloatArray:
        sums = np.bincount(self.group, values, minlength=len(self))
        return np.asarray(sums, dtype=float)


def removals(evaluated: EvaluatedMixture) -> list[Change]:
    """Return the changes that leave a component's members to the others."""
    groups = Groups.of(evaluated, [(k,) for k in range(evaluated.n_components)])
    found = evaluated.responsibilities
    small = np.where(found > evaluated.settings.least_responsibility, 0.0, found)[
        :, : evaluated.n_components
    ]
    impossible = np.full(len(groups.rows), -np.inf)
    gains = groups.gains(impossible) + evaluated.sample_weight @ np.log1p(-small)
    with np.errstate(divide="ignore"):
        gains -= evaluated.total_weight * np.log(
            evaluated.mixture.joint_weights.sum() - groups.weights
        )
    return [
        Change(gain, (), (place,), (Move("reseed", (place,), gain),))
        for place, gain in enumerate(gains.tolist())
    ]
