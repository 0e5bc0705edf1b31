"""The result of an E-step."""

from dataclasses import dataclass
from typing import Any

from ...data import BoolArray, FloatArray, Hard, IntArray, Membership
from ...families.base import Bank


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
    membership : Membership or None
        Labels or responsibilities. None where they are soft and the M-step takes a single pass.
    """

    statistics: Any
    counts: FloatArray
    sizes: FloatArray
    least_size: float
    total_score: float
    membership: Membership | None

    @property
    def labels(self) -> IntArray | None:
        """The component of each observation, shape (n,), where labels are hard."""
        return self.membership.labels if isinstance(self.membership, Hard) else None

    def too_small(self, bank: Bank) -> BoolArray:
        """Return which components have too few members to be fitted, shape (K,)."""
        return bank.too_small(self.sizes, self.least_size)
