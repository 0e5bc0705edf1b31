"""The objective of a generalised linear model: its weighted log-likelihood, plus the log prior."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...data import FloatArray, Regression
from .responses import Limits, Outcomes, bounded, offset_of

if TYPE_CHECKING:
    from .generalised_linear import GeneralisedLinear

STEPS, HALVINGS = 100, 40
CLOSE = 1e-10  # expected gain, relative to the scale, below which a step is the last

Value = Callable[[FloatArray], float]
Slopes = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


def newton_maximum(value: Value, slopes: Slopes, start: FloatArray, scale: float) -> FloatArray:
    """Return where a concave function is largest; its value is never less than at the start.

    Parameters
    ----------
    value : function of numbers (p,)
    slopes : function of numbers (p,) returning the gradient (p,) and minus the Hessian (p, p)
    start : array, shape (p,)
    scale : float
        Change of the function that counts as one, such as the number of observations.

    Examples
    --------
    >>> found = newton_maximum(
    ...     lambda x: float(3 * x[0] - np.exp(x[0])),
    ...     lambda x: (3 - np.exp(x), np.exp(x)[:, None]),
    ...     np.zeros(1),
    ...     1.0,
    ... )
    >>> np.exp(found).round(6)
    array([3.])
    """
    place, height = start, value(start)
    for _ in range(STEPS):
        gradient, curvature = slopes(place)
        step = _solve(curvature, gradient)
        gain = float(gradient @ step) / 2
        following, reached = _halved(value, place, step, height)
        if following is None:
            break
        place, height = following, reached
        if gain < CLOSE * scale:
            break
    return place


def _solve(curvature: FloatArray, gradient: FloatArray) -> FloatArray:
    """Return the step of Newton's method; the shortest one, where several are equal."""
    unit = np.sqrt(np.maximum(np.diagonal(curvature), np.finfo(float).tiny))
    scaled = curvature / unit / unit[:, None]
    return np.asarray(np.linalg.lstsq(scaled, gradient / unit, rcond=None)[0] / unit)


def _halved(
    value: Value, place: FloatArray, step: FloatArray, height: float
) -> tuple[FloatArray | None, float]:
    """Return where a step leads, halved until the function does not fall, and the value there."""
    for _ in range(HALVINGS):
        following = place + step
        reached = value(following)
        if reached >= height:
            return following, reached
        step = step / 2
    return None, height


class PenalisedLikelihood:
    """The weighted log-likelihood of some observations, plus the log prior."""

    def __init__(self, family: "GeneralisedLinear", data: Regression, weights: FloatArray) -> None:
        scales = family.prepared_scales
        standard = (family.expand(data.inputs) - scales.feature_centre) / scales.features
        self.rows = np.column_stack([np.ones(len(data)), standard])
        self.family, self.weights, self.prior = family, weights, family.coefficient_prior
        self.outcomes, self.offset = Outcomes.of(data), offset_of(data)
        self.total = float(weights.sum())

    def start(self) -> tuple[FloatArray, float | None]:
        """Return where the maximum is searched from: the fitted parameters, if they are better."""
        flat = self.prior[0].copy()
        if self.total > 0:
            flat[0] = self.family.response.level(self.outcomes, self.offset, self.weights)
        if self.family.coefficients is None:
            return flat, self.dispersion(flat, None)
        own, dispersion = self.family.standard, self.family.dispersion
        better = self.value(own, dispersion) >= self.value(flat, dispersion)
        return own if better else flat, dispersion

    def predictor(self, place: FloatArray) -> FloatArray:
        """Return the linear predictors, shape (n,)."""
        return bounded(self.rows @ place + self.offset)

    def value(self, place: FloatArray, dispersion: float | None) -> float:
        """Return the objective; minus infinity where it overflows."""
        with np.errstate(over="ignore", invalid="ignore"):
            kernel = self.family.response.log_kernel(
                self.outcomes, self.predictor(place), dispersion or 0.0
            )
            total = float(self.weights @ kernel) + log_prior(place, self.prior)
        return total if np.isfinite(total) else -np.inf

    def maximum(self, place: FloatArray, dispersion: float | None) -> FloatArray:
        """Return the best intercept and coefficients, given the dispersion."""
        centre, precision = self.prior

        def slopes(at: FloatArray) -> tuple[FloatArray, FloatArray]:
            first, second = self.family.response.slopes(
                self.outcomes, self.predictor(at), dispersion or 0.0
            )
            gradient = self.rows.T @ (self.weights * first) - precision * (at - centre)
            curvature = self.rows.T @ (self.rows * (self.weights * second)[:, None])
            return gradient, curvature + np.diag(precision)

        return newton_maximum(
            lambda at: self.value(at, dispersion), slopes, place, max(self.total, 1.0)
        )

    def dispersion(self, place: FloatArray, start: float | None) -> float | None:
        """Return the best dispersion, given intercept and coefficients; never a worse one."""
        if self.family.dispersion_name is None:
            return None
        if self.total == 0:
            return 1.0 if start is None else start
        limits = Limits(start, float(self.family.prepared_scales.least_variance[0]))
        found = self.family.response.likeliest_dispersion(
            self.outcomes, self.predictor(place), self.weights, limits
        )
        if start is None:
            return found
        return found if self.value(place, found) >= self.value(place, start) else start


def log_prior(place: FloatArray, prior: tuple[FloatArray, FloatArray]) -> float:
    """Return the log density of a Gaussian prior with centres and precisions, but a constant."""
    centre, precision = prior
    return float(-(precision @ (place - centre) ** 2) / 2)
