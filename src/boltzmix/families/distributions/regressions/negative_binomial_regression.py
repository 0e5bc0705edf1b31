"""Negative binomial regression: overdispersed counts whose log mean is linear in the inputs."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import digamma, expit, gammaln, zeta

from ....data import AnyArray, FloatArray
from ...columns.roots import decreasing_root
from ...regression.generalised_linear import GeneralisedLinear
from ...regression.responses import Counts, Dispersion, Limits, Outcomes, Slopes
from ...shared.validation import MOST_WHOLE, read_positive

LEAST_SIZE, MOST_SIZE = 1e-6, 1e6


class NegativeBinomialResponse(Counts):
    """Counts with a negative binomial distribution, whose dispersion is the size."""

    def log_kernel(
        self, outcomes: Outcomes, predictor: FloatArray, dispersion: Dispersion
    ) -> FloatArray:
        counts, log_size = outcomes.targets, np.log(dispersion)
        log_sum = np.logaddexp(log_size, predictor)
        ratio = gammaln(counts + dispersion) - gammaln(dispersion)
        return ratio + counts * (predictor - log_sum) - dispersion * (log_sum - log_size)

    def slopes(self, outcomes: Outcomes, predictor: FloatArray, dispersion: Dispersion) -> Slopes:
        fraction = expit(predictor - np.log(dispersion))
        total = (outcomes.targets + dispersion) * fraction
        return outcomes.targets - total, total * (1 - fraction)

    def likeliest_dispersion(
        self, outcomes: Outcomes, predictor: FloatArray, weights: FloatArray, limits: Limits
    ) -> float:
        start = limits.start or 1.0
        mean = np.exp(predictor)
        distinct, place = np.unique(outcomes.targets, return_inverse=True)
        often = np.bincount(place, weights)

        def excess(sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
            size = float(sizes[0])
            total, gap = size + mean, outcomes.targets - mean
            value = often @ (digamma(distinct + size) - digamma(size))
            value -= weights @ (np.log1p(mean / size) + gap / total)
            slope = often @ (zeta(2, distinct + size) - zeta(2, size))  # the trigamma function
            slope += weights @ (mean / (size * total) + gap / total**2)
            return np.array([value]), np.array([slope])

        return float(decreasing_root(excess, np.array([start]), LEAST_SIZE, MOST_SIZE)[0])

    def deviation(self, mean: FloatArray, dispersion: Dispersion) -> FloatArray:
        return np.sqrt(mean + mean**2 / dispersion)

    def draw(
        self, mean: FloatArray, trials: FloatArray, dispersion: Dispersion, rng: np.random.Generator
    ) -> AnyArray:
        rates = mean * rng.standard_gamma(dispersion, mean.shape) / dispersion
        return rng.poisson(np.minimum(rates, MOST_WHOLE))


@dataclass(frozen=True, eq=False, repr=False)
class NegativeBinomialRegression(GeneralisedLinear):
    """Counts with a larger variance than Poisson, whose log mean is linear in the inputs.

    The variance is mean + mean² / size. Inputs have no distribution of their own: `log_prob` is
    the log probability of the counts, given the inputs. Columns of text in a frame become
    indicators of their categories.

    Parameters
    ----------
    degree : int, default=1
        The features are all products of up to `degree` inputs: with 1 the linear predictor is a
        line or plane, with 2 a parabola. Above 1, they are products of standardised inputs.
    features : function of inputs (n, p) returning features (n, q), optional
        Takes the place of `degree`.
    ridge : float, default=1e-6
        Precision of a Gaussian prior with mean zero of the coefficients of standardised features.
        The default hardly shows, and gives few or repeated inputs a solution too.
    formula : str or sequence of columns, optional
        The inputs, such as ``"age + sex"``; all columns if absent. The name of the column of counts
        may come first, as in ``"visits ~ age + sex"``: then `y` is not needed.
    offset : str or int, optional
        A column of X that is added to the linear predictor, and is no input.
    exposure : str or int, optional
        A column of X whose logarithm is added to the linear predictor, and is no input.

    Attributes
    ----------
    design : Design
        How columns of X become inputs. Set by `fit` or `prepare`, as all that follows.
    input_names : tuple of str
    scales : RegressionScales
    intercept : float
    coefficients : array, shape (q,)
    size : float
        The larger, the closer to Poisson. It is at most a million, which is the size of counts
        that are not overdispersed.

    Examples
    --------
    >>> from boltzmix.data import Regression
    >>> data = Regression.of([[0.0], [0.0], [1.0], [1.0], [2.0]], [0, 4, 1, 14, 20])
    >>> NegativeBinomialRegression().fit(data)
    NegativeBinomialRegression(intercept=0.7619, coefficients=[1.1612], size=1.436)
    """

    response = NegativeBinomialResponse()
    dispersion_name: ClassVar = "size"

    size: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        read_positive(self, "size", axes=(0,))
