"""What a fitted mixture says of its data, and how sure it is of its parameters."""

from .bootstrap import Bootstrap
from .bootstrap_making import make_bootstrap
from .classification import Classification
from .column_profile import ColumnProfile
from .estimates import Estimate, Estimates
from .interpreted import Interpreted
from .latent_classes import GoodnessOfFit
from .profiles import Profiles, profile
from .residuals import BivariateResiduals

__all__ = [
    "BivariateResiduals",
    "Bootstrap",
    "Classification",
    "ColumnProfile",
    "Estimate",
    "Estimates",
    "GoodnessOfFit",
    "Interpreted",
    "Profiles",
    "make_bootstrap",
    "profile",
]
