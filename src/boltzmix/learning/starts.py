"""Components fitted to a first assignment, such as a random one."""

import numpy as np

from ..data import Data, FloatArray, Hard, IntArray, Membership
from ..families.base import Family
from .evidence import Start
from .known_labels import open_to
from .maximisation import maximise, summarise
from .weights import Weighting
from .workers import Workers


def random_split(
    data: Data, n_components: int, rng: np.random.Generator, sample_weight: FloatArray | None
) -> Hard:
    """Split the observations at random into equal parts."""
    labels = np.arange(len(data), dtype=np.int32) % n_components
    rng.shuffle(labels)
    return Hard(labels, n_components, sample_weight)


def fit_start(
    data: Data,
    family: Family,
    membership: Membership,
    weighting: Weighting,
    rng: np.random.Generator,
    workers: Workers,
    known: IntArray | None = None,
) -> Start:
    """Fit components to a first assignment, in which known labels hold.

    A component with too few observations is fitted to a random handful instead.
    """
    if known is not None:
        membership = membership.with_known(known)
    bank = family.bank([family] * membership.n_components)
    statistics = summarise(bank, data, membership, workers)
    too_small = membership.sizes < membership.least_size(family.min_observations)
    handful = max(family.min_observations, len(data) // membership.n_components)
    for k in np.flatnonzero(too_small):
        candidates = open_to(int(k), known, len(data))
        chosen = rng.choice(candidates, min(handful, len(candidates)), replace=False)
        statistics = bank.refill(statistics, int(k), data.take(chosen), None)
    nobody = np.zeros(len(bank), dtype=bool)
    bank = maximise(bank, data, statistics, membership, nobody, rng, workers)
    return Start(bank, weighting(membership.counts))
