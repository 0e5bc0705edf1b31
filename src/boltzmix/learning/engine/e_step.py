"""The E-step as one pass over the data, block by block."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...data import BoolArray, FloatArray, Hard, IntArray, Membership, join
from ...families.base import Bank
from .known_labels import confined
from .randomness import Randomness
from .training_data import TrainingData
from .workers import Workers

Draw = Callable[[], FloatArray]
Assignment = Callable[
    [FloatArray, FloatArray, float, Draw, FloatArray | None], tuple[Membership, FloatArray]
]


@dataclass(frozen=True)
class Expectation:
    """The result of an E-step.

    Parameters
    ----------
    statistics : what the bank's `summarise` returns
        The statistics of each component's members, for the M-step.
    counts : array, shape (K,)
        Total responsibility of each component.
    sizes : array, shape (K,)
        Number of members of each component where labels are hard, else as `counts`.
    least_size : float
        A component of a smaller size is not fitted.
    total_score : float
        Sum of the scores of all observations, each times its sample weight.
    membership : Membership or None
        Labels or responsibilities. None where they are soft and the M-step takes a single pass.
    """

    statistics: Any
    counts: FloatArray
    sizes: FloatArray
    least_size: float
    total_score: float
    membership: Membership | None

    @property
    def labels(self) -> IntArray | None:
        """The component of each observation, shape (n,), where labels are hard."""
        return self.membership.labels if isinstance(self.membership, Hard) else None

    def too_small(self, bank: Bank) -> BoolArray:
        """Return which components have too few members to be fitted, shape (K,)."""
        return bank.too_small(self.sizes, self.least_size)


def expect(
    data: TrainingData,
    bank: Bank,
    weights: FloatArray,
    temperature: float,
    assign: Assignment,
    randomness: Randomness,
    step: int,
    workers: Workers,
) -> Expectation:
    """Evaluate all components on all observations, assign these, and sum up the statistics.

    Observations whose label is known are assigned to their component, whatever the recipe. The
    log-likelihood matrix exists for the blocks at work only.
    """
    with np.errstate(divide="ignore"):
        log_weights = np.log(weights)
    keeps_soft = bank.family.n_passes > 1

    def expect_block(place: slice) -> Expectation:
        block = data.take(place)
        draw = partial(randomness.uniforms, step, place)
        log_probs = confined(bank.log_prob(block.observations), block.known_labels)
        membership, scores = assign(log_probs, log_weights, temperature, draw, block.sample_weight)
        return Expectation(
            statistics=bank.summarise(block.observations, membership),
            counts=membership.counts,
            sizes=membership.sizes,
            least_size=membership.least_size(bank.family.min_observations),
            total_score=block.weighted_sum(scores),
            membership=membership if keeps_soft or isinstance(membership, Hard) else None,
        )

    return _added_up(bank, workers.map(expect_block, data.observations, bank))


def _added_up(bank: Bank, blocks: Iterable[Expectation]) -> Expectation:
    statistics, memberships = None, []
    counts, sizes, total = np.zeros(len(bank)), np.zeros(len(bank)), 0.0
    for block in blocks:
        new = block.statistics
        statistics = new if statistics is None else bank.add(statistics, new)
        counts += block.counts
        sizes += block.sizes
        total += block.total_score
        if block.membership is not None:
            memberships.append(block.membership)
    membership = join(memberships) if len(memberships) > 1 else next(iter(memberships), None)
    return Expectation(statistics, counts, sizes, block.least_size, total, membership)
