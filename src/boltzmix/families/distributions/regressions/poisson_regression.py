"""Poisson regression: counts whose log mean is linear in the inputs."""

from dataclasses import dataclass

import numpy as np

from ....data import AnyArray, FloatArray
from ...regression.generalised_linear import GeneralisedLinear
from ...regression.responses import Counts, Dispersion, Outcomes, Slopes
from ...shared.validation import MOST_WHOLE


class PoissonResponse(Counts):
    """Counts with a Poisson distribution."""

    def log_kernel(
        self, outcomes: Outcomes, predictor: FloatArray, dispersion: Dispersion
    ) -> FloatArray:
        return outcomes.targets * predictor - np.exp(predictor)

    def slopes(self, outcomes: Outcomes, predictor: FloatArray, dispersion: Dispersion) -> Slopes:
        mean = np.exp(predictor)
        return outcomes.targets - mean, mean

    def deviation(self, mean: FloatArray, dispersion: Dispersion) -> FloatArray:
        return np.sqrt(mean)

    def draw(
        self, mean: FloatArray, trials: FloatArray, dispersion: Dispersion, rng: np.random.Generator
    ) -> AnyArray:
        return rng.poisson(np.minimum(mean, MOST_WHOLE))


@dataclass(frozen=True, eq=False, repr=False)
class PoissonRegression(GeneralisedLinear):
    """Counts whose logarithmic mean is a linear function of the inputs.

    Inputs have no distribution of their own: `log_prob` is the log probability of the counts,
    given the inputs. Columns of text in a frame become indicators of their categories.

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

    Examples
    --------
    >>> from boltzmix.data import Regression
    >>> data = Regression.of([[0.0], [1.0], [2.0], [3.0]], [1, 2, 5, 9])
    >>> PoissonRegression().fit(data)
    PoissonRegression(intercept=0.05139, coefficients=[0.7255])
    """

    response = PoissonResponse()
