"""Sentences on how each component differs from all others."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...data import BoolArray, FloatArray
from ...views import rounded
from .column_profile import ColumnProfile

if TYPE_CHECKING:
    from .profiles import Profiles

MOST_NAMED = 4  # columns that a sentence names
LEAST_DIFFERENCE = 0.5  # in standard deviations; Cohen calls this a medium effect
LEAST_RATIO = 1.6  # of two standard deviations that are said to differ


class Difference(NamedTuple):
    """How one column of a component differs from that of all others.

    Parameters
    ----------
    size : float
        How much, in standard deviations.
    words : str
    """

    size: float
    words: str


def describe_differences(profiles: "Profiles") -> list[str]:
    """Say in one sentence for each component in which columns it differs most from all others."""
    return [_sentence(profiles, k) for k in range(len(profiles.names))]


def _sentence(profiles: "Profiles", k: int) -> str:
    if k < profiles.n_components == 1:
        return "It is the only component."
    if profiles.sizes[k] < 1:
        return "It has hardly any observation."
    own = _ranked(_of_means(column, k) for column in profiles.columns)
    if own:
        return f"Here {', '.join(own)}."
    own = _ranked(_of_spreads(column, k) for column in profiles.columns)
    if own:
        return f"Its means are like those of all others, but {', '.join(own)}."
    return (
        "Its means and spreads are like those of all others: it differs in another way, such as how"
        " values go together or follow each other."
    )


def _ranked(found: Iterator[Difference | None]) -> list[str]:
    known = [one for one in found if one is not None]
    return [one.words for one in sorted(known, key=lambda one: -one.size)[:MOST_NAMED]]


def _of_means(column: ColumnProfile, k: int) -> Difference | None:
    """Describe the mean of a column, or the category that differs most; None if none does."""
    sizes = np.abs(np.nan_to_num(column.differences[:, k], posinf=np.inf, neginf=np.inf))
    place = int(np.argmax(sizes)) if len(sizes) else 0
    own, others = column.means[place, k], _of_others(column, column.means[place], k)
    if np.isnan(own) or np.isnan(others):
        return None
    if sizes[place] < LEAST_DIFFERENCE or not _is_clear(column, place, k, others):
        return _of_a_middle(column, k)
    if column.categories is not None:
        often = "more" if own > others else "less"
        words = f"{column.name} is {column.categories[place]} {often} often"
        return Difference(float(sizes[place]), f"{words} ({own:.0%}, others {others:.0%})")
    way = "higher" if own > others else "lower"
    deviation = float(column.deviations[place, k]) or abs(own - others)
    numbers = f"({rounded(own, deviation)}, others {rounded(others, deviation)})"
    return Difference(float(sizes[place]), f"{column.name} is {way} {numbers}")


def _of_a_middle(column: ColumnProfile, k: int) -> Difference | None:
    """Describe a mean that lies well between those of other components; None if it does not."""
    if column.categories is not None:
        return None
    away = np.nan_to_num(column.means[0] - column.means[0, k])[_components(column)]
    deviation = float(column.deviations[0, k])
    reach = min(away.max(initial=0), -away.min(initial=0))
    if not reach > deviation:
        return None
    words = f"{column.name} lies in between ({rounded(column.means[0, k], deviation)})"
    return Difference(min(LEAST_DIFFERENCE, 0.1 * reach / max(deviation, 1e-300)), words)


def _of_spreads(column: ColumnProfile, k: int) -> Difference | None:
    """Describe the standard deviation of a column of numbers, if it differs; else None."""
    if column.categories is not None:
        return None
    own, others = float(column.deviations[0, k]), _deviation_of_others(column, k)
    if not own > 0 or not others > 0 or max(own / others, others / own) < LEAST_RATIO:
        return None
    way = "more" if own > others else "less"
    words = f"{column.name} varies {way} (± {rounded(own, own)}, others ± {rounded(others, own)})"
    return Difference(abs(float(np.log(own / others))), words)


def _is_clear(column: ColumnProfile, place: int, k: int, others: float) -> bool:
    """Whether the confidence interval of a mean leaves out the mean of all others."""
    return not column.low[place, k] <= others <= column.high[place, k]


def _components(column: ColumnProfile) -> BoolArray:
    """Return which groups are components with observations; noise is not one of them."""
    return (column.sizes > 0) & (np.arange(len(column.sizes)) < column.n_components)


def _of_others(column: ColumnProfile, means: FloatArray, k: int) -> float:
    """Return the mean of all other components; NaN if these are empty."""
    there = _components(column) & (np.arange(len(means)) != k)
    return float(np.average(means[there], weights=column.sizes[there])) if there.any() else np.nan


def _deviation_of_others(column: ColumnProfile, k: int) -> float:
    """Return the standard deviation of all other components together; NaN if these are empty."""
    means, squares = column.means[0], column.deviations[0] ** 2 + column.means[0] ** 2
    centre = _of_others(column, means, k)
    return float(np.sqrt(max(_of_others(column, squares, k) - centre**2, 0)))
