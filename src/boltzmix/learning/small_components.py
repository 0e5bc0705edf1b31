"""What is done about a component that was given too few observations to be fitted.

Each policy returns the statistics that the M-step shall use, and which components stay as they
are.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..data import BoolArray, Data, FloatArray
from ..families.base import Bank
from .expectation import Expectation
from .known_labels import known_of, open_to

Policy = Callable[
    [Bank, Data, Expectation, FloatArray | None, np.random.Generator],
    tuple[Any, BoolArray],
]


def keep(
    bank: Bank,
    data: Data,
    found: Expectation,
    sample_weight: FloatArray | None,
    rng: np.random.Generator,
) -> tuple[Any, BoolArray]:
    """Leave it its parameters, as the paper does."""
    return found.statistics, found.too_small


def reseed(
    bank: Bank,
    data: Data,
    found: Expectation,
    sample_weight: FloatArray | None,
    rng: np.random.Generator,
) -> tuple[Any, BoolArray]:
    """Give it a random half of the largest component's observations, but none of known label.

    If too few of these are left, it keeps its parameters. So it does where observations are shared
    out instead of assigned: EM's likelihood may not fall.
    """
    if found.labels is None or not found.too_small.any():
        return keep(bank, data, found, sample_weight, rng)
    statistics = found.statistics
    largest = np.flatnonzero(found.labels == found.counts.argmax())
    largest = np.intersect1d(largest, open_to(-1, found.known, len(data)))
    if len(largest) < bank.family.min_observations:
        return keep(bank, data, found, sample_weight, rng)
    for k in np.flatnonzero(found.too_small):
        size = max(len(largest) // 2, bank.family.min_observations)
        half = rng.choice(largest, min(size, len(largest)), replace=False)
        half = np.append(half, known_of(int(k), found.known))
        own = None if sample_weight is None else sample_weight[half]
        statistics = bank.refill(statistics, int(k), data.take(half), own)
    return statistics, np.zeros(len(bank), dtype=bool)


def refuse(
    bank: Bank,
    data: Data,
    found: Expectation,
    sample_weight: FloatArray | None,
    rng: np.random.Generator,
) -> tuple[Any, BoolArray]:
    """Raise an error."""
    if found.too_small.any():
        raise ValueError(
            f"Component {np.flatnonzero(found.too_small)[0]} was left with too few observations"
            f" to fit {bank.family.name} (it needs {bank.family.min_observations}): use fewer"
            " components, or small='reseed'."
        )
    return keep(bank, data, found, sample_weight, rng)


POLICIES: dict[str, Policy] = {"keep": keep, "reseed": reseed, "error": refuse}
