"""Labels that are known before learning, and hold throughout it.

`known_labels` (n,) has the component of each observation, or -1 where it is not known.
"""

from operator import add

import numpy as np
from scipy.optimize import linear_sum_assignment

from ...data import FloatArray, IntArray
from .state import MixtureState
from .training_data import TrainingData
from .workers import Workers

IMPOSSIBLE = -1e200  # the least log density of an observation under the component of its label


def confined(log_probs: FloatArray, known_labels: IntArray | None) -> FloatArray:
    """Return the log-likelihood matrix (n, K) in which known labels leave no other choice.

    An observation of known label is impossible under every other component, and possible under
    its own, whatever its density there.
    """
    if known_labels is None:
        return log_probs
    rows = np.flatnonzero(known_labels >= 0)
    own = np.maximum(log_probs[rows, known_labels[rows]], IMPOSSIBLE)
    confined = log_probs.copy(order="K")
    confined[rows] = -np.inf
    confined[rows, known_labels[rows]] = own
    return confined


def known_members(component: int, known_labels: IntArray | None) -> IntArray:
    """Return which observations are known to be members of a component."""
    if known_labels is None:
        return np.empty(0, dtype=int)
    return np.flatnonzero(known_labels == component)


def possible_members(component: int, known_labels: IntArray | None, n: int) -> IntArray:
    """Return which of n observations may be members of a component, as far as is known."""
    if known_labels is None:
        return np.arange(n)
    return np.flatnonzero((known_labels == component) | (known_labels == -1))


def renumbered(labels: IntArray, known_labels: IntArray, n_components: int) -> IntArray:
    """Return labels, with components numbered so that most known labels agree with them."""
    is_known = known_labels >= 0
    agreement = np.zeros((n_components, n_components))
    np.add.at(agreement, (labels[is_known], known_labels[is_known]), 1)
    return np.asarray(linear_sum_assignment(agreement, maximize=True)[1][labels])


def reordered(found: FloatArray, known_labels: IntArray | None) -> FloatArray:
    """Return responsibilities (n, K), with components in the order that suits known labels best."""
    if known_labels is None:
        return found
    labels = range(found.shape[1])
    agreement = np.array([found[known_labels == label].sum(axis=0) for label in labels])
    return found[:, linear_sum_assignment(agreement, maximize=True)[1]]


def in_known_order(mixture: MixtureState, data: TrainingData, workers: Workers) -> MixtureState:
    """Return the components in the order that makes the known labels likeliest.

    Apart from known labels, the numbers of components mean nothing. A component that converged to
    a cluster which has another number exchanges places with the component of that number. Single
    observations that change their label could not do that.
    """
    known = data.known_labels
    if known is None:
        return mixture
    n_components = len(mixture.bank)

    def agree(block: TrainingData, place: slice) -> FloatArray:
        """Return the joint log-likelihood of the members of each label under each component."""
        rows = np.flatnonzero(known[place] >= 0)
        agreement = np.zeros((n_components, n_components))
        if not len(rows):
            return agreement
        found = mixture.evaluate(block.observations.take(rows))
        joint = (found.log_densities + found.log_weights)[:, :n_components]
        np.add.at(agreement, known[place][rows], np.maximum(joint, IMPOSSIBLE))
        return agreement

    total = workers.fold(agree, data, mixture, add)
    order = np.asarray(linear_sum_assignment(total, maximize=True)[1])
    if total[np.arange(n_components), order].sum() <= np.trace(total):
        return mixture
    return mixture.in_order(order)
