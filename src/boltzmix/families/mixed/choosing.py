"""Which family suits each column of a table, by its values, and why."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...data import Columns, FloatArray, Source
from ..base import Family
from ..distributions.bernoulli import Bernoulli
from ..distributions.categorical import Categorical
from .numbers import Chosen, choose_for_numbers
from .parts import Key, group_of

MOST_DISTINCT = 0.5  # categories per row, above which a column holds identifiers
FEW_CATEGORIES = 20  # so many are never taken for identifiers
GIVEN = "chosen by you"


class ChosenFamilies(NamedTuple):
    """The families that were chosen for the columns of a table.

    Parameters
    ----------
    parts : mapping of column to Family
        Those of the columns that are used.
    as_categories : tuple of columns
        Columns of numbers whose distinct values are categories.
    reasons : mapping of column to str
        Why each column has its family, or has none and is left out.
    """

    parts: dict[Key, Family]
    as_categories: tuple[str | int, ...]
    reasons: dict[str | int, str]


def choose_families(X: Any, given: Mapping[Key, Family]) -> ChosenFamilies:
    """Choose a family for each column of a frame or array, but for those in `given`."""
    parts: dict[Key, Family] = {}
    reasons: dict[str | int, str] = {}
    as_categories = []
    for name, key in _keys_of_columns(X, given):
        if key is not None:
            parts[key], reasons[name] = given[key], GIVEN
            continue
        chosen = choose_for_column(X, name)
        reasons[name] = chosen.reason
        if chosen.family is not None:
            parts[name] = chosen.family
        if chosen.as_categories:
            as_categories.append(name)
    if not parts:
        why = "; ".join(f"{name!r}: {reason}" for name, reason in reasons.items())
        raise ValueError(
            f"X has no column that can be clustered ({why}): add columns, or choose a family"
            " yourself, as in Product."
        )
    return ChosenFamilies(parts, tuple(as_categories), reasons)


def choose_for_column(X: Any, name: str | int) -> Chosen:
    """Choose the family of one column, by its values; dates have none."""
    if Source.of(X).holds_dates(name):
        return Chosen(None, "left out: it holds dates or times")
    column = Columns.of(X, [(name,)], [True], [True])
    return choose_family(column.tables[0].values[:, 0].astype(float), column.categories.get(name))


def choose_family(values: FloatArray, categories: tuple[Any, ...] | None = None) -> Chosen:
    """Return the family that suits a column, and the reason.

    Text, categories and truth values are `Categorical`, or `Bernoulli` if there are two of them.
    `boltzmix.families.mixed.numbers.choose_for_numbers` has the rules of numbers. A column without
    a family is left out: one without values, one with the same value everywhere, or identifiers.

    Parameters
    ----------
    values : array, shape (n,)
        Numbers or codes; NaN where missing.
    categories : tuple, optional
        The categories of the codes, if the column is not numeric.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> choose_family(rng.poisson(3.0, 1000).astype(float))
    Chosen(family=Poisson(), reason='counts, variance 0.95 times the mean', as_categories=False)
    >>> choose_family(rng.normal(size=1000)).family
    Gaussian('diag')
    """
    present = values[~np.isnan(values)]
    if not len(present):
        return Chosen(None, "left out: it has no values")
    if (present == present[0]).all():
        return Chosen(None, "left out: it has the same value in all rows")
    if categories is None:
        with np.errstate(over="ignore", invalid="ignore"):  # numbers that are too large raise later
            return choose_for_numbers(present)
    if len(categories) > max(MOST_DISTINCT * len(present), FEW_CATEGORIES):
        return Chosen(
            None,
            f"left out: {len(categories):,} different categories in {len(present):,} rows, as"
            " identifiers have",
        )
    if len(categories) == 2:
        return Chosen(Bernoulli(), "two categories")
    return Chosen(Categorical(), f"{len(categories)} categories")


def _keys_of_columns(X: Any, given: Mapping[Key, Family]) -> list[tuple[str | int, Key | None]]:
    """Return each column of a frame or array, with the key that names it in `given`, if any."""
    source = Source.of(X)
    keys = {source.index_of(name): key for key in given for name in group_of(key)}
    return [(name, keys.get(place)) for place, name in enumerate(source.all_columns)]
