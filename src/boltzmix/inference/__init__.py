"""Conclusions from a fitted mixture: how sure it is, what its components are like, and why.

- `profiles`: what each column is like in each component;
- `latent_classes`: classification, fit and residuals of latent classes;
- `information`, `bootstrap`: standard errors of all parameters;
- `three_step`: relations of components to variables outside the mixture;
- `summarised`: components and parameters as tables;
- `interpreted`, `uncertain`: all of these as methods of a fitted mixture.
"""

from .bootstrap.replicated_estimates import Estimate, ReplicatedEstimates
from .bootstrap.result import Bootstrap
from .estimates import Estimates, WaldTest
from .interpreted import Interpreted
from .latent_classes.classification import Classification
from .latent_classes.goodness_of_fit import GoodnessOfFit
from .latent_classes.residuals import BivariateResiduals
from .profiles.column_profile import ColumnProfile
from .profiles.profiles import Profiles, profile
from .summarised import Summarised
from .three_step.analysis import ThreeStepAnalysis
from .three_step.results import CovariateEffects, DistalOutcome
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
    "Summarised",
    "ThreeStepAnalysis",
    "Uncertain",
    "WaldTest",
    "profile",
]
