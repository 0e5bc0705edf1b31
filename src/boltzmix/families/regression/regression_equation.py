"""Fitted regressions, written as equations."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from ...data import FloatArray
from .regression_scales import RegressionScales

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


def check_features(found: object, n: int) -> FloatArray:
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


MOST_TERMS = 12  # of an equation that are written out
POWERS = {1: "", 2: "²", 3: "³"}


def linear_predictor(start: float, slopes: FloatArray, terms: Sequence[str]) -> str:
    """Return a linear predictor, given the names of the terms that slopes belong to.

    Examples
    --------
    >>> linear_predictor(1.0, [0.5, -2.0], ["age", "age²"])
    '1 + 0.5 age − 2 age²'
    """
    written = [signed(slope, f" {term}") for slope, term in zip(slopes, terms, strict=True)]
    rest = len(written) - MOST_TERMS
    if rest > 0:
        written[MOST_TERMS:] = [f"+ {rest} more terms"]
    return " ".join([f"{start:.3g}", *written])


def signed(number: float, after: str = "") -> str:
    """Return a number that is added in an equation, with its sign apart."""
    return f"{'−' if number < 0 else '+'} {abs(number):.3g}{after}"


def own_feature_names(features: Features, names: Sequence[str], n_features: int) -> list[str]:
    """Return the names of features that a function of the inputs returns.

    Examples
    --------
    >>> def waves(inputs): ...
    >>> own_feature_names(waves, ["hour"], 2)
    ['waves(hour)[0]', 'waves(hour)[1]']
    """
    name = getattr(features, "__name__", "features")
    name = name if name.isidentifier() else "features"
    return [f"{name}({', '.join(names)})[{place}]" for place in range(n_features)]


def standardised_products(
    names: Sequence[str], degree: int, scales: RegressionScales
) -> tuple[list[str], list[str]]:
    """Return the names of products of standardised inputs, and the definitions of these inputs.

    Examples
    --------
    >>> scales = RegressionScales([40.0], [12.0], [], [], [], [], [])
    >>> standardised_products(["age"], 2, scales)
    (['z(age)', 'z(age)²'], ['where z(age) = (age − 40) / 12'])
    """
    terms = [
        " ".join(f"z({names[place]}){_power(times)}" for place, times in Counter(factors).items())
        for factors in factors_of_products(len(names), degree)
    ]
    standardised = zip(names, scales.centre, scales.spread, strict=True)
    definitions = [
        f"z({name}) = ({name} {signed(-centre)}) / {spread:.3g}"
        for name, centre, spread in standardised
    ]
    return terms, [f"where {', '.join(definitions)}"]


def _power(times: int) -> str:
    return POWERS.get(times, f"^{times}")
