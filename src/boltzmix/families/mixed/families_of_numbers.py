"""Which family suits a column of numbers, and why.

The rules look at all rows of a column together, of which those of one component are only a part.
They use what holds for a part, too: which values there are at all, and how often they repeat.
"""

from typing import NamedTuple

import numpy as np

from ...data import FloatArray, IntArray
from ..contract.base import Family
from ..distributions.bernoulli import Bernoulli
from ..distributions.beta import Beta
from ..distributions.categorical import Categorical
from ..distributions.gamma import Gamma
from ..distributions.gaussian import Gaussian
from ..distributions.log_normal import LogNormal
from ..distributions.negative_binomial import NegativeBinomial
from ..distributions.poisson import Poisson
from ..distributions.zero_inflated_log_normal import ZeroInflatedLogNormal

FEW_VALUES = 11  # distinct values of a rating: 0 to 10 are eleven
MORE_VALUES = 25  # distinct values of a longer scale, such as years of education
ROWS_PER_VALUE = 5  # so often each value of a rating occurs, on average
ROWS_PER_MORE_VALUES = 10  # so often each value of a longer scale occurs, on average
GAPS = 0.5  # whole numbers that a longer scale may leave out, for each that it has
TAIL = 0.1  # frequency of the largest value, relative to that of the commonest, below which
# numbers from zero on tail off as counts do
UNDERDISPERSED = 0.8  # variance over mean below which whole numbers are not Poisson
OVERDISPERSED = 1.5  # variance over mean above which counts are not Poisson
SMALL_COUNTS = 100.0  # mean above which whole numbers are taken for measurements
MANY_ZEROS = 0.05  # fraction of zeros from which amounts have a point mass at zero
SKEWED = 1.0  # skewness above which positive numbers are not Gaussian
HALF = 0.5  # numbers between 0 and 1 of which none is larger need not be proportions
SPIKE = 0.2  # frequency of one value from which a column is not modelled together with others
TOP, CROWDED = 0.1, 0.05  # of a range, and frequency of numbers there above which they are bounded
ROW_NUMBERS = 20  # so many consecutive whole numbers, each once, are numbers of rows


class Chosen(NamedTuple):
    """The family that was chosen for a column.

    Parameters
    ----------
    family : Family or None
        None, if the column is left out.
    reason : str
    as_categories : bool
        Whether the distinct numbers of the column are categories.
    is_number : bool
        Whether the column may be modelled together with others, as measurements are.
    takes_logarithm : bool
        Whether its logarithms are, because they are less skewed.
    """

    family: Family | None
    reason: str
    as_categories: bool = False
    is_number: bool = False
    takes_logarithm: bool = False


def choose_for_numbers(values: FloatArray) -> Chosen:
    """Return the family that suits numbers (n,), none of which is missing, and the reason.

    The first rule that applies decides:

    1. Zeros and ones, or two values that repeat, are `Bernoulli`.
    2. Consecutive whole numbers, each of which occurs once, are row numbers, and are left out.
    3. Numbers of which few are different are ratings or another scale, `Categorical`: at most 11,
       each of which occurs 5 times on average, or at most 25 almost consecutive whole numbers,
       each of which occurs 10 times. But whole numbers from zero on that tail off are counts.
    4. Counts are whole numbers from zero or one on, with a mean of at most 100: `Poisson`, or
       `NegativeBinomial` if their variance is larger than their mean by half. Whole numbers whose
       variance is less than 0.8 times the mean are not counts, nor are those of which a twentieth
       is in the uppermost tenth of their range, as it is on a scale from 0 to 100.
    5. Amounts of which some are zero, and which are often zero or skewed, are
       `ZeroInflatedLogNormal`, unless they are bounded in the same sense.
    6. Numbers between 0 and 1 are proportions, `Beta`, if some are above one half.
    7. Positive numbers with a skewness above one are `LogNormal`, or `Gamma` if their logarithms
       are skewed to the left.
    8. All others are `Gaussian("diag")`.

    Numbers to which the last three rules apply may be modelled together with others, and so may
    counts with more than 25 different values, unless they are skewed and some are zero: of skewed
    positive numbers, the logarithms. But numbers of which one is in a fifth of the rows may not,
    unless they are bounded, as the ends of a scale are common.
    """
    distinct, counts = np.unique(values, return_counts=True)
    is_whole = bool((distinct == np.floor(distinct)).all())
    if distinct[0] == 0 and distinct[-1] == 1 and len(distinct) == 2:
        return Chosen(Bernoulli(), "zeros and ones")
    if len(distinct) == 2 and len(values) >= 2 * ROWS_PER_VALUE:
        return Chosen(Bernoulli(), "two values", as_categories=True)
    if is_whole and len(distinct) == len(values) >= ROW_NUMBERS and _are_consecutive(distinct, 1):
        words = f"the numbers {distinct[0]:.0f} to {distinct[-1]:.0f}, each once, as of rows"
        return Chosen(None, f"left out: {words}")
    if _are_scale(distinct, counts) and not _tail_off(distinct, counts):
        words = f"a scale of {len(distinct)} numbers, {distinct[0]:g} to {distinct[-1]:g}"
        return Chosen(Categorical(), words, as_categories=True)
    found = _choose_for_counts(values, distinct) if is_whole else None
    return found or _choose_for_measurements(values, distinct)


def _as_number(family: Family, words: str, values: FloatArray) -> Chosen:
    """Return the choice for numbers, which are modelled with others unless one value is common."""
    _, counts = np.unique(values, return_counts=True)
    if counts.max() > max(SPIKE * len(values), 2) and not _are_bounded(values):
        return Chosen(family, words)
    skewed = skewness(values)
    takes_logarithm = values.min() > 0 and SKEWED < skewed > abs(skewness(np.log(values)))
    return Chosen(family, words, is_number=True, takes_logarithm=bool(takes_logarithm))


def _are_scale(distinct: FloatArray, counts: IntArray) -> bool:
    """Whether few numbers are different, so that each is a category of its own."""
    n, n_distinct = counts.sum(), len(distinct)
    if n_distinct <= FEW_VALUES:
        return bool(n >= ROWS_PER_VALUE * n_distinct)
    are_many = n_distinct > MORE_VALUES or n < ROWS_PER_MORE_VALUES * n_distinct
    return not are_many and _are_consecutive(distinct, 1 + GAPS)


def _are_consecutive(distinct: FloatArray, most: float) -> bool:
    """Whether numbers span at most a given number of whole numbers for each of them."""
    return bool(distinct[-1] - distinct[0] + 1 <= most * len(distinct))


def _tail_off(distinct: FloatArray, counts: IntArray) -> bool:
    """Whether whole numbers from zero on become rare, as those of counts do."""
    is_whole = bool((distinct == np.floor(distinct)).all())
    return is_whole and distinct[0] == 0 and bool(counts[-1] < TAIL * counts.max())


def _are_bounded(values: FloatArray) -> bool:
    """Whether many numbers are near the largest, as those of a scale and unlike counts or sums."""
    low, high = values.min(), values.max()
    return bool((values > high - TOP * (high - low)).mean() >= CROWDED)


def _choose_for_counts(values: FloatArray, distinct: FloatArray) -> Chosen | None:
    """Choose for whole numbers that are not a scale; None, if they are measurements."""
    n, low, mean = len(values), distinct[0], values.mean()
    zeros, ones = (values == 0).sum(), (values == 1).sum()
    has_gap = zeros >= MANY_ZEROS * n and ones < MANY_ZEROS * zeros
    is_bounded = len(distinct) > FEW_VALUES and _are_bounded(values)
    if low < 0 or mean > SMALL_COUNTS or (has_gap and len(distinct) > FEW_VALUES) or is_bounded:
        return None
    dispersion = values.var() / mean
    is_like_poisson = UNDERDISPERSED <= dispersion <= OVERDISPERSED
    if dispersion < UNDERDISPERSED or (low > 1 and not is_like_poisson):
        return None
    words = f"counts, variance {dispersion:.2g} times the mean"
    family = Poisson() if is_like_poisson else NegativeBinomial()
    if len(distinct) > MORE_VALUES and (low > 0 or skewness(values) <= SKEWED):
        return _as_number(family, words, values)
    return Chosen(family, words)


def _choose_for_measurements(values: FloatArray, distinct: FloatArray) -> Chosen:
    """Choose for numbers that are neither categories nor counts."""
    low, high, zeros = distinct[0], distinct[-1], float((values == 0).mean())
    above = values[values > 0]
    is_amount = low == 0 and (zeros >= MANY_ZEROS or skewness(above) > SKEWED)
    if is_amount and not _are_bounded(values):
        return Chosen(ZeroInflatedLogNormal(), f"{zeros:.0%} zeros, and amounts above zero")
    if low > 0 and HALF < high < 1:
        return _as_number(Beta(), "proportions between 0 and 1", values)
    skewed = skewness(values)
    if low <= 0 or skewed <= SKEWED:
        words = f"numbers with a skewness of {skewed:.1f}"
        return _as_number(Gaussian("diag"), words, values)
    words = f"positive numbers with a skewness of {skewed:.1f}"
    family = Gamma() if skewness(np.log(values)) < -SKEWED / 2 else LogNormal()
    return _as_number(family, words, values)


def skewness(values: FloatArray) -> float:
    """Return the third standardised moment; zero, if all values are the same.

    Examples
    --------
    >>> round(skewness(np.array([0.0, 0.0, 0.0, 4.0])), 3)
    1.155
    """
    centred = values - values.mean()
    deviation = float(np.sqrt(np.mean(centred**2)))
    return float(np.mean((centred / deviation) ** 3)) if deviation > 0 else 0.0
