"""Which family suits a column, by what it holds."""

from typing import Any

import numpy as np

from ..data import FloatArray
from .base import Family
from .bernoulli import Bernoulli
from .categorical import Categorical
from .gamma import Gamma
from .gaussian import Gaussian
from .log_normal import LogNormal
from .negative_binomial import NegativeBinomial
from .poisson import Poisson

OVERDISPERSED = 1.5  # variance over mean from which counts are no Poisson's
SMALL_COUNTS = 100.0  # mean above which counts are as good as Gaussian
SKEWED = 1.0  # skewness from which positive numbers are no Gaussian's


def choose_family(values: FloatArray, categories: tuple[Any, ...] | None = None) -> Family:
    """Return the family that suits a column.

    Text, categories and truth values are `Categorical`, or `Bernoulli` if there are two of them;
    so are zeros and ones. Whole numbers from zero on with a mean of at most a hundred are counts:
    `Poisson`, or `NegativeBinomial` if their variance is larger than their mean by half.
    Positive numbers whose skewness is above one are `LogNormal`, or `Gamma` if their logarithms
    are skewer still to the other side. All others are `Gaussian("diag")`.

    Parameters
    ----------
    values : array, shape (n,)
        Numbers or codes; NaN where missing.
    categories : tuple, optional
        What codes stand for, where the column is not of numbers.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> choose_family(rng.poisson(3.0, 1000).astype(float)), choose_family(rng.normal(size=1000))
    (Poisson(), Gaussian('diag'))
    """
    present = values[~np.isnan(values)]
    if categories is not None:
        return Bernoulli() if len(categories) == 2 else Categorical()
    if not len(present):
        return Gaussian("diag")
    lowest, mean = present.min(), present.mean()
    if lowest >= 0 and (present == np.floor(present)).all():
        if present.max() <= 1:
            return Bernoulli()
        if mean <= SMALL_COUNTS:
            return NegativeBinomial() if present.var() > OVERDISPERSED * mean else Poisson()
    if lowest > 0 and _skewness(present) > SKEWED:
        left = -_skewness(np.log(present))
        return Gamma() if left > SKEWED / 2 else LogNormal()
    return Gaussian("diag")


def _skewness(values: FloatArray) -> float:
    """Return the third standardised moment; zero, if all values are the same."""
    centred = values - values.mean()
    deviation = float(np.sqrt(np.mean(centred**2)))
    return float(np.mean((centred / deviation) ** 3)) if deviation > 0 else 0.0
