"""What a fitted mixture says of its data: profiles, classification and fit of latent classes."""

from .classification import Classification, classify
from .column_profile import ColumnProfile
from .latent_classes import GoodnessOfFit, goodness_of_fit
from .profiles import Profiles, profile
from .residuals import BivariateResiduals, bivariate_residuals

__all__ = [
    "BivariateResiduals",
    "Classification",
    "ColumnProfile",
    "GoodnessOfFit",
    "Profiles",
    "bivariate_residuals",
    "classify",
    "goodness_of_fit",
    "profile",
]
