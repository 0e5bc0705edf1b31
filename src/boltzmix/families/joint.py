"""The contract of a family in which the observations of a component depend on each other."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

from ..data import FloatArray
from .bank import Bank, JointBank
from .base import Family


class JointFamily(Family):
    """A family in which the observations of a component depend on each other.

    Write ``fit``, ``log_prob``, which is then the density of an observation given the others of
    the component, and ``log_marginal``. Runs are ranked by the joint likelihood of the
    observations that each component was assigned.
    """

    joint = True

    @abstractmethod
    def log_marginal(self, data: Any, weights: FloatArray | None = None) -> float:
        """Return the joint log-likelihood of observations that are assigned to one component."""

    def freeze(self, frozen: bool) -> Self:
        """Return this family with its first hyper-parameters, kept in fits, or free to learn them.

        A family without hyper-parameters returns itself.
        """
        return self

    def bank(self, components: Sequence[Family]) -> Bank:
        """Return components of this family as a `Bank`."""
        return JointBank(components)
