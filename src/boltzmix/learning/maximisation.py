"""The M-step: components fitted to their share of the observations."""

from functools import reduce
from typing import Any

import numpy as np

from ..data import BoolArray, Data, Membership
from ..families.base import Bank
from .workers import Workers


def summarise(bank: Bank, data: Data, membership: Membership, workers: Workers) -> Any:
    """Return the statistics of each component's share of all observations."""
    parts = workers.map(
        lambda place: bank.summarise(data.take(place), membership.take(place)), data, bank
    )
    return reduce(bank.add, parts)


def maximise(
    bank: Bank,
    data: Data,
    statistics: Any,
    membership: Membership | None,
    kept: BoolArray,
    rng: np.random.Generator,
    workers: Workers,
) -> Bank:
    """Fit components to statistics, and to those taken anew as often as the family asks.

    Parameters
    ----------
    statistics : what the bank's `summarise` returns
    membership : Membership
        Who belongs to whom; needed for families of more than one pass only.
    kept : array of bool, shape (K,)
        Components that stay as they are.
    """
    bank = bank.update(statistics, kept, rng)
    for _ in range(bank.family.n_passes - 1):
        assert membership is not None
        fewest = membership.least_size(bank.family.min_observations)
        few = bank.too_small(membership.sizes, fewest)
        bank = bank.update(summarise(bank, data, membership, workers), kept | few, rng)
    return bank
