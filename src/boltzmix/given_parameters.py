"""Checks of the parameters that a user gives a Gaussian mixture to start from.

Messages begin with scikit-learn's words, which programs written for it may look for.
"""

from typing import Any

import numpy as np

from .data import FloatArray
from .families.covariance.covariance import Covariance
from .families.shared.validation import as_numbers


def read_parameter(
    argument: str, name: str, given: Any, shape: tuple[int, ...]
) -> FloatArray | None:
    """Read an array of finite numbers in some shape; `name` is what scikit-learn calls it."""
    if given is None:
        return None
    array = as_numbers(given)
    if array.ndim == 0 and np.isnan(array):
        raise ValueError(f"{argument} must hold numbers in shape {shape}.")
    if array.shape != shape:
        raise ValueError(
            f"The parameter '{name}' should have the shape of {shape}, but got {array.shape}:"
            f" give {argument} in that shape."
        )
    if not np.isfinite(array).all():
        raise ValueError(f"{argument} must hold finite numbers, but has NaN or infinity.")
    return array


def check_weights(weights: FloatArray) -> None:
    """Raise unless weights (K,) are above zero and sum to one."""
    if (weights < 0).any() or (weights > 1).any():
        # scikit-learn's message takes the least for the greatest, and its tests ask for that
        raise ValueError(
            "The parameter 'weights' should be in the range [0, 1], but got max value"
            f" {weights.min():.5f}, min value {weights.max():.5f}: give weights_init as fractions."
        )
    if not np.isclose(weights.sum(), 1):
        raise ValueError(
            "The parameter 'weights' should be normalized, but got sum(weights) ="
            f" {weights.sum():.5f}: divide weights_init by its sum."
        )
    if (weights == 0).any():
        raise ValueError("weights_init must be above zero: leave out components without weight.")


def check_precisions(name: str, precisions: FloatArray, shape: Covariance) -> None:
    """Raise unless inverse covariances, stacked in the form of a shape, are positive definite."""
    is_symmetric = not shape.is_full or np.allclose(precisions, np.swapaxes(precisions, -1, -2))
    try:
        shape.whitening(precisions)
    except np.linalg.LinAlgError:
        is_positive = False
    else:
        is_positive = True
    if not is_symmetric or not is_positive:
        wanted = "symmetric, positive-definite" if shape.is_full else "positive"
        raise ValueError(f"'{name}' should be {wanted}: change precisions_init.")
