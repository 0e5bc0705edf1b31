"""The maximum of a concave function of few numbers, by Newton's method with halved steps."""

from collections.abc import Callable

import numpy as np

from ...data import FloatArray

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
