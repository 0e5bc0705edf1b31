"""Which family suits a column, by its values."""

from typing import Any

import numpy as np

from ...data import FloatArray
from ..base import Family
from ..distributions.bernoulli import Bernoulli
from ..distributions.categorical import Categorical
from ..distributions.gamma import Gamma
from ..distributions.gaussian import Gaussian
from ..distributions.log_normal import LogNormal
from ..distributions.negative_binomial import NegativeBinomial
from ..distributions.poisson import Poisson

OVERDISPERSED = 1.5  # variance over mean above which counts are not Poisson
SMALL_COUNTS = 100.0  # mean above which counts are taken to be Gaussian
SKEWED = 1.0  # skewness above which positive numbers are not Gaussian


def choose_family(values: FloatArray, categories: tuple[Any, ...] | None = None) -> Family:
    """Return the family that suits a column.

    Text, categories and truth values are `Categorical`, or `Bernoulli` if there are two of them;
    so are zeros and ones. Whole numbers from zero on with a mean of at most a hundred are counts:
    `Poisson`, or `NegativeBinomial` if their variance is larger than their mean by half.
    Positive numbers with a skewness above one are `LogNormal`, or `Gamma` if the skewness of their
    logarithms is below minus one half. All others are `Gaussian("diag")`.

    Parameters
    ----------
    values : array, shape (n,)
        Numbers or codes; NaN where missing.
    categories : tuple, optional
        The categories of the codes, if the column is not numeric.

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
