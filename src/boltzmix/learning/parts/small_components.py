"""What is done about a component that has too few members to be fitted.

Each policy returns the statistics that the M-step shall use, and which components keep their
parameters.
"""

from typing import Any

import numpy as np

from ...data import BoolArray
from ...families.base import Bank
from ..engine.contract import Policy
from ..engine.expectation import Expectation
from ..engine.known_labels import known_members, possible_members
from ..engine.training_data import TrainingData


def keep(
    bank: Bank, data: TrainingData, found: Expectation, rng: np.random.Generator
) -> tuple[Any, BoolArray]:
    """Let it keep its parameters, as the paper does."""
    return found.statistics, found.too_small(bank)


def reseed(
    bank: Bank, data: TrainingData, found: Expectation, rng: np.random.Generator
) -> tuple[Any, BoolArray]:
    """Give it a random half of the largest component's members, but none of known label.

    If too few of these are left, it keeps its parameters. It also does where responsibilities are
    soft, as EM's likelihood must not fall.
    """
    too_small = found.too_small(bank)
    if found.labels is None or not too_small.any():
        return found.statistics, too_small
    statistics = found.statistics
    largest = np.flatnonzero(found.labels == found.counts.argmax())
    largest = np.intersect1d(largest, possible_members(-1, data.known_labels, len(data)))
    if len(largest) < bank.family.min_observations:
        return statistics, too_small
    for k in np.flatnonzero(too_small):
        size = max(len(largest) // 2, bank.family.min_observations)
        half = rng.choice(largest, min(size, len(largest)), replace=False)
        members = data.take(np.append(half, known_members(int(k), data.known_labels)))
        statistics = bank.refill(statistics, int(k), members.observations, members.sample_weight)
    return statistics, np.zeros(len(bank), dtype=bool)


def error(
    bank: Bank, data: TrainingData, found: Expectation, rng: np.random.Generator
) -> tuple[Any, BoolArray]:
    """Raise an error."""
    too_small = found.too_small(bank)
    if too_small.any():
        raise ValueError(
            f"Component {np.flatnonzero(too_small)[0]} was left with too few observations"
            f" to fit {bank.family.name} (it needs {bank.family.min_observations}): use fewer"
            " components, or small='reseed'."
        )
    return found.statistics, too_small


POLICIES: dict[str, Policy] = {"keep": keep, "reseed": reseed, "error": error}
