"""The result of an E-step."""

from dataclasses import dataclass
from typing import Any

from ...data import BoolArray, FloatArray
from ...families.base import Bank
from .assigned import Assigned, Rule


@dataclass(frozen=True)
class Expectation:
    """The result of an E-step.

    Parameters
    ----------
    statistics : what the bank's `summarise` returns
        The statistics of each component's members, for the M-step.
    counts : array, shape (K,)
        Total responsibility of each component.
    sizes : array, shape (K,)
        Number of members of each component where labels are hard, else as `counts`.
    least_size : float
        A component of a smaller size is not fitted.
    total_score : float
        Sum of the scores of all observations, each times its sample weight.
    is_hard : bool
        Whether each observation is assigned to one component.
    n_changed : int or None
        How many observations changed their component; None where that was not asked for.
    assigned : Assigned
        The assignment of the observations.
    rule : Rule
        How they were assigned.
    """

    statistics: Any
    counts: FloatArray
    sizes: FloatArray
    least_size: float
    total_score: float
    is_hard: bool
    n_changed: int | None
    assigned: Assigned
    rule: Rule

    def too_small(self, bank: Bank) -> BoolArray:
        """Return which components have too few members to be fitted, shape (K,)."""
        return bank.too_small(self.sizes, self.least_size)
