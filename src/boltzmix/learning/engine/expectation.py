"""The result of an E-step."""

from dataclasses import dataclass
from typing import Any

from ...data import BoolArray, FloatArray
from .assigned import Assigned, EStep
from .state import GateRows


@dataclass(frozen=True)
class Expectation:
    """The result of an E-step.

    Parameters
    ----------
    statistics : what the bank's `summarise` returns
        The statistics of each component's members, for the M-step.
    gate_rows : list of pairs of arrays, shapes (n, q) and (n, K)
        Covariates and responsibilities, block by block, if there is a gate.
    counts : array, shape (C,)
        Total responsibility of each component, and of the background if there is one.
    sizes : array, shape (C,)
        Number of members of each where labels are hard, else as `counts`.
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
    e_step : EStep
        How they were assigned.
    """

    statistics: Any
    gate_rows: GateRows
    counts: FloatArray
    sizes: FloatArray
    least_size: float
    total_score: float
    is_hard: bool
    n_changed: int | None
    assigned: Assigned
    e_step: EStep

    @property
    def too_small(self) -> BoolArray:
        """Which components have too few members to be fitted, shape (K,)."""
        return self.sizes[: len(self.e_step.mixture.bank)] < self.least_size
