"""The curve of each component on a grid of inputs, and ellipses in a plane."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..data import FloatArray, Regression
from ..families import Family
from ..families.contract.description import Curve, Ellipse
from ..views import picture_of


class ComponentCurves(NamedTuple):
    """The curves of K components at g inputs.

    Parameters
    ----------
    grid : array, shape (g,)
    means : array, shape (K, g, m)
        Of each of m targets.
    deviations : array, shape (K, g, m)
    """

    grid: FloatArray
    means: FloatArray
    deviations: FloatArray


def component_curves(
    components: Sequence[Family], data: Regression, n: int
) -> ComponentCurves | None:
    """Return curves at n inputs; None if there are several inputs, or components are no curves."""
    curves = [picture_of(one, Curve) for one in components]
    if data.positions is None or None in curves:
        return None
    grid = np.linspace(data.positions.min(), data.positions.max(), n)
    drawn = [curve.predict(grid[:, None]) for curve in curves if curve is not None]
    means, deviations = zip(*drawn, strict=True)
    return ComponentCurves(grid, np.stack(means), np.stack(deviations))


def turned_ellipse(
    component: Family, directions: FloatArray, offsets: FloatArray
) -> tuple[FloatArray, FloatArray] | None:
    """Return the centre and the covariance of a component on axes (q, d), if it is an ellipse.

    Offsets (q,) are subtracted from coordinates.
    """
    ellipse = picture_of(component, Ellipse)
    if ellipse is None:
        return None
    return directions @ ellipse.centre - offsets, directions @ ellipse.covariance @ directions.T
