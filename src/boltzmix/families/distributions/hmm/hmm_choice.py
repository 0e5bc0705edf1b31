"""The choice of the states, the topology and the emission of a hidden Markov model by the data."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....clustering import fitted_kmeans
from ....data import FloatArray, IntArray, Sequences, evenly_spaced, with_unit_variance
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
STEPS_FROM_RANDOM = 30  # the same, where the states of codes begin at random


def choose_chain(
    template: "HMM", data: Sequences, n_components: int, weights: FloatArray | None
) -> "HMM":
    """Return a template whose number of states, topology and emission are chosen by the data.

    Sequences are clustered by K-means in two ways, by their shapes, and by their means and
    deviations. For each choice, a chain is fitted to every cluster by a few steps of Baum–Welch.
    The choice with the lowest BIC of all chains together is taken; states are added to a topology
    until its BIC has risen twice. What is given stays as it is.
    """
    some = evenly_spaced(len(data), max(n_components, int(SOME_STEPS / data.mean_size)))
    own = None if weights is None else weights[some]
    clusters = Clusters(data.take(some), own, n_components, len(data) / len(some))
    emission = template.emission or _gaussian("diag", data, n_components)
    best: Choice | None = None
    for topology in ("ergodic", "left-right") if template.topology is None else [template.topology]:
        sizes = _sizes(template, topology, clusters.data)
        chains = (
            replaced(template, n_states=size, emission=emission, topology=topology)
            for size in sizes
        )
        best = _lowest(best, _until_higher(clusters, chains))
    assert best is not None
    if template.emission is None and data.n_features > 1:
        full = replaced(best.chain, emission=_gaussian("full", data, n_components))
        best = _lowest(best, [clusters.judge(full)])
    assert best is not None
    return best.chain


def _gaussian(covariance: str, data: Sequences, n_components: int) -> Gaussian:
    """Return an emission whose prior counts whole sequences, if there are several to cluster.

    Steps that follow each other are alike, so a sequence tells less than so many steps. With a
    prior that counts steps, a mixture of letters that splits one letter and merges two others is
    likelier than the true clusters; with this one, the true clusters are likelier.
    """
    plain = Gaussian(covariance)
    return plain if n_components == 1 else replaced(plain, prior=plain.prior * data.mean_size)


class Choice(NamedTuple):
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

    def judge(self, template: "HMM") -> Choice:
        """Return the BIC of chains that are fitted to clusters, the lowest over all ways.

        It counts steps, not sequences: these are what the parameters are learned from.
        """
        n_steps = STEPS_OF_BAUM_WELCH if template.distances else STEPS_FROM_RANDOM
        start = replaced(template, n_steps=n_steps).prepare(
            self.data, self.n_clusters, self.weights
        )
        bic = min(self._bic(start, labels) for labels in self.labels)
        return Choice(template, bic)

    def _bic(self, start: "HMM", labels: IntArray) -> float:
        n_steps = self.times * float(self.weights @ self.data.lengths)
        score, n_parameters = 0.0, 0
        for k in np.unique(labels):
            members = np.flatnonzero(labels == k)
            own, weights = self.data.take(members), self.weights[members]
            chain = start.fit(own, weights=weights)
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


def _until_higher(clusters: Clusters, templates: Iterable["HMM"]) -> Iterable[Choice]:
    """Yield choices of more and more states until their BIC has risen twice."""
    least, n_higher = np.inf, 0
    for template in templates:
        choice = clusters.judge(template)
        yield choice
        n_higher = n_higher + 1 if choice.bic > least else 0
        least = min(least, choice.bic)
        if n_higher == 2:
            return


def _lowest(best: Choice | None, others: Iterable[Choice]) -> Choice | None:
    return min([*others] if best is None else [best, *others], key=lambda one: one.bic)
