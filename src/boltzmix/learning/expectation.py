"""The E-step as one pass over the data, block by block."""

from dataclasses import dataclass
from functools import partial
from operator import add
from typing import Any

import numpy as np

from ..data import BoolArray, Data, FloatArray, Hard, IntArray
from ..families.base import Bank
from .assignment import Assignment, Score
from .randomness import Randomness

BLOCK = 16_384  # observations; fixed, so that sums are made in the same order on every machine


@dataclass(frozen=True)
class Expectation:
    """What an E-step found.

    Parameters
    ----------
    statistics : list of K statistics
        What the M-step needs to know of each component's share.
    counts : array, shape (K,)
        Total weight given to each component.
    too_small : array of bool, shape (K,)
        Which components were given too little to be fitted.
    labels : array of int, shape (n,), or None
        The component of each observation, where it has one.
    score : float
        Mean score of an observation.
    """

    statistics: list[Any]
    counts: FloatArray
    too_small: BoolArray
    labels: IntArray | None
    score: float


def infer(
    data: Data,
    bank: Bank,
    weights: FloatArray,
    temperature: float,
    assignment: Assignment,
    score: Score,
    randomness: Randomness,
    step: int,
    sample_weight: FloatArray | None,
) -> Expectation:
    """Evaluate all components on all observations, assign these, and summarise the shares.

    Only one block's value matrix exists at a time. A family that is not additive sees all
    observations as one block.
    """
    log_weights = np.log(weights)
    size = BLOCK if bank.family.additive else len(data)
    statistics: list[Any] = []
    labels = []
    counts, sizes = np.zeros(len(bank)), np.zeros(len(bank))
    total = 0.0
    for place, block in data.blocks(size):
        own = None if sample_weight is None else sample_weight[place]
        values = bank.log_prob(block)
        joint = values + log_weights
        draw = partial(randomness.uniforms, step, place)
        membership = assignment(joint, temperature, draw, own)
        shares = bank.summarise(block, membership)
        statistics = list(map(add, statistics, shares)) if statistics else list(shares)
        counts += membership.counts
        sizes += membership.sizes
        scores = score(values, joint)
        total += float(scores.sum() if own is None else own @ scores)
        if isinstance(membership, Hard):
            labels.append(membership.labels)
    return Expectation(
        statistics=statistics,
        counts=counts,
        too_small=sizes < membership.fewest(bank.family.min_observations),
        labels=np.concatenate(labels) if labels else None,
        score=total / (len(data) if sample_weight is None else float(sample_weight.sum())),
    )
