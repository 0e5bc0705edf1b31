"""The E-step as one pass over the data, block by block."""

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..data import BoolArray, FloatArray, Hard, IntArray, Membership, join
from ..families.base import Bank
from .assignment import Assignment, argmax, log_likelihood, soft
from .evidence import Evidence, Start
from .known_labels import confined
from .randomness import Randomness
from .workers import Workers


@dataclass(frozen=True)
class Expectation:
    """What an E-step found.

    Parameters
    ----------
    statistics : what the bank's `summarise` returns
        What the M-step needs to know of each component's share.
    counts : array, shape (K,)
        Total weight given to each component.
    too_small : array of bool, shape (K,)
        Which components were given too little to be fitted.
    labels : array of int, shape (n,), or None
        The component of each observation, where it has one.
    score : float
        Mean score of an observation.
    membership : Membership or None
        Who belongs to whom; None where one pass over the shares is all the family asks for.
    known : array of int, shape (n,), or None
        Labels that were known before, or minus one.
    """

    statistics: Any
    counts: FloatArray
    too_small: BoolArray
    labels: IntArray | None
    score: float
    membership: Membership | None
    known: IntArray | None = None


class Part(NamedTuple):
    """What an E-step found in one block."""

    statistics: Any
    counts: FloatArray
    sizes: FloatArray
    fewest: float
    membership: Membership | None
    score: float


@dataclass(frozen=True)
class EStep:
    """Evaluate all components on all observations, assign these, and summarise the shares.

    Observations whose label is known are given to their component, whatever the recipe.
    Only the blocks being worked on have a value matrix. A family that is not additive sees all
    observations as one block. Hard memberships are always remembered, soft ones on demand.
    """

    evidence: Evidence
    assignment: Assignment
    randomness: Randomness
    workers: Workers
    remembers: bool = False

    def __call__(
        self, bank: Bank, weights: FloatArray, temperature: float, step: int
    ) -> Expectation:
        """Assign all observations under the components of `bank`."""
        work = partial(self._assign, bank, np.log(weights), temperature, step)
        statistics, memberships = None, []
        counts, sizes, total = np.zeros(len(bank)), np.zeros(len(bank)), 0.0
        for part in self.workers.map(work, self.evidence.data, bank):
            new = part.statistics
            statistics = new if statistics is None else bank.add(statistics, new)
            counts += part.counts
            sizes += part.sizes
            total += part.score
            if part.membership is not None:
                memberships.append(part.membership)
        membership = join(memberships) if memberships else None
        return Expectation(
            statistics=statistics,
            counts=counts,
            too_small=bank.too_small(sizes, part.fewest),
            labels=membership.labels if isinstance(membership, Hard) else None,
            score=float(total / self.evidence.total),
            membership=membership,
            known=self.evidence.known,
        )

    def _assign(
        self, bank: Bank, log_weights: FloatArray, temperature: float, step: int, place: slice
    ) -> Part:
        block, own, known = self.evidence.part(place)
        draw = partial(self.randomness.uniforms, step, place)
        values = confined(bank.log_prob(block), known)
        membership, scores = self.assignment(values, log_weights, temperature, draw, own)
        remembered = self.remembers or isinstance(membership, Hard)
        return Part(
            bank.summarise(block, membership),
            membership.counts,
            membership.sizes,
            membership.least_size(bank.family.min_observations),
            membership if remembered else None,
            float(scores.sum() if own is None else own @ scores),
        )


def mean_log_likelihood(evidence: Evidence, mixture: Start, workers: Workers) -> float:
    """Return the mean log-likelihood of an observation, and of its label if known."""
    if mixture.bank.family.joint:
        return _mean_joint_log_likelihood(evidence, mixture)
    bank, log_weights = mixture.bank, np.log(mixture.weights)

    def total(place: slice) -> float:
        block, own, known = evidence.part(place)
        scores = log_likelihood(confined(bank.log_prob(block), known), log_weights)
        return float(scores.sum() if own is None else own @ scores)

    return sum(workers.map(total, evidence.data, bank)) / evidence.total


def _mean_joint_log_likelihood(evidence: Evidence, mixture: Start) -> float:
    """Return the joint log-likelihood of a mixture whose observations depend on each other.

    Densities of single observations do not add up then. It is that of observations and their best
    labels together; or, where the family takes weights, the variational bound on that of the
    observations whatever their labels: by it curves that stay apart only because every point
    chooses the nearer one are not preferred to curves that cross.
    """
    bank, log_weights = mixture.bank, np.log(mixture.weights)
    assign = soft if bank.family.weighted else argmax
    values = confined(bank.log_prob(evidence.data), evidence.known)
    membership, _ = assign(values, log_weights, 1.0, lambda: np.empty(0), evidence.sample_weight)
    total = membership.entropy + float(membership.counts @ log_weights)
    for k in np.flatnonzero(membership.counts):
        indices, own = membership.members(int(k))
        total += bank.log_marginal(int(k), evidence.data.take(indices), own)
    return total / evidence.total
