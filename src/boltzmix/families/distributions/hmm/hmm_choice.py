"""The choice of the states, the topology and the emission of a hidden Markov model by the data."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from ....clustering import fitted_kmeans
from ....data import FloatArray, IntArray, Sequences, evenly_spaced, with_unit_variance
from ...contract.search_hints import Choice, FitRequest
from ...shared.copies import replaced
from ..gaussian import Gaussian

if TYPE_CHECKING:
    from .hmm import HMM

# Up to 15 UCR sets, normalised, with slopes: EM from K-means has a mean ARI of 0.33 to 0.34 with
# 4 left-right states, 0.39 to 0.41 with 8, 0.42 with 16 and 0.45 with 24. Smooth series take the
# largest number by BIC, so the last one bounds time.
ERGODIC = (1, 2, 3, 4, 6, 8)
LEFT_RIGHT = (4, 8, 12, 16, 24, 36)
SOME_STEPS = 15_000  # of the sequences that chains are compared by
STEPS_OF_BAUM_WELCH = 6  # after which chains are compared
STEPS_FROM_RANDOM = 30  # where the states of codes begin at random


def choose_chain(
    template: "HMM", data: Sequences, n_components: int, weights: FloatArray | None
) -> "Choice[HMM]":
    """Choose the number of states, the topology and the emission of a template by the data.

    Sequences are clustered by K-means in two ways, by their shapes, and by their means and
    deviations. For each choice, a chain is fitted to every cluster by a few steps of Baum–Welch.
    The choice with the lowest BIC of all chains together is taken; states are added to a topology
    until its BIC has risen twice. What is given stays as it is. This is a generator: it yields
    every fit that it needs, is sent the fitted chain, and returns the template.
    """
    some = evenly_spaced(len(data), max(n_components, int(SOME_STEPS / data.mean_size)))
    own = None if weights is None else weights[some]
    clusters = Clusters(data.take(some), own, n_components, len(data) / len(some))
    emission = template.emission or _gaussian("diag", data, n_components)
    best: ChainCandidate | None = None
    for topology in ("ergodic", "left-right") if template.topology is None else [template.topology]:
        sizes = _sizes(template, topology, clusters.data)
        chains = (
            replaced(template, n_states=size, emission=emission, topology=topology)
            for size in sizes
        )
        best = yield from _lowest(best, clusters, chains)
    assert best is not None
    if template.emission is None and data.n_features > 1:
        full = replaced(best.chain, emission=_gaussian("full", data, n_components))
        best = yield from _lowest(best, clusters, [full])
    return best.chain


def chosen_alone(choice: "Choice[HMM]") -> "HMM":
    """Return what a generator of fits returns; chains fit themselves, with no mixture around."""
    try:
        request = next(choice)
        while True:
            start = replaced(cast("HMM", request.component), n_steps=request.n_steps)
            request = choice.send(start.fit(request.data, weights=request.weights))
    except StopIteration as end:
        return cast("HMM", end.value)


def _gaussian(covariance: str, data: Sequences, n_components: int) -> Gaussian:
    """Return an emission whose prior counts whole sequences, if there are several to cluster.

    Steps that follow each other are alike, so a sequence tells less than so many steps. With a
    prior that counts steps, a mixture of letters that splits one letter and merges two others is
    likelier than the true clusters; with this one, the true clusters are likelier.
    """
    plain = Gaussian(covariance)
    return plain if n_components == 1 else replaced(plain, prior=plain.prior * data.mean_size)


class ChainCandidate(NamedTuple):
    """A template of chains, and the BIC of all chains that were fitted from it."""

    chain: "HMM"
    bic: float


class Clusters:
    """Sequences, clustered in several ways.

    Parameters
    ----------
    data : Sequences
    weights : array, shape (n,), optional
    n_clusters : int
    times : float
        How many sequences each of these stands for.
    """

    def __init__(
        self, data: Sequences, weights: FloatArray | None, n_clusters: int, times: float
    ) -> None:
        self.data, self.n_clusters, self.times = data, n_clusters, times
        self.weights = np.ones(len(data)) if weights is None else weights
        self.labels = list(_partitions(data, self.weights, n_clusters))

    def judge(self, template: "HMM") -> Choice[ChainCandidate]:
        """Return the BIC of chains that are fitted to clusters, the lowest over all ways.

        It counts steps, not sequences: these are what the parameters are learned from.
        """
        n_steps = STEPS_OF_BAUM_WELCH if template.distances else STEPS_FROM_RANDOM
        one_step = replaced(template, n_steps=1)
        start = one_step.prepare(self.data, self.n_clusters, self.weights)
        lowest = np.inf
        for labels in self.labels:
            bic = yield from self._bic(start, labels, n_steps)
            lowest = min(lowest, bic)
        return ChainCandidate(template, lowest)

    def _bic(self, start: "HMM", labels: IntArray, n_passes: int) -> Choice[float]:
        n_steps = self.times * float(self.weights @ self.data.lengths)
        score, n_parameters = 0.0, 0
        for k in np.unique(labels):
            members = np.flatnonzero(labels == k)
            own, weights = self.data.take(members), self.weights[members]
            chain = cast("HMM", (yield FitRequest(start, own, weights, n_passes)))
            score += self.times * float(weights @ chain.log_prob(own))
            n_parameters += chain.n_parameters
        return n_parameters * float(np.log(max(n_steps, 2.0))) - 2 * score


def _partitions(data: Sequences, weights: FloatArray, n_clusters: int) -> Iterable[IntArray]:
    """Yield labels of sequences, clustered by their summaries and by their shapes."""
    if n_clusters == 1 or len(data) <= n_clusters:
        yield np.zeros(len(data), dtype=np.int64)
        return
    for vectors in (data.as_vectors(), data.as_shapes()):
        yield fitted_kmeans(with_unit_variance(vectors), n_clusters, 1, 0, weights).labels_


def _sizes(template: "HMM", topology: object, data: Sequences) -> Sequence[int]:
    """Return the numbers of states that are compared."""
    if template.n_states is not None:
        return [template.n_states]
    if isinstance(topology, str) and topology == "left-right":
        most = int(data.mean_size)
        return [size for size in LEFT_RIGHT if size <= most] or [max(1, most)]
    most = max(1, len(data.steps) // 5)
    return [size for size in ERGODIC if size <= most]


def _lowest(
    best: ChainCandidate | None, clusters: Clusters, templates: Iterable["HMM"]
) -> Choice[ChainCandidate]:
    """Return the lowest of the best so far and of more and more states, until it rises twice."""
    least, n_higher = np.inf, 0
    for template in templates:
        one = yield from clusters.judge(template)
        best = one if best is None else min(best, one, key=lambda each: each.bic)
        n_higher = n_higher + 1 if one.bic > least else 0
        least = min(least, one.bic)
        if n_higher == 2:
            break
    assert best is not None
    return best
