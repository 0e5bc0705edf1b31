"""Conclusions from a fitted mixture: how sure it is, what its components are like, and why."""

from .bootstrap import Bootstrap
from .classification import Classification
from .column_profile import ColumnProfile
from .estimates import Estimates, WaldTest
from .interpreted import Interpreted
from .latent_classes import GoodnessOfFit
from .profiles import Profiles, profile
from .replicated_estimates import Estimate, ReplicatedEstimates
from .residuals import BivariateResiduals
from .three_step_analysis import ThreeStepAnalysis
from .three_step_results import CovariateEffects, DistalOutcome
from .uncertain import Uncertain

__all__ = [
    "BivariateResiduals",
    "Bootstrap",
    "Classification",
    "ColumnProfile",
    "CovariateEffects",
    "DistalOutcome",
    "Estimate",
    "Estimates",
    "GoodnessOfFit",
    "Interpreted",
    "Profiles",
    "ReplicatedEstimates",
    "ThreeStepAnalysis",
    "Uncertain",
    "WaldTest",
    "profile",
]
