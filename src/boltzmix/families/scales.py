"""The scales of the columns of a table, from which families take their least variances."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..data import BoolArray, FloatArray, Hard, Rows, block_size, block_slices
from .covariance import COVARIANCES
from .gaussian_holes import CellMoments
from .moments import Moments, as_numbers

GAUSSIAN_QUARTILES = 1.3489795  # distance of a standard Gaussian's quartiles
QUARTILE_ROWS = 20_000
QUARTILES = (0.25, 0.75)
MOSTLY_FLOOR = 10.0  # times what is added to a variance, below which it says little


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
    def of(cls, data: Rows, weights: FloatArray | None) -> Self:
        """Measure rows; quartiles are those of up to QUARTILE_ROWS of them."""
        lowest, highest, moments = np.inf, -np.inf, None
        for place in block_slices(len(data), block_size(data.n_features, 1)):
            block = data.take(place)
            least, most = (np.fmin, np.fmax) if block.has_missing else (np.minimum, np.maximum)
            lowest = np.fmin(lowest, least.reduce(block.values, axis=0))
            highest = np.fmax(highest, most.reduce(block.values, axis=0))
            own = None if weights is None else weights[place]
            everyone = Hard(np.zeros(len(block), dtype=np.int32), 1, own)
            measure = CellMoments.of if block.has_missing else Moments.of
            found = measure(COVARIANCES["diag"], as_numbers(block.values), everyone)
            with np.errstate(over="ignore", invalid="ignore"):
                moments = found if moments is None else moments + found
        assert moments is not None
        _refuse_empty(data, moments)
        complete = moments.completed(None)
        variances = complete.scatters[0] / complete.counts[0]
        step = -(-len(data) // QUARTILE_ROWS)
        rows = data.take(np.arange(0, len(data), step)).values.astype(float)
        some = None if weights is None else weights[::step]
        low, high = _quartiles(rows, some)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            middle = ((high - low) / GAUSSIAN_QUARTILES) ** 2
        robust = np.where((middle > 0) & (middle < variances), middle, variances)
        return cls(np.asarray(lowest), np.asarray(highest), variances, robust, moments)


def _quartiles(rows: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Return the quartiles of each column, of what is there of it, shape (2, d)."""
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


def _refuse_empty(data: Rows, moments: Moments) -> None:
    """Refuse a column without a value."""
    if isinstance(moments, CellMoments) and not (moments.cells > 0).all():
        raise ValueError(
            f"Column {data.column_name(int(np.argmin(moments.cells[0])))} of X has no value in any"
            " row, so nothing can be learned of it: drop it."
        )


def least_variances(
    data: Rows, share: float, n_components: int, weights: FloatArray | None
) -> FloatArray:
    """Return the variance below which that of no column shall fall in a component, shape (d,).

    It is a share of the variance a column would have in each of K components that filled the
    space of the data evenly, its variance over K^(2/d). A constant column is taken to be as wide
    as the narrowest other one; if all are, they are as wide as their values are large.
    """
    scales = ColumnScales.of(data, weights)
    if not (scales.variances < np.finfo(float).max / (4 * len(data))).all():
        refuse_extreme(data, scales.variances < np.inf)
    varies = scales.lowest < scales.highest
    widths = scales.robust
    if not varies.all():
        sizes = np.maximum(np.abs(scales.lowest), 1.0) ** 2
        widths = np.where(varies, widths, widths[varies].min() if varies.any() else sizes)
    least = share * widths / n_components ** (2 / data.n_features)
    fits = least > np.finfo(float).tiny
    if not fits.all():
        refuse_extreme(data, fits)
    return least


def refuse_extreme(data: Rows, fits: BoolArray) -> None:
    """Refuse the first column whose variance is too large or too small for a number."""
    raise ValueError(
        f"The variance of column {data.column_name(int(np.argmin(fits)))} of X does not fit"
        " into double precision: rescale the column, for example to unit variance."
    )


def leans_on(floor: FloatArray | float | None, covariance: FloatArray) -> bool:
    """Whether a covariance (d, d) has a direction of which a tenth or more was added to it."""
    if floor is None or np.min(floor) <= 0:
        return False
    scale = 1 / np.sqrt(np.broadcast_to(floor, len(covariance)))
    return bool(np.linalg.eigvalsh(covariance * np.outer(scale, scale))[0] < MOSTLY_FLOOR)
