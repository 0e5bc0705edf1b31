"""The chain from which Baum–Welch starts, and the states to which it first assigns steps."""

from typing import Any

import numpy as np
from sklearn.cluster import KMeans

from ...data import FloatArray, Hard, IntArray, Membership, Sequences, Soft, Table
from ..base import Family
from ..shared.subsets import strided
from .hmm_chain import HiddenChain, normalised
from .hmm_topology import allowed_first, allowed_transitions, is_left_right

START_STEPS = 20_000  # at most so many steps are clustered by K-means


def prepared_emission(
    emission: Family, data: Sequences, n_states: int, weights: FloatArray | None
) -> Family:
    """Return the family of emissions after one look at all steps, of which weights (steps,)."""
    try:
        return emission.prepare(data.steps, n_states, weights)
    except ValueError as error:
        raise ValueError(f"{error} (Rows are the steps of all sequences, end to end.)") from None


def first_chain(
    data: Sequences, emission: Family, topology: Any, membership: Membership
) -> HiddenChain:
    """Return a chain of equal transition probabilities, whose states are fitted to their steps."""
    n_states = membership.n_components
    states = emission.bank([emission] * n_states)
    small = membership.sizes < membership.least_size(1)
    statistics = states.summarise(data.steps, membership)
    return HiddenChain(
        normalised(allowed_first(topology, n_states)),
        normalised(allowed_transitions(topology, n_states).astype(float)),
        states.update(statistics, small, np.random.default_rng(0)),
    )


def first_states(
    data: Sequences,
    n_states: int,
    topology: Any,
    by_distance: bool,
    weights: FloatArray | None,
) -> Membership:
    """Return the first assignment of steps to states.

    Parameters
    ----------
    data : Sequences
    n_states : int
    topology : as of `HMM`
        With "left-right", sequences are cut into equal parts.
    by_distance : bool
        Whether steps are assigned by K-means, if enough are distinct, rather than at random.
    weights : array, shape (steps,), optional
    """
    if is_left_right(topology):
        places = np.arange(len(data.steps)) - np.repeat(data.ends[:-1], data.lengths)
        labels = places * n_states // np.repeat(data.lengths, data.lengths)
        return Hard(labels, n_states, weights)
    found = _cluster(data.steps, n_states, weights) if by_distance else None
    if found is not None:
        return Hard(found, n_states, weights)
    rng = np.random.default_rng(0)
    random = rng.dirichlet(np.ones(n_states), size=len(data.steps))
    return Soft(random if weights is None else random * weights[:, None])


def _cluster(steps: Table, n_clusters: int, weights: FloatArray | None) -> IntArray | None:
    """Label steps by K-means on columns of unit variance; None if too few are distinct."""
    if steps.count_distinct(n_clusters) < n_clusters:
        return None
    rows = steps.values.astype(float)
    rows = (rows - rows.mean(axis=0)) / np.maximum(rows.std(axis=0), np.finfo(float).tiny)
    some = strided(len(rows), START_STEPS)
    if len(np.unique(rows[some], axis=0)) < n_clusters:
        some = slice(None)
    own = None if weights is None else weights[some]
    clusters = KMeans(n_clusters, n_init=3, random_state=0)
    return clusters.fit(rows[some], sample_weight=own).predict(rows)
