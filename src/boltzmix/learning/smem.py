"""Split-and-merge EM (Ueda, Nakano, Ghahramani & Hinton 2000), for any weighted family."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

import numpy as np
from scipy.special import xlogy

from ..data import FloatArray
from .assignment import modified_responsibility
from .evidence import Evidence, Start
from .history import Step
from .moves import LEAST_GAIN, Scene, has_settled
from .pricing import View
from .starts import fit_start, random_split
from .weights import learned

LEAST_SHARE = 0.01  # of an observation, for it to count as the three components'
PARTIAL, WHOLE = 50, 100  # steps of EM on three components, and on all, at most


@dataclass(frozen=True)
class SplitAndMerge:
    """Merge two components that share observations, and split one that fits its own badly.

    Once EM has settled, pairs are ranked by how alike their responsibilities are, and single
    components by the Kullback–Leibler divergence between their observations and their density.
    The first candidates are tried: EM on the three components, of what they had together; then on
    all. The first that raises the likelihood is taken. A round costs at most `candidates` times
    `PARTIAL` steps on three components and `WHOLE` steps on all.

    The paper merges and splits parameters of Gaussians. Here a component is fitted to the shares
    of both, and one is split by a small BEEM, which every weighted family can.

    Parameters
    ----------
    separate : Recipe
        How a component is split: a small BEEM.
    settle : Recipe
        EM, on three components and on all.
    tolerance : float
        EM has settled when the mean score changes by less.
    candidates : int
        How many are tried.
    """

    separate: Any
    settle: Any
    tolerance: float
    candidates: int

    def __call__(
        self, mixture: Start, steps: Sequence[Step], scene: Scene
    ) -> tuple[Start, str | None]:
        if len(mixture.bank.components) < 3:
            return mixture, ""
        if not has_settled(steps, self.tolerance):
            return mixture, None
        view = View.of(mixture, scene.evidence)
        shares, scores = modified_responsibility(view.joint, np.zeros(view.joint.shape[1]))
        now = float(np.average(scores, weights=scene.evidence.sample_weight))
        for i, j, k in islice(_triples(view, shares), self.candidates):
            state = self._tried(mixture, shares, (i, j, k), scene)
            if state is not None and state.step.score > now + LEAST_GAIN * state.step.size:
                return Start(state.bank, state.weights), f"merge {i} and {j}, split {k}"
        return mixture, ""

    def _tried(
        self, mixture: Start, shares: FloatArray, triple: tuple[int, int, int], scene: Scene
    ) -> Any:
        """Return what EM comes to after two components are merged, and a third one is split.

        If that one has too few observations, there is nothing to return.
        """
        i, j, k = triple
        bank = mixture.bank
        mine = np.flatnonzero(shares[:, k] > LEAST_SHARE)
        if len(mine) < 2 * bank.family.min_observations:
            return None
        rows = np.flatnonzero(shares[:, triple].sum(axis=1) > LEAST_SHARE)
        data, own, _ = scene.evidence.part(rows)
        to_each = shares[rows][:, triple] * (1.0 if own is None else own[:, None])
        merged = bank.components[i].fit(data, weights=to_each[:, 0] + to_each[:, 1], rng=scene.rng)
        third, its_own, _ = scene.evidence.part(mine)
        of_third = shares[mine, k] * (1.0 if its_own is None else its_own)
        halves = random_split(third, 2, scene.rng, of_third)
        start = fit_start(third, bank.components[k], halves, learned, scene.rng, scene.workers)
        two = _last(scene.run(Evidence(third, of_third), [self.separate], start, PARTIAL))
        counts = np.append(to_each[:, :2].sum(), two.weights * to_each[:, 2].sum())
        start = Start(bank.family.bank([merged, *two.bank.components]), counts / counts.sum())
        three = _last(scene.run(Evidence(data, to_each.sum(axis=1)), [self.settle], start, PARTIAL))
        weights = mixture.weights.copy()
        weights[[i, j, k]] = mixture.weights[[i, j, k]].sum() * three.weights
        bank = bank.replaced(dict(zip(triple, three.bank.components, strict=True)))
        return _last(scene.run(scene.evidence, [self.settle], Start(bank, weights), WHOLE))


def _last(states: Iterator[Any]) -> Any:
    for progress in states:
        state = progress.state
    return state


def _triples(view: View, shares: FloatArray) -> Iterator[tuple[int, int, int]]:
    """Yield the paper's candidates: the most alike pair first, and with it the worst fit."""
    n_components = view.n_components
    shares = shares[:, :n_components]
    own = view.evidence.sample_weight
    weighted = shares if own is None else shares * own[:, None]
    counts = np.maximum(weighted.sum(axis=0), 1e-300)
    values = view.joint[:, :n_components] - np.log(view.mixture.weights[:n_components])
    values = np.where(shares > 0, values, 0.0)
    divergence = (xlogy(weighted, weighted) - weighted * values).sum(axis=0) / counts - np.log(
        counts
    )
    alike = weighted.T @ shares
    pairs = sorted(combinations(range(n_components), 2), key=lambda pair: -alike[pair])
    worst = np.argsort(-divergence, kind="stable")
    for i, j in pairs:
        yield from ((i, j, int(k)) for k in worst if k not in (i, j))
