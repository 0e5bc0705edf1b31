"""What it is worth to merge, to remove and to split components, before anything is moved.

A change is priced by `fit` and `log_prob` of the components it concerns, on observations of
theirs only: the log-likelihood is that of the mixture, where the family takes weights, and else
that of observations and their labels together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..data import FloatArray, IntArray
from ..families.base import Family
from .assignment import best_component, classification, log_likelihood
from .evidence import Evidence, Start
from .known_labels import confined

FREE = -1  # the place of a component that comes to whatever place is free
LEAST_SHARE = 0.01  # of an observation, for it to count as a component's
SEEN_OF_EACH = 500  # observations of a component by which changes to it are priced, at most


class Part(NamedTuple):
    """What some components have of the observations.

    Parameters
    ----------
    rows : array of int
        Which observations these are; if they are many, some of them evenly taken.
    evidence : Evidence
        The observations, weighted by what these components have of them where the family takes
        weights.
    thinning : float
        How many observations each of them stands for.
    """

    rows: IntArray
    evidence: Evidence
    thinning: float

    @property
    def total(self) -> float:
        """How many observations these components have."""
        return self.evidence.total * self.thinning


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
    freed: tuple[int, ...]
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
    """

    mixture: Start
    evidence: Evidence
    joint: FloatArray

    @classmethod
    def of(cls, mixture: Start, evidence: Evidence) -> "View":
        """Look at observations through a mixture."""
        values = confined(mixture.bank.log_prob(evidence.data), evidence.known)
        return cls(mixture, evidence, values + np.log(mixture.weights))

    @property
    def n_components(self) -> int:
        """Number of components, noise not counted."""
        return len(self.mixture.bank.components)

    @property
    def fewest(self) -> int:
        """How many observations a component must have to be worth making.

        Twice as many as there are columns, and one: fewer lie close to a plane by chance.
        """
        family = self.mixture.bank.family
        return max(family.min_observations, 2 * self.evidence.data.n_features + 1)

    def pairs(self) -> list[tuple[int, int]]:
        """Return each component and whom most of its observations have as second best."""
        best = _best(self.joint)
        others = self.joint.copy()
        others[np.arange(len(best)), best] = -np.inf
        counts = np.zeros((self.joint.shape[1], self.joint.shape[1]))
        np.add.at(counts, (best, _best(others)), 1)
        counts = counts[: self.n_components, : self.n_components]
        np.fill_diagonal(counts, -1)
        return sorted({(min(k, o), max(k, o)) for k, o in enumerate(map(int, counts.argmax(1)))})

    def overlap(self, pair: tuple[int, int]) -> float:
        """Return how unsure the labels of two components' observations are, between 0 and 1."""
        one, other = (np.exp(self.joint[:, k] - self._totals) for k in pair)
        return float(4 * (one @ other) / max((one + other).sum(), 1e-300))

    def part(self, places: Sequence[int]) -> Part:
        """Return what some components have of the observations whose label is not known."""
        if self._weighted:
            with np.errstate(invalid="ignore"):
                shares = np.exp(self._scores(self.joint[:, places]) - self._scores(self.joint))
        else:
            shares = np.isin(_best(self.joint), places).astype(float)
        own = shares > LEAST_SHARE
        if self.evidence.known is not None:
            own &= self.evidence.known < 0
        everyone = np.flatnonzero(own)
        most = min(SEEN_OF_EACH * len(places), len(everyone))
        rows = everyone[np.linspace(0, len(everyone) - 1, most).astype(int)]
        data, weights, _ = self.evidence.part(rows)
        if self._weighted:
            weights = shares[rows] if weights is None else weights * shares[rows]
        return Part(rows, Evidence(data, weights), len(everyone) / max(most, 1))

    def gain(self, part: Part, columns: dict[int, FloatArray]) -> float:
        """Return how much the log-likelihood rises if some components' joint values are others."""
        joint = np.full((len(part.rows), self.joint.shape[1] + 1), -np.inf)  # the last one is FREE
        joint[:, :-1] = self.joint[part.rows]
        before = self._scores(joint)
        for place, column in columns.items():
            joint[:, place] = column
        possible = before > -np.inf
        rise = self._scores(joint)[possible] - before[possible]
        own = self.evidence.sample_weight
        total = rise.sum() if own is None else own[part.rows][possible] @ rise
        return float(part.thinning * total)

    def merged(self, pair: tuple[int, int], rng: np.random.Generator) -> list[Change]:
        """Return the change that puts one component in the place of two, if there can be one."""
        part, (bank, weights) = self.part(pair), self.mixture
        if len(part.rows) < bank.family.min_observations:
            return []
        stays, goes = sorted(pair, key=lambda k: -weights[k])
        component = bank.components[stays].fit(
            part.evidence.data, weights=part.evidence.sample_weight, rng=rng
        )
        weight = float(weights[stays] + weights[goes])
        values = component.log_prob(part.evidence.data) + np.log(weight)
        gain = self.gain(part, {stays: values, goes: np.full(len(values), -np.inf)})
        told = f"merge {stays} and {goes}"
        return [Change(gain, ((stays, component, weight),), (goes,), told)]

    def removed(self, place: int) -> Change:
        """Return the change that leaves a component's observations to the others."""
        part = self.part((place,))
        gain = self.gain(part, {place: np.full(len(part.rows), -np.inf)})
        rest = np.delete(self.mixture.weights, place).sum()
        gain -= self.evidence.total * float(np.log(rest)) if rest > 0 else np.inf
        return Change(gain, (), (place,), f"re-seed {place}")

    def divided(self, places: tuple[int, ...], part: Part, two: Start) -> Change:
        """Return the change that puts two components in the place of one, or of two."""
        weights = self.mixture.weights[list(places)].sum() * two.weights
        into = (*places, FREE)[:2]
        values = two.bank.log_prob(part.evidence.data) + np.log(weights)
        gain = self.gain(part, dict(zip(into, values.T, strict=True)))
        told = f"split {' and '.join(map(str, places))}" + " anew" * (len(places) == 2)
        return Change(gain, tuple(zip(into, two.bank.components, weights, strict=True)), (), told)

    @cached_property
    def _totals(self) -> FloatArray:
        """Log-likelihood of each observation; zero where it is impossible."""
        totals = log_likelihood(self.joint, np.zeros(self.joint.shape[1]))
        return np.where(totals > -np.inf, totals, 0.0)

    @property
    def _weighted(self) -> bool:
        return self.mixture.bank.family.weighted

    def _scores(self, joint: FloatArray) -> FloatArray:
        score = log_likelihood if self._weighted else classification
        return score(joint, np.zeros(joint.shape[1]))


def _best(joint: FloatArray) -> IntArray:
    return best_component(joint, np.zeros(joint.shape[1]))
