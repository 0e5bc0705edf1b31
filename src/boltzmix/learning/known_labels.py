"""Labels that are known before learning, and hold throughout it.

`known` (n,) has the component of each observation, or minus one where it is not known.
"""

import numpy as np
from scipy.optimize import linear_sum_assignment

from ..data import Data, FloatArray, IntArray
from ..families.base import Bank
from .workers import Workers

IMPOSSIBLE = -1e200  # at least the log density of an observation under the component it is known of


def confined(values: FloatArray, known: IntArray | None) -> FloatArray:
    """Return the value matrix (n, K) in which known labels leave no other choice.

    An observation is impossible under every component but its own; and possible under that,
    whatever the component makes of it.
    """
    if known is None:
        return values
    rows = np.flatnonzero(known >= 0)
    own = np.maximum(values[rows, known[rows]], IMPOSSIBLE)
    confined = values.copy(order="K")
    confined[rows] = -np.inf
    confined[rows, known[rows]] = own
    return confined


def known_of(component: int, known: IntArray | None) -> IntArray:
    """Return which observations are known to be a component's."""
    return np.empty(0, dtype=int) if known is None else np.flatnonzero(known == component)


def open_to(component: int, known: IntArray | None, n: int) -> IntArray:
    """Return which of n observations may belong to a component, as far as is known."""
    if known is None:
        return np.arange(n)
    return np.flatnonzero((known == component) | (known == -1))


def renumbered(labels: IntArray, known: IntArray, n_components: int) -> IntArray:
    """Return labels with components numbered so that as many as possible are as is known."""
    is_known = known >= 0
    agreement = np.zeros((n_components, n_components))
    np.add.at(agreement, (labels[is_known], known[is_known]), 1)
    return np.asarray(linear_sum_assignment(agreement, maximize=True)[1][labels])


def in_known_order(
    bank: Bank, weights: FloatArray, data: Data, known: IntArray | None, workers: Workers
) -> tuple[Bank, FloatArray]:
    """Return components and weights, in the order that makes the known labels likeliest.

    But for known labels, numbers mean nothing. A component that has settled on a cluster whose
    number is another's exchanges places with that one, which single observations never would.
    """
    if known is None:
        return bank, weights
    n_components = len(bank.components)
    log_weights = np.log(weights[:n_components])

    def agree(place: slice) -> FloatArray:
        """Return the joint of the observations of each label, under each component."""
        rows = np.flatnonzero(known[place] >= 0)
        values = bank.log_prob(data.take(place).take(rows))[:, :n_components]
        agreement = np.zeros((n_components, n_components))
        np.add.at(agreement, known[place][rows], np.maximum(values + log_weights, IMPOSSIBLE))
        return agreement

    total = sum(workers.map(agree, data, bank), np.zeros((n_components, n_components)))
    order = np.asarray(linear_sum_assignment(total, maximize=True)[1])
    if total[np.arange(n_components), order].sum() <= np.trace(total):
        return bank, weights
    return bank.chosen(order), np.append(weights[order], weights[n_components:])
