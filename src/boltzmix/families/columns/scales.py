"""The scales of the columns of a table, from which families take their least variances."""

from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np
from scipy.linalg import lapack

from ...data import (
    DATA,
    BoolArray,
    FloatArray,
    Hard,
    InputError,
    Rows,
    Table,
    Weights,
    evenly_spaced,
)
from ..covariance.covariance import COVARIANCES
from ..covariance.gaussian_missing import CellMoments
from ..covariance.moments import Moments
from ..shared.constants import GAUSSIAN_QUARTILES, TINY

QUARTILE_ROWS = 1_000
QUARTILES = (0.25, 0.75)
MOSTLY_FLOOR = 10.0  # times the added variance, below which a variance is mostly that


@dataclass(frozen=True)
class ColumnScales:
    """Range and spread of each column, measured block by block.

    `robust` is the variance, or that of a Gaussian with the same quartiles if this is less, so
    that a few outliers do not set the scale.
    """

    lowest: FloatArray
    highest: FloatArray
    variances: FloatArray
    robust: FloatArray
    moments: Moments

    @classmethod
    def of(cls, data: Rows, weights: Weights) -> Self:
        """Measure rows; quartiles are those of up to QUARTILE_ROWS of them."""
        lowest, highest, moments = data.fold(partial(_measured, weights), _measured_together)
        _check_not_empty(data, moments)
        complete = moments.completed(None)
        variances = complete.scatters[0] / complete.counts[0]
        some = evenly_spaced(len(data), QUARTILE_ROWS)
        rows = data.take(some).values.astype(float)
        robust = robust_variances(rows, variances, None if weights is None else weights[some])
        return cls(lowest, highest, variances, robust, moments)


Measured = tuple[FloatArray, FloatArray, Moments]


def _measured(weights: Weights, block: Table, place: slice) -> Measured:
    """Return the least and greatest values of the columns of a block, and its moments."""
    least, most = (np.fmin, np.fmax) if block.has_missing else (np.minimum, np.maximum)
    own, rows = None if weights is None else weights[place], np.asarray(block.values, dtype=float)
    if block.has_missing:
        everyone = Hard.of_one(len(block), own)
        moments: Moments = CellMoments.of(COVARIANCES["diag"], rows, everyone)
    else:
        moments = Moments.of_columns(COVARIANCES["diag"], rows, own)
    return least.reduce(block.values, axis=0), most.reduce(block.values, axis=0), moments


def _measured_together(one: Measured, other: Measured) -> Measured:
    with np.errstate(over="ignore", invalid="ignore"):
        moments = one[2] + other[2]
    return np.fmin(one[0], other[0]), np.fmax(one[1], other[1]), moments


def robust_variances(rows: FloatArray, variances: FloatArray, weights: Weights) -> FloatArray:
    """Return each column's variance, or that of a Gaussian with its quartiles if this is less.

    Parameters
    ----------
    rows : array, shape (n, d)
        Values may be missing.
    variances : array, shape (d,)
    weights : array, shape (n,), optional

    Returns
    -------
    array, shape (d,)
    """
    low, high = _quartiles(rows, weights)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        middle = ((high - low) / GAUSSIAN_QUARTILES) ** 2
    return np.where((middle > 0) & (middle < variances), middle, variances)


def _quartiles(rows: FloatArray, weights: Weights) -> FloatArray:
    """Return the quartiles of the observed values of each column, shape (2, d)."""
    there = ~np.isnan(rows)
    if there.all():
        return np.quantile(rows, QUARTILES, axis=0, method="inverted_cdf", weights=weights)
    found = [
        np.quantile(
            column[own], QUARTILES, method="inverted_cdf",
            weights=None if weights is None else weights[own],
        )
        if own.any()
        else np.zeros(2)
        for column, own in zip(rows.T, there.T, strict=True)
    ]  # fmt: skip
    return np.stack(found, axis=1)


def _check_not_empty(data: Rows, moments: Moments) -> None:
    """Raise if a column has no value."""
    if isinstance(moments, CellMoments) and not (moments.cells > 0).all():
        raise InputError(
            f"Column {data.column_name(int(np.argmin(moments.cells[0])))} of {DATA} has no value in"
            " any"
            " row, so nothing can be learned of it: drop it."
        )


def least_variances(
    data: Rows, scales: ColumnScales, fraction: float, n_components: int
) -> FloatArray:
    """Return the least variance of each column in a component, shape (d,).

    It is a fraction of the variance that a column would have in each of K components that filled
    the space of the data evenly, which is its variance over K^(2/d). A constant column is taken to
    be as wide as the narrowest other one; if all are constant, they are as wide as their values
    are large.
    """
    check_no_overflow(data, scales)
    varies = scales.lowest < scales.highest
    widths = scales.robust
    if not varies.all():
        sizes = np.maximum(np.abs(scales.lowest), 1.0) ** 2
        widths = np.where(varies, widths, widths[varies].min() if varies.any() else sizes)
    least = fraction * widths / n_components ** (2 / data.n_features)
    check_representable(data, least > TINY)
    return least


def check_no_overflow(data: Rows, scales: ColumnScales) -> None:
    """Raise if sums over the squares of a column are too large for double precision."""
    check_representable(data, scales.variances < np.finfo(float).max / (4 * len(data)))


def check_representable(data: Rows, fits: BoolArray) -> None:
    """Raise for the first column (d,) whose variance does not fit into double precision."""
    if not fits.all():
        raise InputError(
            f"The variance of column {data.column_name(int(np.argmin(fits)))} of {DATA} does not"
            " fit"
            " into double precision: rescale the column, for example to unit variance."
        )


def is_at_floor(added: FloatArray | float | None, covariance: FloatArray) -> bool:
    """Whether a tenth or more of a covariance (d, d) in some direction is the variance added."""
    if added is None or np.min(added) <= 0:
        return False
    scale = 1 / np.sqrt(np.broadcast_to(added, len(covariance)))
    largest = (np.sqrt(np.diagonal(covariance)) * scale).max()  # so that nothing overflows
    scale = scale / largest
    scaled, least = covariance * scale, MOSTLY_FLOOR / largest / largest
    scaled *= scale[:, None]
    diagonal = np.diagonal(scaled)
    if np.count_nonzero(scaled) == np.count_nonzero(diagonal):
        return bool(diagonal.min() < least)
    scaled[np.diag_indices_from(scaled)] -= least
    _, failed = lapack.dpotrf(scaled.T, overwrite_a=1)  # fails if an eigenvalue is not above zero
    return bool(failed)
