"""Conclusions from a fitted mixture: how sure it is, what its components are like, and why."""

from .classification import Classification
from .column_profile import ColumnProfile
from .estimates import Estimates, WaldTest
from .interpreted import Interpreted
from .latent_classes import GoodnessOfFit
from .profiles import Profiles, profile
from .residuals import BivariateResiduals
from .three_step_analysis import ThreeStepAnalysis
from .three_step_results import CovariateEffects, DistalOutcome

__all__ = [
    "BivariateResiduals",
    "Classification",
    "ColumnProfile",
    "CovariateEffects",
    "DistalOutcome",
    "Estimates",
    "GoodnessOfFit",
    "Interpreted",
    "Profiles",
    "ThreeStepAnalysis",
    "WaldTest",
    "profile",
]
