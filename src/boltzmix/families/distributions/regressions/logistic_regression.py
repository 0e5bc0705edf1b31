"""Logistic regression: successes in trials, whose log odds are linear in the inputs."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, gammaln, logit

from ....data import AnyArray, BoolArray, FloatArray, Name
from ...regression.generalised_linear import GeneralisedLinear
from ...regression.regression_columns import RegressionColumns
from ...regression.responses import Dispersion, Outcomes, Response, Slopes


class BinomialResponse(Response):
    """Successes with a binomial distribution, whose linear predictor is the log odds."""

    link_name = "logit"
    takes = "whole numbers from 0 to the number of trials, which is 1 unless trials= names a column"

    def log_kernel(
        self, outcomes: Outcomes, predictor: FloatArray, dispersion: Dispersion
    ) -> FloatArray:
        return outcomes.targets * predictor - outcomes.trials * np.logaddexp(0.0, predictor)

    def log_base(self, outcomes: Outcomes) -> FloatArray:
        """Return the logarithms of the binomial coefficients."""
        successes, trials = outcomes
        return gammaln(trials + 1) - gammaln(successes + 1) - gammaln(trials - successes + 1)

    def slopes(self, outcomes: Outcomes, predictor: FloatArray, dispersion: Dispersion) -> Slopes:
        chance = expit(predictor)
        expected = outcomes.trials * chance
        return outcomes.targets - expected, expected * (1 - chance)

    def level(self, outcomes: Outcomes, offset: FloatArray, weights: FloatArray) -> float:
        """Return the intercept that fits the mean; a half is added to successes and failures."""
        chance = (weights @ outcomes.targets + 0.5) / (weights @ outcomes.trials + 1.0)
        return float(logit(chance) - np.average(offset, weights=weights))

    def mean(self, predictor: FloatArray) -> FloatArray:
        """Return the probability of success."""
        return expit(predictor)

    def deviation(self, mean: FloatArray, dispersion: Dispersion) -> FloatArray:
        return np.sqrt(mean * (1 - mean))

    def draw(
        self, mean: FloatArray, trials: FloatArray, dispersion: Dispersion, rng: np.random.Generator
    ) -> AnyArray:
        return rng.binomial(trials.astype(int), mean)

    def outside(self, outcomes: Outcomes) -> BoolArray:
        """Return which targets are no number of successes."""
        successes, trials = outcomes
        return (successes < 0) | (successes > trials) | (successes % 1 != 0)


@dataclass(frozen=True, eq=False, repr=False)
class LogisticRegression(GeneralisedLinear):
    """Successes in one or several trials, whose log odds are a linear function of the inputs.

    Inputs have no distribution of their own: `log_prob` is the log probability of the successes,
    given the inputs. Columns of text in a frame become indicators of their categories. A mixture of
    these can only be distinguished where there are several trials, or where inputs differ.

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
        come first, as in ``"cured ~ age + sex"``: then `y` is not needed.
    offset : str or int, optional
        A column of X that is added to the linear predictor, and is no input.
    exposure : str or int, optional
        A column of X whose logarithm is added to the linear predictor, and is no input.
    trials : str or int, optional
        A column of X with the number of trials of each row, of which the target counts the
        successes; one trial each if absent.

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
    >>> data = Regression.of([[0.0], [1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1, 1])
    >>> LogisticRegression().fit(data)
    LogisticRegression(intercept=-1.558, coefficients=[1.0904])
    """

    response = BinomialResponse()
    trials: Name | None = None

    @property
    def used_columns(self) -> RegressionColumns:
        return RegressionColumns(self.formula, self.offset, self.exposure, self.trials)
