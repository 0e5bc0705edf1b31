"""Policies for a component that has too few members to be fitted.

Each policy returns the statistics that the M-step shall use, and which components keep their
parameters.
"""

from functools import partial
from typing import Any

import numpy as np

from ...data import BoolArray, Hard, IntArray, without_covariates
from ..engine.contract import Policy
from ..engine.expectation import Expectation
from ..engine.state import MixtureState
from ..engine.training_data import TrainingData
from ..engine.workers import Workers

HALF = 0.5
MOST_DRAWN = 10_000  # members that a component is given, about
FIRST_PURPOSE = 3  # of the random numbers by which members are drawn, for component 0


def keep(
    mixture: MixtureState, data: TrainingData, found: Expectation, workers: Workers
) -> tuple[Any, BoolArray]:
    """Let it keep its parameters, as the paper does."""
    return found.statistics, found.too_small


def reseed(
    mixture: MixtureState, data: TrainingData, found: Expectation, workers: Workers
) -> tuple[Any, BoolArray]:
    """Give it a random half of the largest component's members, but none of known label.

    Of a very large component, it is given about 10,000 members. If there are too few, it keeps its
    parameters. It also does where responsibilities are soft, as EM's likelihood must not fall.
    """
    kept = found.too_small
    if not found.is_hard or not kept.any():
        return found.statistics, kept
    statistics, largest = found.statistics, int(found.counts.argmax())
    fewest, size = mixture.family.min_observations, float(found.sizes[largest])
    fraction = min(max(HALF, 2 * fewest / size), MOST_DRAWN / size)
    for k in map(int, np.flatnonzero(kept)):
        drawn = partial(_drawn, found, largest, k, fraction)
        members = workers.fold(drawn, data, mixture, lambda one, other: np.append(one, other))
        if len(members) >= fewest:
            own = data.take(members)
            given = without_covariates(own.observations), own.sample_weight
            statistics = mixture.bank.refill(statistics, k, *given)
            kept[k] = False
    return statistics, kept


def _drawn(
    found: Expectation, largest: int, k: int, fraction: float, block: TrainingData, place: slice
) -> IntArray:
    """Return which observations of a block component k is given, by their number among all."""
    membership, e_step = found.assigned.members(block, place), found.e_step
    assert isinstance(membership, Hard)
    numbers = e_step.randomness.uniforms(e_step.step, place, FIRST_PURPOSE + k)
    chosen = (membership.labels == largest) & (numbers < fraction)
    if block.known_labels is not None:
        chosen = (chosen & (block.known_labels < 0)) | (block.known_labels == k)
    return place.start + np.flatnonzero(chosen)


def error(
    mixture: MixtureState, data: TrainingData, found: Expectation, workers: Workers
) -> tuple[Any, BoolArray]:
    """Raise an error."""
    too_small = found.too_small
    if too_small.any():
        raise ValueError(
            f"Component {np.flatnonzero(too_small)[0]} was left with too few observations"
            f" to fit {mixture.family.name} (it needs {mixture.family.min_observations}): use fewer"
            " components, or small='reseed'."
        )
    return found.statistics, too_small


POLICIES: dict[str, Policy] = {"keep": keep, "reseed": reseed, "error": error}
