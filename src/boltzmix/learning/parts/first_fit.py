"""Components fitted to a first assignment, such as a random one."""

import numpy as np

from ...data import Data, FloatArray, Hard, Membership
from ...families.contract.base import Family
from ..engine.assigned import Kept
from ..engine.contract import Weighting
from ..engine.known_labels import possible_members
from ..engine.m_step import maximise, summarise
from ..engine.state import MixtureState
from ..engine.training_data import TrainingData
from ..engine.workers import Workers


def random_split(
    data: Data, n_components: int, rng: np.random.Generator, sample_weight: FloatArray | None
) -> Hard:
    """Split the observations at random into equal parts."""
    labels = np.arange(len(data), dtype=np.int32) % n_components
    rng.shuffle(labels)
    return Hard(labels, n_components, sample_weight)


def fit_start(
    data: TrainingData,
    family: Family,
    membership: Membership,
    weighting: Weighting,
    rng: np.random.Generator,
    workers: Workers,
) -> MixtureState:
    """Fit components to a first assignment, in which known labels hold.

    A component with too few members is fitted to a few observations drawn at random instead.
    """
    known_labels = data.known_labels
    if known_labels is not None:
        membership = membership.with_known(known_labels)
    bank = family.bank([family] * membership.n_components)
    assigned = Kept(membership)
    start = MixtureState(bank, weighting(membership.counts))
    statistics = summarise(start, data, assigned, workers)
    too_small = membership.sizes < membership.least_size(family.min_observations)
    n_drawn = max(family.min_observations, len(data) // membership.n_components)
    for k in np.flatnonzero(too_small):
        candidates = possible_members(int(k), known_labels, len(data))
        chosen = rng.choice(candidates, min(n_drawn, len(candidates)), replace=False)
        statistics = bank.refill(statistics, int(k), data.observations.take(chosen), None)
    nobody = np.zeros(len(bank), dtype=bool)
    fitted = maximise(start, data, statistics, assigned, nobody, too_small, rng, workers)
    return start.with_bank(fitted)
