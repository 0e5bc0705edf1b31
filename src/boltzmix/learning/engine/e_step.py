"""The E-step as one pass over the data, block by block."""

from collections.abc import Iterable
from functools import partial

import numpy as np

from ...data import FloatArray, Hard, join
from ...families.base import Bank
from .contract import Assignment
from .expectation import Expectation
from .known_labels import confined
from .randomness import Randomness
from .training_data import TrainingData
from .workers import Workers


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
    keeps_soft = bank.n_passes > 1

    def expect_block(place: slice) -> Expectation:
        block = data.take(place)
        draw = partial(randomness.uniforms, step, place)
        log_objectives, work = bank.evaluate(block.observations)
        log_probs = confined(log_objectives, block.known_labels)
        membership, scores = assign(log_probs, log_weights, temperature, draw, block.sample_weight)
        return Expectation(
            statistics=bank.summarise_evaluated(block.observations, membership, work),
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
