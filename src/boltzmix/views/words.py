"""Parameters in a few plain words, one piece for each column."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..data import FloatArray

MOST_NAMES = 10
PLUS_MINUS = "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}"
Symbols = Mapping[str, Sequence[Any]]


def describe_columns(component: Any, names: Sequence[str], symbols: Symbols) -> list[str] | None:
    """Tell what each column of a component is like; None if that is not known.

    Parameters
    ----------
    component : fitted Family
    names : sequence of str
        Of the columns.
    symbols : mapping of names to sequences
        What codes stand for, in columns that have them.
    """
    for tell in (_intervals, _categories, _parameters, _named, _rates):
        told = tell(component, names, symbols)
        if told is not None and len(told) == len(names):
            return told
    return None


def listed(names: Sequence[str]) -> str:
    """Write names one after the other, at most ten."""
    shown = ", ".join(names[:MOST_NAMES])
    return shown if len(names) <= MOST_NAMES else f"{shown} and {len(names) - MOST_NAMES} more"


def commonest(probabilities: FloatArray, symbols: Sequence[Any] | None) -> str:
    """Name the most probable code, and how probable it is."""
    code = int(np.argmax(probabilities))
    return f"{namer(symbols)(code)} ({probabilities[code]:.0%})"


def namer(symbols: Sequence[Any] | None) -> Callable[[int], str]:
    """Return how codes are called."""
    return str if symbols is None else lambda code: str(symbols[code])


def _intervals(component: Any, names: Sequence[str], symbols: Symbols) -> list[str] | None:
    """Tell the centre of a column, and its spread to either side."""
    for centre, matrix in (("mean", "covariance_matrix"), ("location", "scatter")):
        if np.ndim(getattr(component, matrix, 0)) == 2:
            deviations = np.sqrt(np.diagonal(getattr(component, matrix)))
            return [
                PLUS_MINUS.join([_rounded(value, wide), _rounded(wide, wide)])
                for value, wide in zip(getattr(component, centre), deviations, strict=True)
            ]
    return None


def _categories(component: Any, names: Sequence[str], symbols: Symbols) -> list[str] | None:
    if np.ndim(getattr(component, "probabilities", 0)) != 2:
        return None
    return list(map(commonest, component.probabilities, map(symbols.get, names)))


def _parameters(component: Any, names: Sequence[str], symbols: Symbols) -> list[str] | None:
    if not hasattr(component, "fitted_parameters"):
        return None
    columns = list(zip(*component.fitted_parameters, strict=True))
    if component.codes:
        chances = [np.array([1 - one, one]) for (one,) in columns]
        return list(map(commonest, chances, map(symbols.get, names)))
    try:
        return [f"mean {one:.3g}" for one in component.means]
    except NotImplementedError:
        pass
    return [
        ", ".join(map("{} {:.3g}".format, component.parameters, numbers)) for numbers in columns
    ]


def _named(component: Any, names: Sequence[str], symbols: Symbols) -> list[str] | None:
    """Tell the parameters of a distribution that all columns share."""
    values = getattr(component, "parameters", None)
    if not isinstance(values, Mapping) or not all(np.ndim(one) == 0 for one in values.values()):
        return None
    return [", ".join(f"{name} {one:.3g}" for name, one in values.items())] * len(names)


def _rates(component: Any, names: Sequence[str], symbols: Symbols) -> list[str] | None:
    rate = getattr(component, "rate", None)
    return None if rate is None or np.ndim(rate) != 1 else [f"rate {one:.3g}" for one in rate]


def _rounded(value: float, deviation: float) -> str:
    """Write a number with as many digits as its deviation leaves certain, and one more."""
    if not abs(value) < 1e6:
        return f"{value:.3g}"
    decimals = int(np.clip(1 - np.round(np.log10(deviation)), 0, 6))
    return f"{round(float(value), decimals) + 0.0:.{decimals}f}"
