"""Learning from a stream: stepwise EM, one step per batch."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from ..data import Data, FloatArray, Soft
from ..families.base import Family
from .assignment import soft
from .evidence import Evidence, Start
from .expectation import EStep
from .randomness import Randomness
from .weights import learned
from .workers import Workers

FORGETTING = 0.6  # exponent of the step size: below one, what was learned long ago fades


@dataclass(frozen=True)
class Stream:
    """What a stream has shown so far.

    Parameters
    ----------
    n_batches : int
    statistics : what the bank's `summarise` returns, or None before the first batch
        Averages over the observations, the newest batches weighing most.
    counts : array, shape (K,)
        Share of each component in these averages.
    squares : float
        Sum of the squared weights of all observations in these averages: one over it is how many
        observations of equal weight would tell as much.
    """

    n_batches: int
    statistics: Any
    counts: FloatArray
    squares: float

    @classmethod
    def begin(cls, family: Family, n_components: int) -> Self:
        """Start with nothing seen; refuse a family whose statistics cannot be averaged."""
        if not family.additive:
            raise ValueError(
                f"partial_fit averages statistics, and {family.name} has none that can be added:"
                " use fit, or derive the family from AdditiveFamily."
            )
        return cls(0, None, np.zeros(n_components), 0.0)

    def learn(
        self, data: Data, start: Start, workers: Workers, sample_weight: FloatArray | None
    ) -> tuple[Self, Start, float]:
        """Take one step, and return what was seen, the new mixture, and the batch's score."""
        infer = EStep(Evidence(data, sample_weight), soft, Randomness.from_seed(0), workers)
        found = infer(start.bank, start.weights, 1.0, 0)
        step = (self.n_batches + 1) ** -FORGETTING
        share = step / found.counts.sum()
        statistics = start.bank.scale(found.statistics, share)
        if self.statistics is not None:
            before = start.bank.scale(self.statistics, 1 - step)
            statistics = start.bank.add(before, statistics)
        counts = (1 - step) * self.counts + share * found.counts
        squares = (1 - step) ** 2 * self.squares + step**2 / found.counts.sum()
        too_small = start.bank.too_small(
            counts, Soft.least_size(start.bank.family.min_observations)
        )
        as_many = start.bank.scale(statistics, 1 / squares)
        bank = start.bank.update(as_many, too_small, np.random.default_rng(0))
        seen = replace(
            self,
            n_batches=self.n_batches + 1,
            statistics=statistics,
            counts=counts,
            squares=squares,
        )
        return seen, Start(bank, bank.weigh(learned, counts)), found.score
