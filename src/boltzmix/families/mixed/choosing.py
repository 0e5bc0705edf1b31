"""Which family suits a column, by its values."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...data import Columns, FloatArray, Source, Table
from ..base import Family
from ..distributions.bernoulli import Bernoulli
from ..distributions.categorical import Categorical
from ..distributions.gamma import Gamma
from ..distributions.gaussian import Gaussian
from ..distributions.log_normal import LogNormal
from ..distributions.negative_binomial import NegativeBinomial
from ..distributions.poisson import Poisson
from .parts import Key, group_of

OVERDISPERSED = 1.5  # variance over mean above which counts are not Poisson
SMALL_COUNTS = 100.0  # mean above which counts are taken to be Gaussian
SKEWED = 1.0  # skewness above which positive numbers are not Gaussian
MOST_DISTINCT = 0.5  # categories per row, above which a column holds identifiers
FEW_CATEGORIES = 20  # so many are never taken for identifiers


def choose_family(values: FloatArray, categories: tuple[Any, ...] | None = None) -> Family:
    """Return the family that suits a column.

    Text, categories and truth values are `Categorical`, or `Bernoulli` if there are two of them;
    so are zeros and ones. Whole numbers from zero on with a mean of at most a hundred are counts:
    `Poisson`, or `NegativeBinomial` if their variance is larger than their mean by half.
    Positive numbers with a skewness above one are `LogNormal`, or `Gamma` if the skewness of their
    logarithms is below minus one half. All others are `Gaussian("diag")`.

    Parameters
    ----------
    values : array, shape (n,)
        Numbers or codes; NaN where missing.
    categories : tuple, optional
        The categories of the codes, if the column is not numeric.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> choose_family(rng.poisson(3.0, 1000).astype(float)), choose_family(rng.normal(size=1000))
    (Poisson(), Gaussian('diag'))
    """
    present = values[~np.isnan(values)]
    if categories is not None:
        return Bernoulli() if len(categories) == 2 else Categorical()
    if not len(present):
        return Gaussian("diag")
    lowest, mean = present.min(), present.mean()
    if lowest >= 0 and (present == np.floor(present)).all():
        if present.max() <= 1:
            return Bernoulli()
        if mean <= SMALL_COUNTS:
            return NegativeBinomial() if present.var() > OVERDISPERSED * mean else Poisson()
    if lowest > 0 and _skewness(present) > SKEWED:
        left = -_skewness(np.log(present))
        return Gamma() if left > SKEWED / 2 else LogNormal()
    return Gaussian("diag")


def _skewness(values: FloatArray) -> float:
    """Return the third standardised moment; zero, if all values are the same."""
    centred = values - values.mean()
    deviation = float(np.sqrt(np.mean(centred**2)))
    return float(np.mean((centred / deviation) ** 3)) if deviation > 0 else 0.0


def other_columns(X: Any, parts: Mapping[Key, Family]) -> list[str | int]:
    """Return the columns of a frame or array for which `parts` have no family."""
    source = Source.of(X)
    taken = {source.index_of(name) for key in parts for name in group_of(key)}
    return [name for place, name in enumerate(source.all_columns) if place not in taken]


def read_columns(X: Any, names: Sequence[str | int]) -> Columns:
    """Read columns, each by itself, whatever they hold."""
    groups = [(name,) for name in names]
    return Columns.of(X, groups, [True] * len(groups), [True] * len(groups))


def choose_families(data: Columns) -> dict[Key, Family]:
    """Return the family that suits each column."""
    for group, table in zip(data.groups, data.tables, strict=True):
        _check_no_identifiers(group[0], table, data.categories.get(group[0], ()))
    parts = zip(data.groups, data.tables, strict=True)
    with np.errstate(over="ignore", invalid="ignore"):  # numbers that are too large raise later
        return {
            group[0]: choose_family(table.values[:, 0], data.categories.get(group[0]))
            for group, table in parts
        }


def _check_no_identifiers(name: str | int, table: Table, categories: tuple[Any, ...]) -> None:
    """Raise if nearly every row has a category of its own, as identifiers have."""
    n_values = int((~np.isnan(table.values)).sum())
    if len(categories) > max(MOST_DISTINCT * n_values, FEW_CATEGORIES):
        raise ValueError(
            f"Column {name!r} of X has {len(categories)} different categories in {n_values} rows,"
            " as names have, so no family suits it: leave it out, or choose one yourself, as in"
            f" Product.auto(X, {{{name!r}: Categorical()}})."
        )
