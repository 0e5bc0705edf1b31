"""A search in a few principal columns, where there are so many that a search in all is slow."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse.linalg import svds

from ...data import Data, FloatArray, Soft, Table
from ...families.contract.base import Bank, Family
from ..auto import AutoSettings, settings_of
from ..engine.contract import Stopping
from ..engine.known_labels import confined
from ..engine.loop import Run, learn
from ..engine.state import MixtureState, Move, State, Step
from ..engine.training_data import TrainingData
from ..parts import Parts
from ..parts.assignment import responsibilities
from ..parts.first_fit import fit_start
from ..parts.starts import initialise
from ..parts.stopping import at_once, never
from ..recipes import EM
from .driver import Found, Search, as_trial, in_turn
from .moves.moves import Moves


@dataclass(frozen=True)
class Coarse(Search):
    """EM from what a search in a few principal columns finds.

    A covariance of many columns has so many parameters that trials of moves are slow. Where
    clusters are far apart in many columns, they are so in the first principal components of these,
    too. A mixture of the same family is learned there, from a start by K-means, and its
    responsibilities are where EM begins.

    Parameters
    ----------
    n_columns : int
        Number of principal components; fewer, if there are few rows for each component.
    """

    n_columns: int = AutoSettings.principal_columns

    @property
    def parts(self) -> Parts:
        return replace(EM(0.0).parts, stopping=never)

    def needs_start(self, family: Family, n_components: int) -> bool:
        """Whether components have to be fitted first: not if a search in few columns makes them."""
        return n_components == 1 or family.search_hints.coarse_family is None

    def learn(self, run: Run, start: MixtureState) -> Generator[State, None, State]:
        """Search at once; yield the states of the search, and that of what was found."""
        if self.needs_start(start.bank.family, len(start.bank.components)):
            return (yield from super().learn(run, start))
        found = yield from self.search(run, start, (), run.generator(0))
        parts = replace(self.parts, stopping=at_once)
        state = yield from learn(run, self.name, parts, found.mixture, moves=found.moves)
        assert isinstance(state, State)
        return state

    def is_due(self, bank: Bank) -> Stopping:
        """Return the rule that says when to search: at once."""
        return at_once

    def search(
        self, run: Run, mixture: MixtureState, steps: Sequence[Step], rng: np.random.Generator
    ) -> Generator[State, None, Found]:
        """Learn a mixture in a few columns, and return what it is in all."""
        family = mixture.family.search_hints.coarse_family
        n_components = len(mixture.bank.components)
        if family is None or n_components == 1:
            return Found(mixture, is_last=True)
        move, data = Move("coarse"), run.data
        most = max(2, len(data) // (2 * n_components))
        few = Table(principal_columns(data.observations, min(self.n_columns, most)))
        coarse = TrainingData(few, data.sample_weight, data.known_labels)
        family = family.prepare(few, n_components, data.sample_weight)
        climb = EM(settings_of(run).polish_tolerance, extra_step=False)
        start = initialise(
            "kmeans", coarse, family, n_components, climb.parts.weights, rng, run.workers,
            settings_of(run),
        )  # fmt: skip
        found = yield from as_trial(in_turn(run.on(coarse, rng), (Moves(), climb), start), move)
        there = self._in_all_columns(run, mixture, coarse, found, rng)
        return Found(there, (move,), is_last=True)

    def _in_all_columns(
        self,
        run: Run,
        mixture: MixtureState,
        coarse: TrainingData,
        found: MixtureState,
        rng: np.random.Generator,
    ) -> MixtureState:
        """Return the components fitted to all columns, with the responsibilities found in few."""
        log_densities, log_weights, _ = found.evaluate(coarse.observations)
        soft, _ = responsibilities(confined(log_densities, coarse.known_labels), log_weights)
        if coarse.sample_weight is not None:
            soft = soft * coarse.sample_weight[:, None]
        weighting = self.parts.weights
        fresh = fit_start(run.data, mixture.bank.family, Soft(soft), weighting, rng, run.workers)
        counts = np.append(soft.sum(axis=0), np.zeros(len(mixture.joint_weights) - soft.shape[1]))
        return mixture.replaced(dict(enumerate(fresh.components))).weighed(weighting, counts)


def principal_columns(data: Data, n_columns: int) -> FloatArray:
    """Return the first principal components of columns of unit variance, shape (n, n_columns).

    There are fewer, if there are fewer rows.
    """
    vectors = data.as_vectors().astype(float)
    spreads = vectors.std(axis=0)
    scaled = (vectors - vectors.mean(axis=0)) / np.where(spreads > 0, spreads, 1.0)
    if min(scaled.shape) <= n_columns:
        left, lengths, _ = np.linalg.svd(scaled, full_matrices=False)
        return np.ascontiguousarray((left * lengths)[:, lengths > 1e-9 * lengths[0]])
    left, lengths, _ = svds(scaled, n_columns, v0=np.ones(min(scaled.shape)))
    return np.ascontiguousarray((left * lengths)[:, ::-1])
