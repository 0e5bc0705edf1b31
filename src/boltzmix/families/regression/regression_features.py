"""The features of inputs on which a regression may depend."""

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from ...data import FloatArray

Features = Callable[[FloatArray], Any]


def factors_of_products(n_inputs: int, degree: int) -> Iterator[tuple[int, ...]]:
    """Yield the inputs that are multiplied in each product of one to `degree` inputs.

    Examples
    --------
    >>> list(factors_of_products(2, degree=2))
    [(0,), (1,), (0, 0), (0, 1), (1, 1)]
    """
    for n_factors in range(1, degree + 1):
        yield from combinations_with_replacement(range(n_inputs), n_factors)


def products(inputs: FloatArray, degree: int) -> FloatArray:
    """Return all products of one to `degree` columns, shape (n, q)."""
    return np.column_stack(
        [
            inputs[:, factors].prod(axis=1)
            for factors in factors_of_products(inputs.shape[1], degree)
        ]
    )


def check_features(found: Any, n: int) -> FloatArray:
    """Return what a function of `n` inputs returned as features (n, q), validated."""
    features = np.asarray(found, dtype=float)
    if features.ndim != 2 or len(features) != n:
        raise ValueError(
            f"features must return one row of features for each of {n} inputs, but returned shape"
            f" {features.shape}."
        )
    if not np.isfinite(features).all():
        raise ValueError(
            "features returned NaN or infinity for some inputs: let it return finite numbers, or"
            " drop these inputs."
        )
    return features
