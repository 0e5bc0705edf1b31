"""Components of sequences in a few plain words."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..data import FloatArray, Sequences

MOST_STATES, MOST_COLUMNS, MOST_MOVES = 3, 3, 3


def describe(component: Any, members: Sequences, symbols: dict[str, list[str]]) -> str:
    """Tell what a component of sequences is like, in a few short lines."""
    names = members.feature_names or tuple(map(str, range(members.n_features)))
    if hasattr(component, "state_probabilities"):
        return _describe_states(component, members, names, symbols)
    if hasattr(component, "transitions") and hasattr(component, "initial"):
        return _describe_moves(component, members, symbols.get(names[0]))
    return repr(component)


def _describe_states(
    component: Any, members: Sequences, names: Sequence[str], symbols: dict[str, list[str]]
) -> str:
    """Tell what is emitted by the states that members spend most steps in."""
    time = np.zeros(len(component.emissions))
    if len(members):
        time = np.concatenate(component.state_probabilities(members)).mean(axis=0)
    lines = [
        f"state {state} ({time[state]:.0%}): "
        + _describe_emission(component.emissions[state], names, symbols)
        for state in np.argsort(-time, kind="stable")[:MOST_STATES]
    ]
    more = len(time) - len(lines)
    return "\n".join([*lines, *([f"and {more} more"] if more else [])])


def _describe_emission(emission: Any, names: Sequence[str], symbols: dict[str, list[str]]) -> str:
    if np.ndim(getattr(emission, "covariance_matrix", 0)) == 2:
        deviations = np.sqrt(np.diagonal(emission.covariance_matrix))
        told = map(_rounded, emission.mean, deviations)
    elif np.ndim(getattr(emission, "rate", 0)) == 1:
        told = map("{:.3g}".format, emission.rate)
    elif np.ndim(getattr(emission, "probabilities", 0)) == 2:
        told = map(_commonest, emission.probabilities, map(symbols.get, names))
    else:
        return repr(emission)
    parts = [f"{name} {value}" for name, value in zip(names, told, strict=True)]
    return ", ".join([*parts[:MOST_COLUMNS], *(["…"] if len(parts) > MOST_COLUMNS else [])])


def _describe_moves(component: Any, members: Sequences, symbols: list[str] | None) -> str:
    """Tell the first symbol, and the moves that members make most often."""
    first = f"starts with {_commonest(component.initial, symbols)}"
    if not len(members):
        return first
    counts = np.asarray(component.summarise(members))[:-1]
    name = _namer(symbols)
    often = np.argsort(-counts, axis=None, kind="stable")[:MOST_MOVES]
    moves = [
        f"{name(a)} → {name(b)} {component.transitions[a, b]:.0%}"
        for a, b in zip(*np.unravel_index(often, counts.shape), strict=True)
        if counts[a, b] > 0
    ]
    return "\n".join([first, *([f"then mostly {', '.join(moves)}"] if moves else [])])


def _commonest(probabilities: FloatArray, symbols: list[str] | None) -> str:
    code = int(np.argmax(probabilities))
    return f"{_namer(symbols)(code)} ({probabilities[code]:.0%})"


def _namer(symbols: list[str] | None) -> Callable[[int], str]:
    return str if symbols is None else lambda code: symbols[code]


def _rounded(value: float, deviation: float) -> str:
    """Write a number with as many digits as its deviation leaves certain, and one more."""
    if not abs(value) < 1e6:
        return f"{value:.3g}"
    decimals = int(np.clip(1 - np.round(np.log10(deviation)), 0, 6))
    return f"{round(float(value), decimals) + 0.0:.{decimals}f}"
