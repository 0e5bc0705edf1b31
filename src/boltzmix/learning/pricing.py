"""What it is worth to merge, to remove and to split components, before anything is moved.

A change is priced by `fit` and `log_prob` of the components it concerns, on observations of
theirs only: the log-likelihood is that of the mixture, where the family takes weights, and else
that of observations and their labels together. All changes of a kind are priced together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..data import BoolArray, Data, FloatArray, Hard, IntArray
from ..families.base import Family
from .assignment import best_component, classification, log_likelihood
from .evidence import Evidence, Start
from .known_labels import confined
from .maximisation import maximise, summarise
from .workers import Workers

FREE = -1  # the place of a component that comes to whatever place is free
LEAST_SHARE = 0.2  # of an observation, for it to count as a component's, if others have more
LEAST_OVERLAP = 0.01  # of what two components have, for them to be neighbours

Places = tuple[int, ...]


@dataclass(frozen=True)
class Change:
    """New components in the places of old ones.

    Parameters
    ----------
    gain : float
        By how much the log-likelihood of all observations rises at once.
    arrivals : tuple of (int, Family, float)
        Places, what comes there, and with which weight.
    freed : tuple of int
        Places that are left.
    told : str
        The change in words.
    """

    gain: float
    arrivals: tuple[tuple[int, Family, float], ...]
    freed: Places
    told: str

    @property
    def places(self) -> set[int]:
        """The places that change."""
        return {*self.freed, *(place for place, _, _ in self.arrivals)} - {FREE}

    def __and__(self, other: "Change") -> "Change":
        """Return both changes together."""
        return Change(
            self.gain + other.gain,
            self.arrivals + other.arrivals,
            self.freed + other.freed,
            f"{self.told}, {other.told}",
        )

    def applied(self, mixture: Start) -> Start:
        """Return the mixture after the change."""
        weights, free, components = mixture.weights.copy(), list(self.freed), {}
        weights[free] = 0
        for place, component, weight in self.arrivals:
            to = free.pop() if place == FREE else place
            components[to], weights[to] = component, weight
        return Start(mixture.bank.replaced(components), weights / weights.sum())


@dataclass(frozen=True)
class View:
    """A mixture, and what it makes of some observations.

    Parameters
    ----------
    mixture : Start
    evidence : Evidence
    joint : array, shape (n, K)
        Log density of each observation under each component, log weight included.
    worth : array, shape (n,)
        How much each observation counts, on average one.
    """

    mixture: Start
    evidence: Evidence
    joint: FloatArray
    worth: FloatArray

    @classmethod
    def of(cls, mixture: Start, evidence: Evidence) -> "View":
        """Look at observations through a mixture."""
        values = confined(mixture.bank.log_prob(evidence.data), evidence.known)
        own, n = evidence.sample_weight, len(evidence)
        worth = np.ones(n) if own is None else own * (n / evidence.total)
        return cls(mixture, evidence, values + np.log(mixture.weights), worth)

    def thinned(self, most: int) -> "View":
        """Return a view of so many observations of each component at most, evenly taken."""
        labels = _best(self.joint)
        sizes = np.bincount(labels, minlength=self.joint.shape[1])
        if sizes.max() <= most:
            return self
        members = Hard(labels, len(sizes)).members
        rows = np.concatenate([_evenly(members(k)[0], most) for k in range(len(sizes))])
        rows.sort()
        stands_for = np.maximum(sizes / most, 1.0)[labels[rows]]
        few = Evidence(*self.evidence.part(rows))
        return View(self.mixture, few, self.joint[rows], self.worth[rows] * stands_for)

    @property
    def n_components(self) -> int:
        """Number of components, noise not counted."""
        return len(self.mixture.bank.components)

    @property
    def total(self) -> float:
        """How much all observations count."""
        return float(self.worth.sum())

    @property
    def fewest(self) -> int:
        """How many observations a component must have to be worth making.

        Twice as many as there are columns, and one: fewer lie close to a plane by chance.
        """
        return fewest(self.mixture.bank.family, self.evidence.data)

    @property
    def weighted(self) -> bool:
        """Whether the family takes weights."""
        return self.mixture.bank.family.weighted

    @cached_property
    def scores(self) -> FloatArray:
        """Log-likelihood of each observation, by which changes are priced."""
        return self.scored(self.joint)

    @cached_property
    def shares(self) -> FloatArray:
        """How much of each observation each component has, shape (n, K)."""
        if self.weighted:
            possible = np.where(self.scores > -np.inf, self.scores, np.inf)
            return np.exp(self.joint - possible[:, None])
        return (_best(self.joint)[:, None] == np.arange(self.joint.shape[1])).astype(float)

    def scored(self, joint: FloatArray) -> FloatArray:
        """Return the log-likelihood of observations from their joint values (n, K)."""
        score = log_likelihood if self.weighted else classification
        return score(joint, np.zeros(joint.shape[1]))

    def pairs(self) -> list[tuple[int, int]]:
        """Return each component and whom most of its observations have as second best."""
        size = self.joint.shape[1]
        best = _best(self.joint)
        others = self.joint.copy()
        others[np.arange(len(best)), best] = -np.inf
        counts = np.bincount(best.astype(int) * size + _best(others), minlength=size**2)
        counts = counts.reshape(size, size)[: self.n_components, : self.n_components]
        np.fill_diagonal(counts, -1)
        return sorted({(min(k, o), max(k, o)) for k, o in enumerate(map(int, counts.argmax(1)))})

    def neighbours(self, size: int) -> list[Places]:
        """Return each component with those it shares most observations with, if it does."""
        shares = self.shares[:, : self.n_components]
        counts = self.worth @ shares
        overlap = 4 * (shares.T * self.worth) @ shares
        overlap /= np.maximum(counts[:, None] + counts, 1e-300)
        np.fill_diagonal(overlap, 0)
        groups = set()
        for k, row in enumerate(overlap):
            others = np.argsort(-row, kind="stable")[: size - 1]
            if len(others) == size - 1 and (row[others] > LEAST_OVERLAP).all():
                groups.add(tuple(sorted((k, *map(int, others)))))
        return sorted(groups)

    def merged(self, rng: np.random.Generator, workers: Workers) -> list[Change]:
        """Return the changes that put one component in the place of two neighbours."""
        bank, weights = self.mixture
        own = Holdings.of(self, self.pairs()).with_at_least(bank.family.min_observations)
        if not own.groups:
            return []
        by_weight = [sorted(pair, key=lambda k: -weights[k]) for pair in own.groups]
        start = bank.family.bank([bank.components[stays] for stays, _ in by_weight])
        membership = Hard(own.group, len(own.groups), own.weights)
        statistics = summarise(start, own.data, membership, workers)
        kept = np.zeros(len(start), dtype=bool)
        fitted = maximise(start, own.data, statistics, membership, kept, rng, workers)
        values = fitted.log_prob_at(own.data, membership) + np.log(own.group_weights[own.group])
        return [
            Change(gain, ((stays, component, weight),), (goes,), f"merge {stays} and {goes}")
            for gain, (stays, goes), component, weight in zip(
                own.gains(values).tolist(), by_weight, fitted.components,
                own.group_weights.tolist(), strict=True,
            )
        ]  # fmt: skip

    def removed(self) -> list[Change]:
        """Return the changes that leave a component's observations to the others."""
        own = Holdings.of(self, [(k,) for k in range(self.n_components)])
        small = np.where(self.shares > LEAST_SHARE, 0.0, self.shares)[:, : self.n_components]
        gains = own.gains(np.full(len(own.rows), -np.inf)) + self.worth @ np.log1p(-small)
        with np.errstate(divide="ignore"):
            gains -= self.total * np.log(self.mixture.weights.sum() - own.group_weights)
        return [
            Change(gain, (), (place,), f"re-seed {place}")
            for place, gain in enumerate(gains.tolist())
        ]


@dataclass(frozen=True)
class Holdings:
    """What groups of components have of the observations, group by group.

    Parameters
    ----------
    view : View
    groups : sequence of tuples of int
        Components by their places; all groups have as many.
    rows : array of int, shape (e,)
        Observations that a group has, if their label is not known; one may be here more than once.
    group : array of int, shape (e,)
        The group that has it.
    share : array, shape (e,)
        How much of it.
    """

    view: View
    groups: Sequence[Places]
    rows: IntArray
    group: IntArray
    share: FloatArray

    @classmethod
    def of(cls, view: View, groups: Sequence[Places]) -> "Holdings":
        """Look up what groups have."""
        shares, known = view.shares, view.evidence.known
        if known is not None:
            shares = np.where((known < 0)[:, None], shares, 0.0)
        least = np.minimum(LEAST_SHARE, np.where(shares.any(axis=1), shares.max(axis=1), np.inf))
        totals = np.empty((len(groups), len(shares)))
        for place, members in enumerate(groups):
            totals[place] = shares[:, members].sum(axis=1)
        group, rows = np.nonzero(totals >= least)
        return cls(view, groups, rows, group.astype(np.int32), totals[group, rows])

    def with_at_least(self, size: float) -> "Holdings":
        """Return the groups that have so many observations."""
        large = np.minimum(self.totals, self.sizes) >= size
        if large.all():
            return self
        return Holdings.of(self.view, [self.groups[int(place)] for place in np.flatnonzero(large)])

    def repeated(self, times: int) -> "Holdings":
        """Return the groups with what they have, so many times over."""
        group = self.group + np.arange(times, dtype=np.int32)[:, None] * np.int32(len(self.groups))
        rows, share = np.tile(self.rows, times), np.tile(self.share, times)
        several = Holdings(self.view, [*self.groups] * times, rows, group.ravel(), share)
        several.__dict__["rest"] = np.tile(self.rest, times)  # which is dear
        return several

    def outlying(self, tail: float) -> BoolArray:
        """Return which observations are the least likely ones of their group, by its first member.

        They are a share `tail` of a group's observations, but enough to make a component of.
        """
        firsts = np.array([members[0] for members in self.groups])[self.group]
        with np.errstate(divide="ignore", invalid="ignore"):
            values = self.view.joint[self.rows, firsts] - np.log(self.view.mixture.weights[firsts])
        order, begins = np.lexsort((values, self.group)), np.cumsum(self.sizes) - self.sizes
        ranks = np.empty(len(order), dtype=int)
        ranks[order] = np.arange(len(order)) - begins[self.group]
        return ranks < np.maximum(tail * self.sizes, self.view.fewest)[self.group]

    @cached_property
    def data(self) -> Data:
        """The observations."""
        return self.view.evidence.data.take(self.rows)

    @cached_property
    def worth(self) -> FloatArray:
        """How much the observations count."""
        return self.view.worth[self.rows]

    @cached_property
    def weights(self) -> FloatArray | None:
        """How much they count when a component is fitted, if the family takes weights."""
        return self.share * self.worth if self.view.weighted else None

    @cached_property
    def sizes(self) -> IntArray:
        """How many observations each group has."""
        return np.bincount(self.group, minlength=len(self.groups))

    @cached_property
    def totals(self) -> FloatArray:
        """How much of the observations each group has."""
        return self._summed(self.share * self.worth)

    @cached_property
    def group_weights(self) -> FloatArray:
        """Mixing weight of each group."""
        return np.array([self.view.mixture.weights[[*members]].sum() for members in self.groups])

    @cached_property
    def rest(self) -> FloatArray:
        """Log-likelihood of each observation without the group."""
        joint = self.view.joint[self.rows]
        np.put_along_axis(joint, np.array(self.groups)[self.group], -np.inf, axis=1)
        return self.view.scored(joint)

    def gains(self, values: FloatArray) -> FloatArray:
        """Return how much the log-likelihood rises if what is in the group's place has these.

        Parameters
        ----------
        values : array, shape (e,)
            Log densities of the observations under it, log weight included.
        """
        together = np.logaddexp if self.view.weighted else np.maximum
        before = self.view.scores[self.rows]
        possible = before > -np.inf
        rises = np.zeros(len(before))
        rises[possible] = (together(self.rest, values) - before)[possible]
        return self._summed(self.worth * rises)

    def _summed(self, values: FloatArray) -> FloatArray:
        sums = np.bincount(self.group, values, minlength=len(self.groups))
        return np.asarray(sums, dtype=float)


def fewest(family: Family, data: Data) -> int:
    """Return how many observations a component must have to be worth making."""
    return max(family.min_observations, 2 * data.n_features + 1)


def _evenly(indices: IntArray, most: int) -> IntArray:
    if len(indices) <= most:
        return indices
    return indices[np.linspace(0, len(indices) - 1, most).astype(int)]


def _best(joint: FloatArray) -> IntArray:
    return best_component(joint, np.zeros(joint.shape[1]))
