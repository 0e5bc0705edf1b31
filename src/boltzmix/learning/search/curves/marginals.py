"""The joint likelihoods of many sets of the same observations."""

from dataclasses import dataclass

import numpy as np

from ....data import Data, FloatArray, IntArray, evenly_spaced
from ....families.contract.base import Family
from ....families.contract.capabilities import JointFamily, JointStatistics
from ...parts.objective import log_marginal


def own_statistics(component: Family, data: Data) -> JointStatistics | None:
    """Return additive statistics of a component, or None if it has none."""
    return component.joint_statistics(data) if isinstance(component, JointFamily) else None


def joint_statistics(component: Family, data: Data, judged: int) -> JointStatistics:
    """Return the statistics of a component, or the observations, if it has no such statistics.

    At most `judged` of the observations count then.
    """
    own = own_statistics(component, data)
    if own is not None:
        return own
    return WeightedObservations(component, data, evenly_spaced(len(data), judged))


@dataclass(frozen=True)
class WeightedObservations:
    """Weights of observations, which serve as statistics of families that have none.

    Parameters
    ----------
    component : Family
        The component whose joint likelihood it is.
    data : Data
    chosen : array of int, shape (s,)
        Those of the observations that count, in ascending order.
    """

    component: Family
    data: Data
    chosen: IntArray

    def summarise(self, weights: FloatArray, bounds: IntArray) -> FloatArray:
        """Return the weights of the observations of each of g stretches, shape (g, s)."""
        inside = (self.chosen >= bounds[:-1, None]) & (self.chosen < bounds[1:, None])
        return np.where(inside, weights[self.chosen], 0.0)

    def log_marginals(self, statistics: FloatArray) -> FloatArray:
        """Return the joint log-likelihood of the observations behind each of c rows, shape (c,)."""
        return np.array([self._log_marginal(weights) for weights in np.atleast_2d(statistics)])

    def _log_marginal(self, weights: FloatArray) -> float:
        members = np.flatnonzero(weights > 0)
        if len(members) == 0:
            return 0.0
        own, data = weights[members], self.data.take(self.chosen[members])
        return log_marginal(self.component, data, None if (own == 1).all() else own)
