"""Which components of a mixture are those of another one, by their responsibilities."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from ...data import FloatArray, IntArray
from ...families.shared.constants import TINY
from ...learning import MixtureState, TrainingData, Workers
from ...learning.parts.assignment import responsibilities


class Match(NamedTuple):
    """Components in the order of those of another mixture.

    Parameters
    ----------
    order : array of int, shape (K,)
        Which component is the one in each place of the other mixture.
    shared : array, shape (K,)
        How much of each component is the same: the sum over observations of the smaller of its two
        responsibilities, divided by that of the larger.
    """

    order: IntArray
    shared: FloatArray


def match_components(before: FloatArray, after: FloatArray) -> Match:
    """Match components by an optimal assignment of their responsibilities (n, K) each.

    Examples
    --------
    >>> before = np.array([[1.0, 0.0], [1.0, 0.0], [0.2, 0.8]])
    >>> match_components(before, before[:, ::-1])
    Match(order=array([1, 0]), shared=array([1., 1.]))
    """
    sizes = np.sqrt((before**2).sum(axis=0)), np.sqrt((after**2).sum(axis=0))
    likeness = before.T @ after / np.maximum(np.outer(*sizes), TINY)
    order = np.asarray(linear_sum_assignment(likeness, maximize=True)[1])
    found = after[:, order]
    larger = np.maximum(before, found).sum(axis=0)
    return Match(order, np.minimum(before, found).sum(axis=0) / np.maximum(larger, TINY))


def responsibilities_of(mixture: MixtureState, data: TrainingData, workers: Workers) -> FloatArray:
    """Return the responsibilities of the components for observations, shape (n, K).

    That of noise is left out.
    """

    def evaluate(block: TrainingData, place: slice) -> FloatArray:
        found = mixture.evaluate(block.observations, is_rounded=False)
        return responsibilities(found.log_densities, found.log_weights)[0][:, : len(mixture.bank)]

    return workers.fold(evaluate, data, mixture, lambda one, other: np.concatenate([one, other]))
