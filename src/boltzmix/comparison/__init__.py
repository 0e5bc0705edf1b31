"""Which mixture: fits of several families and numbers of components, and criteria to choose by."""

from .candidate import CRITERIA, DEFAULT_CRITERION, Candidate, Measures, check_criterion, measure
from .comparison import Comparison
from .resampling import FOLDS, BootstrapTest, cross_validate
from .words import AGREEMENT, HELD_OUT

__all__ = [
    "AGREEMENT",
    "CRITERIA",
    "DEFAULT_CRITERION",
    "FOLDS",
    "HELD_OUT",
    "BootstrapTest",
    "Candidate",
    "Comparison",
    "Measures",
    "check_criterion",
    "cross_validate",
    "measure",
]
