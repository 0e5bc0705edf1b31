"""What a recipe chooses: assignment, temperature, weights, stopping rule, small components."""

from dataclasses import dataclass

from ..engine.e_step import Assignment
from .assignment import argmax, sampled, soft
from .small_components import POLICIES, Policy
from .stopping import Stopping, either, labels_fixed, length, patience, tolerance
from .temperature import Temperature, constant, falling_entropy, geometric, linear, rising_beta
from .weights import WEIGHTINGS, Weighting, learned, uniform


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
        What is done about components that are too small to be fitted, by name in `POLICIES`.
    returns_best : bool
        Whether the run returns its best state by score, or its last one.
    frozen : bool
        Whether hyper-parameters, where a family has them, are those it began with.
    """

    assignment: Assignment
    temperature: Temperature
    weights: Weighting
    stopping: Stopping
    small: Policy
    returns_best: bool
    frozen: bool = False


__all__ = [
    "POLICIES",
    "WEIGHTINGS",
    "Assignment",
    "Parts",
    "Policy",
    "Stopping",
    "Temperature",
    "Weighting",
    "argmax",
    "constant",
    "either",
    "falling_entropy",
    "geometric",
    "labels_fixed",
    "learned",
    "length",
    "linear",
    "patience",
    "rising_beta",
    "sampled",
    "soft",
    "tolerance",
    "uniform",
]
