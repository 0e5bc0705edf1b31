"""A mixture and its log-likelihood matrix, by which changes of components are evaluated.

A change is evaluated by `fit` and `log_prob` of the components it concerns, on their members only.
The price is a difference of objectives: log-likelihood plus log prior, where the likelihood is that
of the mixture if the family takes weights, and else of observations and their labels together. All
changes of a kind are evaluated together.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ....data import FloatArray, Hard, IntArray, evenly_spaced
from ....families.contract.base import Family
from ...auto import AutoSettings
from ...engine.known_labels import confined
from ...engine.state import MixtureState, Move
from ...engine.training_data import TrainingData
from ...parts.assignment import best_component, classification, log_likelihood

ANY_FREE = -1  # the place of a component that takes whatever place is free, or a new one

Places = tuple[int, ...]


@dataclass(frozen=True)
class Change:
    """New components in the places of old ones.

    Parameters
    ----------
    gain : float
        By how much the objective rises at once, over all observations.
    arrivals : tuple of (int, Family, float)
        Places, the components that come there, and their weights.
    freed : tuple of int
        Places that become free.
    moves : tuple of Move
    """

    gain: float
    arrivals: tuple[tuple[int, Family, float], ...]
    freed: Places
    moves: tuple[Move, ...]

    @property
    def loss(self) -> float:
        """By how much the objective falls at once."""
        return -self.gain

    @property
    def places(self) -> set[int]:
        """The places that change."""
        return {*self.freed, *(place for place, _, _ in self.arrivals)} - {ANY_FREE}

    def __and__(self, other: "Change") -> "Change":
        """Return both changes together."""
        return Change(
            self.gain + other.gain,
            self.arrivals + other.arrivals,
            self.freed + other.freed,
            self.moves + other.moves,
        )

    def applied(self, mixture: MixtureState) -> MixtureState:
        """Return the mixture after the change, which may have more or fewer components."""
        bank, weights, free = mixture.bank, mixture.joint_weights.copy(), list(self.freed)
        components: dict[int, Family] = {}
        added: list[tuple[Family, float]] = []
        weights[free] = 0
        for place, component, weight in self.arrivals:
            if place == ANY_FREE and not free:
                added.append((component, weight))
                continue
            to = free.pop() if place == ANY_FREE else place
            components[to], weights[to] = component, weight
        if not added and not free:
            return mixture.replaced(components).with_joint_weights(weights)
        before = bank.components
        kept = [k for k in range(len(before)) if k not in free]
        after = [components.get(k, before[k]) for k in kept] + [one for one, _ in added]
        more = [weight for _, weight in added]
        weights = np.concatenate([weights[kept], more, weights[len(before) :]])
        return mixture.with_bank(bank.family.bank(after)).with_joint_weights(weights)


@dataclass(frozen=True)
class EvaluatedMixture:
    """A mixture, and the log-likelihood matrix of some observations under it.

    Parameters
    ----------
    mixture : MixtureState
    data : TrainingData
    joint : array, shape (n, K)
        Log density of each observation under each component, log weight included.
    sample_weight : array, shape (n,)
        One on average.
    settings : AutoSettings
    """

    mixture: MixtureState
    data: TrainingData
    joint: FloatArray
    sample_weight: FloatArray
    settings: AutoSettings

    @classmethod
    def of(
        cls, mixture: MixtureState, data: TrainingData, settings: AutoSettings
    ) -> "EvaluatedMixture":
        """Evaluate a mixture on observations."""
        log_densities, log_weights, _ = mixture.evaluate(data.observations)
        given, n = data.sample_weight, len(data)
        sample_weight = np.ones(n) if given is None else given * (n / data.total_weight)
        joint = confined(log_densities, data.known_labels) + log_weights
        return cls(mixture, data, joint, sample_weight, settings)

    def thinned(self, most: int) -> "EvaluatedMixture":
        """Keep at most so many members of each component, evenly spaced.

        Each of these then stands for several, by its sample weight.
        """
        labels = _best(self.joint)
        sizes = np.bincount(labels, minlength=self.joint.shape[1])
        if sizes.max() <= most:
            return self
        members = [Hard(labels, len(sizes)).members(k)[0] for k in range(len(sizes))]
        rows = np.concatenate([own[evenly_spaced(len(own), most)] for own in members])
        rows.sort()
        stands_for = np.maximum(sizes / most, 1.0)[labels[rows]]
        return replace(
            self,
            data=self.data.take(rows),
            joint=self.joint[rows],
            sample_weight=self.sample_weight[rows] * stands_for,
        )

    @property
    def family(self) -> Family:
        """The family of the components."""
        return self.mixture.bank.family

    @property
    def n_components(self) -> int:
        """Number of components, noise not counted."""
        return len(self.mixture.bank.components)

    @property
    def total_weight(self) -> float:
        """Sum of the sample weights."""
        return float(self.sample_weight.sum())

    @property
    def least_members(self) -> int:
        """How many members a new component must have."""
        return least_members(self.family, self.data)

    @cached_property
    def log_prior(self) -> FloatArray:
        """Log prior of each component, shape (K,)."""
        return self.mixture.bank.log_prior

    @cached_property
    def scores(self) -> FloatArray:
        """Log-likelihood of each observation, by which changes are evaluated."""
        return self.scored(self.joint)

    @cached_property
    def responsibilities(self) -> FloatArray:
        """Responsibilities, shape (n, K); zero or one, where the family takes no weights."""
        if self.family.weighted:
            possible = np.where(self.scores > -np.inf, self.scores, np.inf)
            return np.exp(self.joint - possible[:, None])
        return (_best(self.joint)[:, None] == np.arange(self.joint.shape[1])).astype(float)

    def scored(self, joint: FloatArray) -> FloatArray:
        """Return the log-likelihood (n,) of observations with these joint log densities (n, K)."""
        score = log_likelihood if self.family.weighted else classification
        return score(joint, np.zeros(joint.shape[1]))

    def pairs(self) -> list[Places]:
        """Return each component with the one that is second best for most of its members."""
        size = self.joint.shape[1]
        best = _best(self.joint)
        others = self.joint.copy()
        others[np.arange(len(best)), best] = -np.inf
        counts = np.bincount(best.astype(int) * size + _best(others), minlength=size**2)
        counts = counts.reshape(size, size)[: self.n_components, : self.n_components]
        np.fill_diagonal(counts, -1)
        return sorted({(min(k, o), max(k, o)) for k, o in enumerate(map(int, counts.argmax(1)))})

    def neighbours(self, size: int) -> list[Places]:
        """Return each component with those whose responsibilities overlap most with its own."""
        found = self.responsibilities[:, : self.n_components]
        counts = self.sample_weight @ found
        overlap = 4 * (found.T * self.sample_weight) @ found
        overlap /= np.maximum(counts[:, None] + counts, 1e-300)
        np.fill_diagonal(overlap, 0)
        groups = set()
        for k, row in enumerate(overlap):
            others = np.argsort(-row, kind="stable")[: size - 1]
            if len(others) == size - 1 and (row[others] > self.settings.least_overlap).all():
                groups.add(tuple(sorted((k, *map(int, others)))))
        return sorted(groups)


def least_members(family: Family, data: TrainingData) -> int:
    """Return how many members a new component must have.

    Without a prior, twice as many as there are columns, and one: fewer lie close to a plane by
    chance.
    """
    if family.search_hints.regularised:
        return family.min_observations
    return max(family.min_observations, 2 * data.observations.n_features + 1)


def _best(joint: FloatArray) -> IntArray:
    return best_component(joint, np.zeros(joint.shape[1]))
