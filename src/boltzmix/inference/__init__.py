"""What a fitted mixture says of its data: profiles, classification and fit of latent classes."""

from .classification import Classification
from .column_profile import ColumnProfile
from .interpreted import Interpreted
from .latent_classes import GoodnessOfFit
from .profiles import Profiles, profile
from .residuals import BivariateResiduals

__all__ = [
    "BivariateResiduals",
    "Classification",
    "ColumnProfile",
    "GoodnessOfFit",
    "Interpreted",
    "Profiles",
    "profile",
]
