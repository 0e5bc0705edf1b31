"""Results in single precision, where data are in single precision."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .data import Data, Rows


def is_table_of_single(data: Data) -> bool:
    """Return whether data are rows of float32 numbers."""
    return isinstance(data, Rows) and bool(data.take(slice(0, 1)).values.dtype == np.float32)


def fits_single(numbers: NDArray[Any]) -> bool:
    """Return whether no number of an array becomes infinite or zero in single precision."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = numbers.astype(np.float32)
    return bool(np.isfinite(rounded).all() and ((rounded != 0) == (numbers != 0)).all())


def as_single(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return numbers in single precision; or as they are, if one would become infinite."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = numbers.astype(np.float32)
    return rounded if np.isfinite(rounded).all() else numbers
