"""Split-and-merge EM (Ueda, Nakano, Ghahramani & Hinton 2000), for any weighted family."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

import numpy as np
from scipy.special import xlogy

from ....data import FloatArray, check_count, check_tolerance
from ....families.contract.base import Bank
from ...auto import settings_of
from ...engine.contract import Stopping
from ...engine.loop import Run
from ...engine.state import MixtureState, Move, State, Step
from ...engine.training_data import TrainingData
from ...parts import Parts, learned
from ...parts.assignment import responsibilities
from ...parts.first_fit import fit_start, random_split
from ...parts.stopping import at_once, has_converged, never
from ...recipes import BEEM, EM
from ..driver import Found, Search, as_trial
from .pricing import EvaluatedMixture

LEAST_RESPONSIBILITY = 0.01  # of three components together, for an observation to be theirs
PARTIAL, WHOLE = 50, 100  # iterations of EM on three components, and on all, at most
SEPARATE_LENGTH = 20  # steps of the small BEEM that splits a component


@dataclass(frozen=True)
class SMEM(Search):
    """Split-and-merge EM (Ueda, Nakano, Ghahramani & Hinton 2000).

    Once EM has converged, pairs of components are ranked by how alike their responsibilities are,
    and single components by the Kullback–Leibler divergence between their members and their
    density. The first candidates are tried: EM on the two merged and one split component, on their
    members; then on all. The first that raises the likelihood is accepted. A search costs at most
    `candidates` times 50 iterations on three components and 100 on all.

    The paper merges and splits parameters of Gaussians. Here a component is fitted to the members
    of both, and one is split by a small BEEM, which works for every weighted family.

    Parameters
    ----------
    tolerance : float, default=1e-3
        A search begins when the mean log-likelihood of an observation changes by less.
    candidates : int, default=5
        How many are tried before the search is given up.
    """

    tolerance: float = 1e-3
    candidates: int = 5

    def __post_init__(self) -> None:
        check_tolerance(self.tolerance)
        check_count("candidates", self.candidates)

    @property
    def parts(self) -> Parts:
        return replace(EM(self.tolerance).parts, stopping=never)

    def is_due(self, bank: Bank) -> Stopping:
        """Return the rule that says when to search: at convergence."""
        return at_once if len(bank.components) < 3 else has_converged(self.tolerance)

    def search(
        self, run: Run, mixture: MixtureState, steps: Sequence[Step], rng: np.random.Generator
    ) -> Generator[State, None, Found]:
        """Try candidates in turn, and return the first that raises the likelihood."""
        if len(mixture.bank.components) < 3:
            return Found(mixture, is_last=True)
        evaluated = EvaluatedMixture.of(mixture, run.data, settings_of(run))
        found, scores = responsibilities(evaluated.joint, np.zeros(evaluated.joint.shape[1]))
        least_gain = settings_of(run).least_gain
        now = float(np.average(scores, weights=run.data.sample_weight))
        for i, j, k in islice(_triples(evaluated, found), self.candidates):
            moves = Move("merge", (i, j)), Move("split", (k,))
            states = self._tried(run, mixture, found, (i, j, k), rng)
            there = yield from as_trial(states, *moves)
            if there is not None and (there.step.score > now + least_gain * there.step.size):
                return Found(there, moves)
        return Found(mixture, is_last=True)

    def _tried(
        self,
        run: Run,
        mixture: MixtureState,
        found: FloatArray,
        triple: tuple[int, int, int],
        rng: np.random.Generator,
    ) -> Generator[State, None, State | None]:
        """Merge two components, split a third one, and run EM on the three and then on all.

        Returns None if the third one has too few members.
        """
        i, _, k = triple
        bank, climb = mixture.bank, EM(self.tolerance)
        members = np.flatnonzero(found[:, k] > LEAST_RESPONSIBILITY)
        if len(members) < 2 * bank.family.min_observations:
            return None
        rows = np.flatnonzero(found[:, triple].sum(axis=1) > LEAST_RESPONSIBILITY)
        theirs = _weighted(run.data.take(rows), found[rows][:, triple])
        merged = bank.components[i].fit(
            run.data.take(rows).observations, weights=theirs[:, 0] + theirs[:, 1], rng=rng
        )
        halves = yield from self._halves(run, bank, k, members, found[members, k], rng)
        counts = np.append(theirs[:, :2].sum(), halves.weights * theirs[:, 2].sum())
        three = MixtureState(
            bank.family.bank([merged, *halves.bank.components]), counts / counts.sum()
        )
        data = TrainingData(run.data.take(rows).observations, theirs.sum(axis=1))
        three = yield from _last(climb.learn(run.on(data, rng, PARTIAL), three))
        weights = mixture.weights.copy()
        weights[[*triple]] = mixture.weights[[*triple]].sum() * three.weights
        found_three = mixture.replaced(dict(zip(triple, three.components, strict=True)))
        start = replace(found_three, weights=weights)
        return (yield from _last(climb.learn(run.on(run.data, rng, WHOLE), start)))

    def _halves(
        self,
        run: Run,
        bank: Bank,
        k: int,
        members: np.ndarray,
        found: FloatArray,
        rng: np.random.Generator,
    ) -> Generator[State, None, State]:
        """Split component k in two by a small BEEM on its members."""
        own = run.data.take(members)
        weights = _weighted(own, found[:, None])[:, 0]
        data = TrainingData(own.observations, weights)
        halves = random_split(own.observations, 2, rng, weights)
        start = fit_start(data, bank.components[k], halves, learned, rng, run.workers)
        separate = BEEM("auto", small="reseed", length=SEPARATE_LENGTH)
        return (yield from _last(separate.learn(run.on(data, rng, PARTIAL), start)))


def _weighted(data: TrainingData, found: FloatArray) -> FloatArray:
    """Return responsibilities (n, m), each times the sample weight of its observation."""
    return found * (1.0 if data.sample_weight is None else data.sample_weight[:, None])


def _last(states: Generator[State, None, State]) -> Generator[State, None, State]:
    """Yield states, and return the last of them, whichever the recipe keeps."""
    for state in states:
        yield state
    return state


def _triples(evaluated: EvaluatedMixture, found: FloatArray) -> Iterator[tuple[int, int, int]]:
    """Yield the paper's candidates: the most alike pair first, and with it the worst fit."""
    n_components = evaluated.n_components
    found = found[:, :n_components]
    weighted = _weighted(evaluated.data, found)
    counts = np.maximum(weighted.sum(axis=0), 1e-300)
    log_probs = evaluated.joint[:, :n_components] - np.log(evaluated.mixture.weights)
    log_probs = np.where(found > 0, log_probs, 0.0)
    entropies = (xlogy(weighted, weighted) - weighted * log_probs).sum(axis=0) / counts
    divergence = entropies - np.log(counts)
    alike = weighted.T @ found
    pairs = sorted(combinations(range(n_components), 2), key=lambda pair: -alike[pair])
    worst = np.argsort(-divergence, kind="stable")
    for i, j in pairs:
        yield from ((i, j, int(k)) for k in worst if k not in (i, j))
