"""The parts that a recipe chooses, and the type of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...data import BoolArray, FloatArray
from .assigned import Assignment
from .expectation import Expectation
from .state import MixtureState, Step
from .training_data import TrainingData
from .workers import Workers

Temperature = Callable[[Sequence[Step], Callable[[], FloatArray]], float]
Weighting = Callable[[FloatArray], FloatArray]
Stopping = Callable[[Sequence[Step]], bool]
Policy = Callable[[MixtureState, TrainingData, Expectation, Workers], tuple[Any, BoolArray]]
Extrapolation = Callable[[Expectation], Expectation]


@dataclass(frozen=True)
class EstimatedStopping:
    """A stopping rule that estimates how many M-steps are left.

    Parameters
    ----------
    is_over : function
        From the steps so far to whether the run is over.
    n_left : function
        From the steps so far to the estimate, or to None where there is none.
    """

    is_over: Stopping
    n_left: Callable[[Sequence[Step]], int | None]

    def __call__(self, steps: Sequence[Step]) -> bool:
        return self.is_over(steps)


def estimate_left(stopping: Stopping, steps: Sequence[Step], max_iter: int) -> int | None:
    """Estimate how many M-steps are left, at most until `max_iter`; None if the rule does not."""
    if not isinstance(stopping, EstimatedStopping):
        return None
    n_left = stopping.n_left(steps)
    return None if n_left is None else min(n_left, max_iter - steps[-1].iteration)


@dataclass(frozen=True)
class Parts:
    """The parts that a recipe chooses, each a function.

    Parameters
    ----------
    assignment : function
        From the log-likelihood matrix to labels or responsibilities: `soft`, `argmax` or
        ``sampled(score)``.
    temperature : function
        From the steps so far to the temperature of the next: `constant`, `geometric`, ….
    weights : function
        From the total responsibilities of the components to their weights: `uniform`, `learned`.
    stopping : function
        From the steps so far to whether the run is over: `tolerance`, `patience`, `length`, ….
    small : function
        A policy for components that are too small to be fitted, by name in `POLICIES`.
    returns_best : bool
        Whether the run returns its best state by score, or its last one.
    frozen : bool
        Whether hyper-parameters, where a family has them, are those it began with.
    extrapolation : function, optional
        From the result of an E-step to what the M-step takes in place of it.
    """

    assignment: Assignment
    temperature: Temperature
    weights: Weighting
    stopping: Stopping
    small: Policy
    returns_best: bool
    frozen: bool = False
    extrapolation: Extrapolation | None = None
