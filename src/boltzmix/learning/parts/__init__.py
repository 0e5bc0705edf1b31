"""The parts that a recipe chooses: assignment, temperature, weights, stopping rule and others."""

from ..engine.assigned import Assignment
from ..engine.contract import (
    EstimatedStopping,
    Parts,
    Policy,
    Stopping,
    Temperature,
    Weighting,
)
from .assignment import argmax, sampled, soft
from .small_components import POLICIES
from .stopping import (
    either,
    has_converged,
    labels_fixed,
    length,
    never,
    patience,
    small_gain,
    tolerance,
)
from .temperature import constant, falling_entropy, geometric, linear, rising_beta
from .weights import WEIGHTINGS, learned, uniform

__all__ = [
    "POLICIES",
    "WEIGHTINGS",
    "Assignment",
    "EstimatedStopping",
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
    "has_converged",
    "labels_fixed",
    "learned",
    "length",
    "linear",
    "never",
    "patience",
    "rising_beta",
    "sampled",
    "small_gain",
    "soft",
    "tolerance",
    "uniform",
]
