"""A parametric bootstrap of the fit of latent classes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...data import BoolArray, Columns, FloatArray, IntArray, Table
from ...learning import AUTO, EM, MixtureState, Randomness, Run, TrainingData, Workers
from ...learning.parts.assignment import log_likelihood


@dataclass(frozen=True, eq=False)
class FitBootstrap:
    """Data sets that are drawn from latent classes, and their fits.

    Parameters
    ----------
    fitted : MixtureState
    draw : function
        Takes a random generator, and returns a data set drawn from the classes.
    missing : array of bool, shape (n, d)
        Which cells of the data are missing. The same are missing in every data set.
    statistics : function
        Takes a data set and a function that returns the log probabilities of rows with given
        indices, and returns the statistics to bootstrap.
    """

    fitted: MixtureState
    draw: Callable[[np.random.Generator], Any]
    missing: BoolArray
    statistics: Callable[[Any, Callable[[IntArray], FloatArray]], tuple[float, ...]]

    def replicates(self, n: int, seed: int, n_threads: int) -> FloatArray:
        """Return the statistics of n data sets, each of which is fitted, shape (n, m)."""
        with Workers(1), ThreadPoolExecutor(n_threads) as threads:
            found = threads.map(lambda number: self._replicate(seed, number), range(n))
            return np.array(list(found))

    def _replicate(self, seed: int, number: int) -> tuple[float, ...]:
        rng = np.random.default_rng((seed, number))
        drawn = self.draw(rng)
        data = with_missing(drawn.take(rng.permutation(len(drawn))), self.missing)
        with Workers(1) as workers:
            run = Run(TrainingData(data), Randomness.from_seed(seed), workers)
            mixture = _drained(EM(AUTO.polish_tolerance).learn(run, self.fitted))
        log_weights = np.log(mixture.weights)

        def log_prob(rows: IntArray) -> FloatArray:
            return log_likelihood(mixture.bank.log_prob(data.take(rows)), log_weights)

        return self.statistics(data, log_prob)


def with_missing(data: Any, missing: BoolArray) -> Any:
    """Return rows in which some cells are missing; columns are those of all tables in order."""
    if isinstance(data, Columns):
        ends = np.cumsum([table.n_features for table in data.tables])[:-1]
        parts = zip(data.tables, np.split(missing, ends, axis=1), strict=True)
        return replace(data, tables=tuple(with_missing(*part) for part in parts))
    values = np.where(missing, np.nan, data.values)
    return Table(values, data.feature_names)


def _drained(states: Any) -> MixtureState:
    """Return what a generator of states returns."""
    while True:
        try:
            next(states)
        except StopIteration as end:
            found: MixtureState = end.value
            return found
