"""Learning from a stream: stepwise EM, one step per batch."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from ..data import FloatArray, Soft
from ..families.contract.base import Family
from .engine.assigned import EStep
from .engine.e_step import expect
from .engine.randomness import Randomness
from .engine.state import MixtureState
from .engine.training_data import TrainingData
from .engine.workers import Workers
from .parts.assignment import soft
from .parts.weights import learned

FORGETTING = 0.6  # exponent of the step size: below one, what was learned long ago fades


@dataclass(frozen=True)
class Stream:
    """Averages of the statistics of all batches so far.

    Parameters
    ----------
    n_batches : int
    statistics : what the bank's `summarise` returns, or None before the first batch
        Averages over the observations, the newest batches weighing most.
    counts : array, shape (K,)
        Fraction of each component in these averages.
    squares : float
        Sum of the squared weights of all observations in these averages: one over it is the
        effective number of observations.
    """

    n_batches: int
    statistics: Any
    counts: FloatArray
    squares: float

    @classmethod
    def begin(cls, family: Family, n_components: int) -> Self:
        """Start with no batch; raise if the family's statistics cannot be averaged."""
        if not family.additive:
            raise ValueError(
                f"partial_fit averages statistics, and {family.name} has none that can be added:"
                " use fit, or derive the family from AdditiveFamily."
            )
        return cls(0, None, np.zeros(n_components), 0.0)

    def learn(
        self, data: TrainingData, start: MixtureState, workers: Workers
    ) -> tuple[Self, MixtureState, float]:
        """Take one step of EM on a batch.

        Returns the stream with the batch, the new mixture, and the mean log-likelihood of an
        observation of the batch.
        """
        bank = start.bank
        found = expect(data, EStep(start, 1.0, soft, Randomness.from_seed(0), 0), workers)
        step = (self.n_batches + 1) ** -FORGETTING
        fraction = step / found.counts.sum()
        statistics = found.statistics * fraction
        if self.statistics is not None:
            statistics = self.statistics * (1 - step) + statistics
        counts = (1 - step) * self.counts + fraction * found.counts
        squares = (1 - step) ** 2 * self.squares + step**2 / found.counts.sum()
        least_size = Soft.least_size(bank.family.min_observations)
        too_small = counts[: len(bank)] < least_size
        effective = statistics * (1 / squares)
        bank = bank.update(effective, too_small, np.random.default_rng(0))
        stream = replace(
            self,
            n_batches=self.n_batches + 1,
            statistics=statistics,
            counts=counts,
            squares=squares,
        )
        mixture = start.with_bank(bank).weighed(learned, counts)
        return stream, mixture, float(found.total_score / data.total_weight)
