"""The M-step: components fitted to their members."""

from functools import reduce
from typing import Any

import numpy as np

from ...data import BoolArray, Data, Membership
from ...families.base import Bank
from .workers import Workers


def summarise(bank: Bank, observations: Data, membership: Membership, workers: Workers) -> Any:
    """Return the statistics of each component's members, over all blocks."""
    blocks = workers.map(
        lambda place: bank.summarise(observations.take(place), membership.take(place)),
        observations,
        bank,
    )
    return reduce(bank.add, blocks)


def maximise(
    bank: Bank,
    observations: Data,
    statistics: Any,
    membership: Membership | None,
    kept: BoolArray,
    rng: np.random.Generator,
    workers: Workers,
) -> Bank:
    """Fit components to statistics, and summarise and fit again as often as the family asks.

    Parameters
    ----------
    statistics : what the bank's `summarise` returns
    membership : Membership
        Labels or responsibilities; only needed for families of more than one pass.
    kept : array of bool, shape (K,)
        Components that keep their parameters.
    """
    bank = bank.update(statistics, kept, rng)
    for _ in range(bank.n_passes - 1):
        assert membership is not None
        least_size = membership.least_size(bank.family.min_observations)
        few = bank.too_small(membership.sizes, least_size)
        statistics = summarise(bank, observations, membership, workers)
        bank = bank.update(statistics, kept | few, rng)
    return bank
