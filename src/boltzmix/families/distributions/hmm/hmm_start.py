"""The chain from which Baum–Welch starts, and the states to which it first assigns steps."""

from typing import Any

import numpy as np

from ....clustering import fitted_kmeans
from ....data import (
    FloatArray,
    Hard,
    IntArray,
    Membership,
    Sequences,
    Soft,
    Table,
    evenly_spaced,
    with_unit_variance,
)
from ...columns.pooled_frequencies import pooled_frequencies
from ...contract.base import Family
from ...covariance.elliptical import EllipticalFamily
from ...shared.copies import altered
from .hmm_chains import HiddenChain, normalised
from .hmm_topology import allowed_first, allowed_transitions, is_left_right

# Mean ARI of EM (3 runs) with a prior of the chain of 0 and 1, and then with the emission's prior,
# too: 8 of each letter of the character trajectories, left-right, 5 seeds, 0.613, 0.613 and 0.760;
# 20 of each 0.629, 0.636 and 0.768; 8 simulated ergodic sequences for each of 3 components, 8
# seeds, 0.632, 0.667 and 0.651; 30 sequences 0.691, 0.702 and 0.708.
PRIOR = 1.0
START_STEPS = 20_000  # at most so many steps are clustered by K-means
START_SEQUENCES = 20_000  # from which the first chain is taken, at most


# A single chain with so many steps for each of its parameters is fitted by its likelihood, as other
# libraries do: its priors count as this fraction of what they count as elsewhere, which keeps all
# transitions possible. In full, they cost 0.8 nats of the likelihood of the sunspots (9 steps for
# each parameter), but they predict better. Held-out log-likelihood per step, less that of the full
# priors (6 chains each, 5 states that last), and steps for each parameter: 1 x 300 steps -0.048
# (9), 20 x 50 steps -0.006 and 1 x 1000 steps -0.020 (29). With 1 x 100 steps, 4 states (4) and a
# hundredth of the prior, and no prior of the emission, it was -0.077: such chains keep theirs.
PLENTY, LIGHT = 5.0, 1e-4


def prior_count(prior: float, n_states: int, n_components: int) -> float:
    """Return how many transitions from each state a prior of this strength counts as.

    A single chain has no other components to be like, so the prior counts as one transition in all.
    """
    # Held-out log-likelihood per step, less that with one transition from each state, of single
    # chains with no prior and with this one (6 chains each, 4 or 5 states that last): 1 x 300 steps
    # -0.076 and -0.010, 20 x 50 steps -0.004 and -0.002, 1 x 100 steps -0.068 and -0.029.
    return prior / n_states if n_components == 1 else prior


def with_light_prior(emission: Family) -> Family:
    """Return an emission whose prior counts for little, unless its strength was given."""
    if isinstance(emission, EllipticalFamily) and emission.prior == type(emission).prior:
        return altered(emission, prior=LIGHT * emission.prior)
    return emission


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


def pooled_chain(
    data: Sequences, topology: Any, membership: Membership
) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities of first states (S,) and transitions (S, S) that a prior pulls to.

    Where states have an order ("left-right"), these are the frequencies in all sequences, given
    the first assignment of steps to states. States of other topologies have no order that would be
    the same in all components of a mixture: all of them then have the same frequency of staying,
    and all other transitions are equally frequent.
    """
    n_states = membership.n_components
    allowed = allowed_transitions(topology, n_states)
    first = normalised(allowed_first(topology, n_states))
    if not isinstance(membership, Hard):
        return first, normalised(allowed.astype(float))
    counts = _count_transitions(data, membership) * allowed
    if is_left_right(topology):
        return first, pooled_frequencies(counts, allowed)
    stays = np.eye(n_states, dtype=bool)
    total = counts[stays].sum(), counts[~stays].sum()
    staying, leaving = pooled_frequencies(np.array(total), np.ones(2, dtype=bool))
    others = np.maximum((allowed & ~stays).sum(axis=1, keepdims=True), 1)
    return first, normalised(np.where(stays, staying, leaving / others) * allowed)


def _count_transitions(data: Sequences, membership: Hard) -> FloatArray:
    """Return how often steps in one state (row) are followed by steps in another, (S, S)."""
    labels, n_states = membership.labels.astype(np.int64), membership.n_components
    follows = np.ones(len(labels), dtype=bool)
    follows[data.ends[:-1]] = False
    later = np.flatnonzero(follows)
    pairs = labels[later - 1] * n_states + labels[later]
    weights = None if membership.weights is None else membership.weights[later]
    counts = np.bincount(pairs, weights, n_states**2).astype(float)
    return counts.reshape(n_states, n_states)


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
    """Label steps by K-means on columns of unit variance; None if one has no step."""
    if steps.count_distinct(n_clusters) < n_clusters:
        return None
    rows = with_unit_variance(steps.values.astype(float))
    rows = rows - rows.mean(axis=0)
    some: IntArray | slice = evenly_spaced(len(rows), START_STEPS)
    if len(np.unique(rows[some], axis=0)) < n_clusters:
        some = slice(None)
    own = None if weights is None else weights[some]
    labels = fitted_kmeans(rows[some], n_clusters, 3, 0, own).predict(rows)
    return labels if len(np.unique(labels)) == n_clusters else None
