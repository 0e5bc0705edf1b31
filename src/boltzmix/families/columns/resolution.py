"""The resolution of columns whose values are few or rounded."""

import numpy as np

from ...data import DATA, BoolArray, FloatArray, InputError, Rows, evenly_spaced, shown
from ..shared.validation import LARGEST, as_numbers

Resolution = str | float | FloatArray | None  # "auto", or distances between neighbouring values

ROWS = 20_000  # from which the resolution is read, at most
FEW_VALUES = 0.5  # distinct values per row, below which the values of a column are rounded


def check_resolution(resolution: object) -> None:
    """Validate that `resolution` is "auto", None, or numbers that are neither negative nor huge."""
    if resolution is None or (isinstance(resolution, str) and resolution == "auto"):
        return
    given = as_numbers(resolution)
    if isinstance(resolution, bool) or given.ndim > 1 or not _are_distances(given):
        raise ValueError(
            "resolution must be 'auto', None, or the distance between neighbouring values of each"
            f" column, from zero to {LARGEST:g}, not {shown(resolution)}."
        )


def _are_distances(given: FloatArray) -> bool:
    return bool((np.isfinite(given) & (given >= 0) & (given <= LARGEST)).all())


def rounding_variances(data: Rows, resolution: object) -> FloatArray | None:
    """Return the variance (d,) of what rounding has taken from each column; None if nothing.

    A value that was rounded to a multiple of delta is known only up to delta / 2, so its error has
    a variance of delta² / 12. "auto" takes the median distance between neighbouring distinct
    values for delta, in columns that have fewer than half as many distinct values as rows.

    Parameters
    ----------
    data : Rows
    resolution : "auto", None, float or array of shape (d,)
    """
    if resolution is None:
        return None
    if not isinstance(resolution, str):
        spacing = _for_columns(resolution, data.n_features)
    else:
        rows = data.take(evenly_spaced(len(data), ROWS)).values
        spacing = np.zeros(rows.shape[1])
        for j in np.flatnonzero(_have_ties(_some(rows))):
            spacing[j] = _spacing(rows[:, j].astype(float))
    return np.asarray(spacing**2 / 12) if spacing.any() else None


def _for_columns(resolution: object, d: int) -> FloatArray:
    """Return a resolution for each of d columns."""
    given = np.asarray(resolution, dtype=float)
    if given.ndim == 1 and len(given) != d:
        raise InputError(
            f"resolution has {len(given)} numbers, but {DATA} has {d} columns: give one number, or"
            " one for each column."
        )
    return np.broadcast_to(given, d)


def _some(rows: FloatArray) -> FloatArray:
    """Return 4 sqrt(n) of n rows at random: if n / 2 values are distinct, some 16 pairs agree."""
    n = len(rows)
    return rows[np.random.default_rng(0).permutation(n)[: int(4 * np.sqrt(n))]]


def _have_ties(rows: FloatArray) -> BoolArray:
    """Return which columns (d,) have missing values, or some value twice."""
    columns = np.sort(rows.T, axis=1)
    return np.asarray(~(np.diff(columns, axis=1) > 0).all(axis=1))


def _spacing(column: FloatArray) -> float:
    """Return the distance between neighbouring values of a rounded column, else zero."""
    present = column[~np.isnan(column)]
    distinct = np.unique(present)
    if len(distinct) < 2 or len(distinct) >= FEW_VALUES * len(present):
        return 0.0
    return float(np.median(np.diff(distinct)))
