"""Conclusions from a fitted mixture: how sure it is, what its components are like, and why.

- `profiles`: what each column is like in each component;
- `latent_classes`: classification, fit and residuals of latent classes;
- `estimates`, `information`, `standard_errors`, `bootstrap`: how sure all parameters are;
- `three_step`: relations of components to variables outside the mixture;
- `named_values`: all parameters by name.
"""

from .bootstrap.making import bootstrap_parameters
from .bootstrap.result import Bootstrap, ReplicatedEstimates
from .estimates import Estimate, Estimates, WaldTest
from .latent_classes.classification import Classification, classify_observations
from .latent_classes.goodness_of_fit import GoodnessOfFit, goodness_of_fit
from .latent_classes.residuals import BivariateResiduals, bivariate_residuals
from .named_values import parameters_frame
from .profiles.column_information import rank_columns, summarise
from .profiles.column_profile import ColumnProfile
from .profiles.profiles import Profiles, profile, profile_mixture
from .standard_errors import membership_effects, standard_errors
from .three_step.relations import three_step
from .three_step.three_step_results import CovariateEffects, DistalOutcome

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
    "Profiles",
    "ReplicatedEstimates",
    "WaldTest",
    "bivariate_residuals",
    "bootstrap_parameters",
    "classify_observations",
    "goodness_of_fit",
    "membership_effects",
    "parameters_frame",
    "profile",
    "profile_mixture",
    "rank_columns",
    "standard_errors",
    "summarise",
    "three_step",
]
