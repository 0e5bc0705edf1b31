"""The degrees of freedom of Student t distributions, learned by steps of EM."""

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, polygamma, psi

from ...data import FloatArray

if TYPE_CHECKING:
    from .student_t import StudentT

FIRST_DEGREES = 10.0
UNCHANGED = 1e-6  # relative change of the degrees that is not computed any closer
LONGEST_STEP = 2.0  # times the step of EM: about as far as the expected log-likelihood allows


def next_degrees(family: "StudentT", d: int, totals: FloatArray, pulls: FloatArray) -> float:
    """Return the degrees of freedom after a step of EM, the same for all components.

    A step of EM is short where rows say little about their precisions. It is then taken up to
    twice as far, but only as far as the expected log-likelihood is no lower than before the step:
    that suffices for the likelihood to rise.

    Parameters
    ----------
    family : StudentT
        With the degrees before.
    d : int
        Number of columns.
    totals : array, shape (K,)
        Total responsibilities.
    pulls : array, shape (K,)
        Sums of the expected logarithms of the precisions less the precisions.
    """
    least, most = family.least_degrees_in(d), family.most_degrees
    if family.degrees is None:
        return float(np.clip(FIRST_DEGREES, least, most))
    if not family.learned or totals.sum() <= 0:
        return float(family.degrees)
    before, pull = float(family.degrees), float(pulls.sum() / totals.sum())
    found = _most_likely(pull, least, most)

    def gain(degrees: float) -> float:
        return expected_log_likelihood(degrees, pull) - expected_log_likelihood(before, pull)

    if gain(found) <= 0:
        return before
    further = found * (found / before) ** (_step_length(before, d) - 1)
    further = float(np.clip(further, least, most))
    while gain(further) < 0:
        further = float(np.sqrt(found * further))
    return further


def expected_log_likelihood(degrees: float, pull: float) -> float:
    """Return the expected log-likelihood of the precisions, per row, but for a constant."""
    half = degrees / 2
    return float(half * np.log(half) - gammaln(half) + half * pull)


def _most_likely(pull: float, least: float, most: float) -> float:
    """Return the degrees of the highest expected log-likelihood."""

    def slope(degrees: float) -> float:
        return float(np.log(degrees / 2) + 1 - psi(degrees / 2) + pull)

    if slope(most) >= 0:
        return most
    if slope(least) <= 0:
        return least
    return float(brentq(slope, least, most, rtol=UNCHANGED))


def _step_length(degrees: float, d: int) -> float:
    """Return how far to go, in steps of EM: what they lack for a step of Fisher scoring, at most 2.

    It is the information that rows and their precisions have about the degrees, over what rows
    alone have.
    """
    complete = polygamma(1, degrees / 2) - 2 / degrees
    total = degrees + d
    observed = complete - (
        polygamma(1, total / 2)
        - 2 / degrees
        + 2 * d * (total + 4) / (degrees * total * (total + 2))
    )
    return float(np.clip(complete / max(observed, complete / LONGEST_STEP), 1, LONGEST_STEP))
