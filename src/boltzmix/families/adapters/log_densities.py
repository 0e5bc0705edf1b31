"""Validation of the log densities that adapted code returns."""

from typing import Any

import numpy as np

from ...data import FloatArray


def as_log_densities(found: Any, n: int, source: str) -> FloatArray:
    """Return log densities as an array of shape (n,); raise for other shapes, NaN or infinity.

    Examples
    --------
    >>> as_log_densities([-1.0, -2.0], 2, "log_prob")
    array([-1., -2.])
    """
    try:
        values = np.asarray(found, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            f"{source} must return an array of {n} log densities, one for each row, but returned"
            f" {type(found).__name__}."
        ) from None
    if values.shape != (n,):
        raise ValueError(
            f"{source} must return one log density for each of {n} rows (shape ({n},)), but"
            f" returned shape {values.shape}."
        )
    if not (values < np.inf).all():
        raise ValueError(
            f"{source} returned NaN or infinity for row {np.flatnonzero(~(values < np.inf))[0]}: a"
            " log density must be a number, or -inf where the density is zero."
        )
    return values
