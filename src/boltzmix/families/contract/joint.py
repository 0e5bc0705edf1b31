"""The contract of a family in which the observations of a component depend on each other."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, Self

from ...data import FloatArray, IntArray, Weights
from .bank import Bank, JointBank
from .base import Family


class JointStatistics(Protocol):
    """Additive statistics of observations, from which the joint likelihood of any set follows."""

    def summarise(self, weights: FloatArray, bounds: IntArray) -> FloatArray:
        """Return the statistics of g stretches of weighted observations.

        Those of several stretches together are the sum of their rows.

        Parameters
        ----------
        weights : array, shape (n,)
        bounds : array of int, shape (g + 1,)
            Stretch i has observations bounds[i] to bounds[i + 1].

        Returns
        -------
        array, shape (g, s)
        """

    def log_marginals(self, statistics: FloatArray) -> FloatArray:
        """Return the joint log-likelihood of the observations behind each of c rows, shape (c,)."""


class JointFamily(Family):
    """A family in which the observations of a component depend on each other.

    Write ``fit``, ``log_prob``, which is then the density of an observation given the others of
    the component, and ``log_marginal``. Runs are ranked by the joint likelihood of the
    observations that each component was assigned. With ``joint_statistics``, the search of curves
    is quicker.
    """

    joint = True

    @abstractmethod
    def log_marginal(self, data: Any, weights: Weights = None) -> float:
        """Return the joint log-likelihood of observations that are assigned to one component."""

    def joint_statistics(self, data: Any) -> JointStatistics | None:
        """Return additive statistics of observations, or None if the family has none.

        With them, the joint likelihoods of many sets of the same observations are quick.
        """
        return None

    def freeze(self, frozen: bool) -> Self:
        """Return this family with its first hyper-parameters, kept in fits, or free to learn them.

        A family without hyper-parameters returns itself.
        """
        return self

    def bank(self, components: Sequence[Family]) -> Bank:
        """Return components of this family as a `Bank`."""
        return JointBank(components)
