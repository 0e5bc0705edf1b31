"""Which mixture: fits of several families and numbers of components, and criteria to choose by."""

from .bootstrap import BootstrapTest
from .candidate import CRITERIA, DEFAULT_CRITERION, Candidate, check_criterion
from .comparison import Comparison
from .cross_validation import FOLDS, cross_validate
from .measures import Measures, measure
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
