"""A parametric bootstrap of the fit of latent classes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data import FloatArray, IntArray
from ...learning import AUTO, EM, MixtureState, Randomness, Run, TrainingData, Workers
from ...learning.engine.state import drained
from ...learning.parts.assignment import log_likelihood
from ...parallel import thread_pool
from ..bootstrap.sets import draw_set


@dataclass(frozen=True, eq=False)
class FitBootstrap:
    """Data sets that are drawn from latent classes, and their fits.

    Parameters
    ----------
    fitted : MixtureState
    data : TrainingData
        What they were fitted to. The same cells are missing in every data set.
    statistics : function
        Takes a data set and a function that returns the log probabilities of rows with given
        indices, and returns the statistics to bootstrap.
    """

    fitted: MixtureState
    data: TrainingData
    statistics: Callable[[Any, Callable[[IntArray], FloatArray]], tuple[float, ...]]

    def replicates(self, n: int, seed: int, n_threads: int) -> FloatArray:
        """Return the statistics of n data sets, each of which is fitted, shape (n, m)."""
        with Workers(1), thread_pool(n_threads) as threads:
            found = threads.map(lambda number: self._replicate(seed, number), range(n))
            return np.array(list(found))

    def _replicate(self, seed: int, number: int) -> tuple[float, ...]:
        rng = np.random.default_rng((seed, number))
        drawn = draw_set("parametric", self.data, self.fitted, rng)
        with Workers(1) as workers:
            run = Run(drawn, Randomness.from_seed(seed), workers)
            mixture = drained(EM(AUTO.polish_tolerance).learn(run, self.fitted))
        rows_drawn = drawn.observations

        def log_prob(rows: IntArray) -> FloatArray:
            found = mixture.evaluate(rows_drawn.take(rows), is_rounded=False)
            return log_likelihood(found.log_densities, found.log_weights)

        return self.statistics(rows_drawn, log_prob)
