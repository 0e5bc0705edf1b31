"""Scales of inputs, features and targets, which all components of a mixture have in common."""

from typing import NamedTuple

import numpy as np

from ...data import FloatArray, Weights
from ..columns.scales import robust_variances


class RegressionScales(NamedTuple):
    """Scales of all the data, which are known before components are fitted to some of them.

    Parameters
    ----------
    centre, spread : arrays, shape (p,)
        Means and standard deviations of the inputs.
    feature_centre, features : arrays, shape (q,)
        Means and standard deviations of the features.
    level : array, shape (m,)
        The linear predictor of the mean of each target.
    unit : array, shape (m,)
        The unit in which coefficients of standardised features are measured: the standard
        deviation of a target whose link is the identity, and one for other links.
    least_variance : array, shape (m,)
        Least noise variances; zero for families without a noise variance.
    """

    centre: FloatArray
    spread: FloatArray
    feature_centre: FloatArray
    features: FloatArray
    level: FloatArray
    unit: FloatArray
    least_variance: FloatArray


def centre_and_spread(rows: FloatArray, weights: Weights) -> tuple[FloatArray, FloatArray]:
    """Return means and standard deviations of the columns; a constant one is given a spread."""
    if rows.shape[1] == 0:  # of inputs that are constant text, which makes no column
        return np.zeros(0), np.ones(0)
    centre = np.average(rows, axis=0, weights=weights)
    spread = np.sqrt(np.average((rows - centre) ** 2, axis=0, weights=weights))
    return centre, np.where(spread > 1e-12 * np.abs(centre), spread, 1.0)


def least_noise(
    targets: FloatArray, floor: float, n_components: int, weights: Weights
) -> FloatArray:
    """Return the least noise variance of each target (m,): `floor` times its variance over K²."""
    least = floor * _robust_variance(targets, weights) / n_components**2
    fits = (least > np.finfo(float).tiny) & (least < np.inf)
    if not fits.all():
        raise _unusable_targets(targets, int(np.argmin(fits)))
    return least


def _robust_variance(rows: FloatArray, weights: Weights) -> FloatArray:
    """Return each column's variance, or that its quartiles imply if this is less; 0 if constant."""
    centre = np.average(rows, axis=0, weights=weights)
    with np.errstate(over="ignore"):
        variance = np.average((rows - centre) ** 2, axis=0, weights=weights)
    robust = robust_variances(rows, variance, weights)
    return np.where(rows.min(axis=0) < rows.max(axis=0), robust, 0.0)


def _unusable_targets(targets: FloatArray, column: int) -> ValueError:
    """Return the error for a column of targets whose variance is zero or does not fit."""
    values = targets[:, column]
    if values.min() < values.max():
        return ValueError(
            f"The variance of column {column} of y does not fit into double precision: rescale the"
            " column, for example to unit variance."
        )
    return ValueError(
        f"Column {column} of y is constant (every value is {values[0]:g}), so"
        " components cannot differ in it: drop it."
    )
