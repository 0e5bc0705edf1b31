"""The M-step: components fitted to their members."""

from operator import add
from typing import Any

import numpy as np

from ...data import BoolArray
from ...families.contract.base import Bank
from .assigned import Assigned
from .state import MixtureState
from .training_data import TrainingData
from .workers import Workers


def summarise(
    mixture: MixtureState, data: TrainingData, assigned: Assigned, workers: Workers
) -> Any:
    """Return the statistics of each component's members, over all blocks."""

    def summarise_block(block: TrainingData, place: slice) -> Any:
        return mixture.summarise(block.observations, assigned.members(block, place))[0]

    return workers.fold(summarise_block, data, mixture, add)


def maximise(
    mixture: MixtureState,
    data: TrainingData,
    statistics: Any,
    assigned: Assigned,
    kept: BoolArray,
    too_small: BoolArray,
    rng: np.random.Generator,
    workers: Workers,
) -> Bank:
    """Fit components to statistics, and summarise and fit again as often as the family asks.

    Parameters
    ----------
    statistics : what the bank's `summarise` returns
    assigned : Assigned
        The assignment of the observations, for families of more than one pass.
    kept : array of bool, shape (K,)
        Components that keep their parameters.
    too_small : array of bool, shape (K,)
        Components that cannot be fitted to the observations that are assigned to them.
    """
    bank = mixture.bank.update(statistics, kept, rng)
    for _ in range(bank.family.n_passes - 1):
        statistics = summarise(mixture.with_bank(bank), data, assigned, workers)
        bank = bank.update(statistics, kept | too_small, rng)
    return bank
