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
from .moves import LEAST_GAIN, Scene
from .pricing import LEAST_SHARE, View
from .randomness import Randomness

PARTIAL, WHOLE = 20, 100  # steps of EM on three components, and on all, at most


@dataclass(frozen=True)
class SplitAndMerge:
    """Merge two components that share observations, and split one that fits its own badly.

    Once EM has settled, pairs are ranked by how alike their responsibilities are, and single
    components by the Kullback–Leibler divergence between their observations and their density.
    The first candidates are tried: EM on the three components, of what they had together; then on
    all. The first that raises the likelihood is taken. A round costs at most `candidates` times
    `PARTIAL` steps on three components and `WHOLE` steps on all.

    The paper merges and splits parameters of Gaussians. Here shares are merged and split, and
    components fitted to them, which every weighted family can.

    Parameters
    ----------
    settle : Recipe
        EM.
    tolerance : float
        EM has settled when the mean score changes by less.
    candidates : int
        How many are tried.
    """

    settle: Any
    tolerance: float
    candidates: int

    def __call__(
        self, mixture: Start, steps: Sequence[Step], scene: Scene
    ) -> tuple[Start, str | None]:
        if len(mixture.bank.components) < 3:
            return mixture, ""
        last = [step.score for step in steps[-2:]]
        if len(last) < 2 or abs(last[1] - last[0]) > self.tolerance * steps[-1].size:
            return mixture, None
        view = View.of(mixture, scene.evidence)
        shares, scores = modified_responsibility(view.joint, np.zeros(view.joint.shape[1]))
        now = float(np.average(scores, weights=scene.evidence.sample_weight))
        for i, j, k in islice(_triples(view, shares), self.candidates):
            state = self._tried(mixture, shares, (i, j, k), scene)
            if state.step.score > now + LEAST_GAIN * state.step.size:
                return Start(state.bank, state.weights), f"merge {i} and {j}, split {k}"
        return mixture, ""

    def _tried(
        self, mixture: Start, shares: FloatArray, triple: tuple[int, int, int], scene: Scene
    ) -> Any:
        """Return what EM comes to after two components are merged, and a third one is split."""
        i, j, k = triple
        rows = np.flatnonzero(shares[:, triple].sum(axis=1) > LEAST_SHARE)
        data, own, _ = scene.evidence.part(rows)
        own = np.ones(len(rows)) if own is None else own
        part = scene.rng.beta(0.5, 0.5, size=len(rows))
        to_each = np.column_stack(
            [
                shares[rows, i] + shares[rows, j],
                part * shares[rows, k],
                (1 - part) * shares[rows, k],
            ]
        )
        first = [
            mixture.bank.components[place].fit(data, weights=own * weights, rng=scene.rng)
            for place, weights in zip((i, k, k), to_each.T, strict=True)
        ]
        mass = mixture.weights[[i, j, k]].sum()
        start = Start(mixture.bank.family.bank(first), own @ to_each / (own @ to_each).sum())
        three = self._run(Evidence(data, own * to_each.sum(axis=1)), start, scene, PARTIAL)
        weights = mixture.weights.copy()
        weights[[i, j, k]] = mass * three.weights
        bank = mixture.bank.replaced(dict(zip(triple, three.bank.components, strict=True)))
        return self._run(scene.evidence, Start(bank, weights), scene, WHOLE)

    def _run(self, evidence: Evidence, start: Start, scene: Scene, length: int) -> Any:
        randomness = Randomness.from_seed(int(scene.rng.integers(2**63)))
        for progress in scene.learn(evidence, (self.settle,), start, randomness, max_iter=length):
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
