"""The degrees of freedom of Student t distributions, learned by steps of EM."""

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, psi

from ...data import FloatArray

if TYPE_CHECKING:
    from .student_t import StudentT

FIRST_DEGREES = 10.0
UNCHANGED = 1e-3  # relative change of the degrees that is not computed any closer


def next_degrees(family: "StudentT", totals: FloatArray, pulls: FloatArray) -> float:
    """Return the degrees of freedom after a step of EM, the same for all components.

    EM is slow here, so the step is taken twice as far where that is no less likely.

    Parameters
    ----------
    family : StudentT
        With the degrees before.
    totals : array, shape (K,)
        Total responsibilities.
    pulls : array, shape (K,)
        Sums of the expected logarithms of the precisions less the precisions.
    """
    least, most = family.least_degrees, family.most_degrees
    if family.degrees is None:
        return float(np.clip(FIRST_DEGREES, least, most))
    if not family.learned or totals.sum() <= 0:
        return float(family.degrees)
    before, pull = float(family.degrees), float(pulls.sum() / totals.sum())

    def slope(degrees: float) -> float:
        return float(np.log(degrees / 2) + 1 - psi(degrees / 2) + pull)

    def expected(degrees: float) -> float:
        """Return the expected log-likelihood of the precisions, per row."""
        half = degrees / 2
        return float(half * np.log(half) - gammaln(half) + half * pull)

    if slope(most) >= 0:
        found = most
    elif slope(least) <= 0:
        found = least
    else:
        found = float(brentq(slope, least, most, rtol=UNCHANGED))
    further = float(np.clip(found**2 / before, least, most))
    return max(further, found, before, key=expected) if further != found else found
