"""Gamma regression: positive numbers whose log mean is linear in the inputs."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import gammaln

from ....data import AnyArray, BoolArray, FloatArray, Regression, Weights
from ...columns.roots import MOST_SHAPE, likeliest_shape
from ...regression.generalised_linear import GeneralisedLinear
from ...regression.responses import Dispersion, Limits, LogLink, Outcomes, Slopes, bounded
from ...shared.validation import read_floor, read_positive


class GammaResponse(LogLink):
    """Positive numbers with a gamma distribution, whose dispersion is the shape."""

    takes = "numbers above zero"

    def log_kernel(
        self, outcomes: Outcomes, predictor: FloatArray, dispersion: Dispersion
    ) -> FloatArray:
        logs = np.log(outcomes.targets) - predictor
        constants = dispersion * np.log(dispersion) - gammaln(dispersion)
        return dispersion * (logs - np.exp(logs)) + constants

    def log_base(self, outcomes: Outcomes) -> FloatArray:
        """Return minus the logarithms of the targets."""
        return -np.log(outcomes.targets)

    def slopes(self, outcomes: Outcomes, predictor: FloatArray, dispersion: Dispersion) -> Slopes:
        ratio = dispersion * outcomes.targets * np.exp(-predictor)
        return ratio - dispersion, ratio

    def likeliest_dispersion(
        self, outcomes: Outcomes, predictor: FloatArray, weights: FloatArray, limits: Limits
    ) -> float:
        logs = np.log(outcomes.targets) - predictor
        gap = weights @ (np.expm1(logs) - logs) / weights.sum()
        return float(likeliest_shape(np.array([gap]), most_shape(limits.least_variance))[0])

    def level(self, outcomes: Outcomes, offset: FloatArray, weights: FloatArray) -> float:
        return float(np.log((weights @ outcomes.targets) / (weights @ np.exp(bounded(offset)))))

    def deviation(self, mean: FloatArray, dispersion: Dispersion) -> FloatArray:
        return mean / np.sqrt(dispersion)

    def draw(
        self, mean: FloatArray, trials: FloatArray, dispersion: Dispersion, rng: np.random.Generator
    ) -> AnyArray:
        drawn = rng.standard_gamma(dispersion, mean.shape) * mean / dispersion
        return np.maximum(drawn, np.finfo(float).tiny)

    def outside(self, outcomes: Outcomes) -> BoolArray:
        """Return which targets are not above zero."""
        return np.asarray(outcomes.targets <= 0)


@dataclass(frozen=True, eq=False, repr=False)
class GammaRegression(GeneralisedLinear):
    """Positive numbers with a gamma distribution, whose log mean is linear in the inputs.

    The standard deviation is the mean over the square root of the shape. Inputs have no
    distribution of their own: `log_prob` is the log density of the targets, given the inputs.
    Columns of text in a frame become indicators of their categories.

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
        The inputs, such as ``"age + sex"``; all columns if absent. The name of the target may
        come first, as in ``"cost ~ age + sex"``: then `y` is not needed.
    offset : str or int, optional
        A column of X that is added to the linear predictor, and is no input.
    exposure : str or int, optional
        A column of X whose logarithm is added to the linear predictor, and is no input.
    floor : float, default=1e-4
        The least squared coefficient of variation of a component, which is one over the shape, as a
        fraction of that of all targets over the square of the number of components.

    Attributes
    ----------
    design : Design
        How columns of X become inputs. Set by `fit` or `prepare`, as all that follows.
    input_names : tuple of str
    scales : RegressionScales
    intercept : float
    coefficients : array, shape (q,)
    shape : float

    Examples
    --------
    >>> from boltzmix.data import Regression
    >>> data = Regression.of([[0.0], [1.0], [2.0], [3.0]], [1.0, 2.5, 4.0, 10.0])
    >>> GammaRegression().fit(data)
    GammaRegression(intercept=0.04971, coefficients=[0.7377], shape=100.7)
    """

    response = GammaResponse()
    dispersion_name: ClassVar = "shape"

    floor: float = 1e-4
    shape: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        read_floor(self)
        read_positive(self, "shape", axes=(0,))

    def least_variance(self, data: Regression, n_components: int, weights: Weights) -> FloatArray:
        """Return the least squared coefficient of variation, shape (1,)."""
        targets = data.targets[:, 0]
        if targets.min() == targets.max():
            raise ValueError(
                f"y is constant (every value is {targets[0]:g}), so components cannot differ in it:"
                " GammaRegression needs targets that vary."
            )
        mean = np.average(targets, weights=weights)
        gap = np.log(mean) - np.average(np.log(targets), weights=weights)
        return self.floor / likeliest_shape(np.array([gap])) / n_components**2

    @property
    def is_degenerate(self) -> bool:
        """Whether the coefficient of variation is at its floor."""
        least = float(self.prepared_scales.least_variance[0])
        return self.shape is not None and self.shape >= 0.999 * most_shape(least)


def most_shape(least_variance: float) -> float:
    """Return the largest shape, given the least squared coefficient of variation."""
    return min(1 / least_variance, MOST_SHAPE)
