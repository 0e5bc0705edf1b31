"""Components in a few plain words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..data import FloatArray, Sequences

MOST_STATES, MOST_COLUMNS, MOST_MOVES = 3, 3, 3
Symbols = Mapping[str, Sequence[str]]


def describe(component: Any, members: Sequences, symbols: Symbols) -> str:
    """Tell what a component of sequences is like, in a few short lines."""
    names = members.feature_names or tuple(map(str, range(members.n_features)))
    if hasattr(component, "state_probabilities"):
        return _describe_states(component, members, names, symbols)
    if hasattr(component, "transitions") and hasattr(component, "initial"):
        return _describe_moves(component, members, symbols.get(names[0]))
    return repr(component)


def describe_alone(component: Any, names: Sequence[str], symbols: Symbols) -> str:
    """Tell what a component is like by its parameters, where its members are not at hand."""
    if hasattr(component, "parts"):
        known = {**symbols, **(getattr(component, "categories", None) or {})}
        parts = (
            (key if isinstance(key, tuple) else (key,), one) for key, one in component.parts.items()
        )
        return "\n".join(
            describe_alone(one, list(map(str, group)), _as_text(known)) for group, one in parts
        )
    if hasattr(component, "emissions"):
        shown = component.emissions[:MOST_STATES]
        lines = [
            f"state {state}: {_describe_emission(emission, names, symbols)}"
            for state, emission in enumerate(shown)
        ]
        return _with_rest(lines, len(component.emissions))
    if hasattr(component, "transitions") and hasattr(component, "initial"):
        return _describe_chain(component, symbols.get(names[0]))
    return _describe_emission(component, names, symbols)


def _describe_chain(component: Any, symbols: Sequence[str] | None) -> str:
    name = _namer(symbols)
    lines = [f"starts with {_commonest(component.initial, symbols)}"]
    lines += [
        f"{name(code)} → {_commonest(row, symbols)}"
        for code, row in enumerate(component.transitions[:MOST_MOVES])
    ]
    return _with_rest(lines, len(component.transitions) + 1)


def _as_text(symbols: Mapping[Any, Sequence[Any]]) -> dict[str, list[str]]:
    return {str(name): list(map(str, values)) for name, values in symbols.items()}


def _with_rest(lines: list[str], total: int) -> str:
    more = total - len(lines)
    return "\n".join([*lines, *([f"and {more} more"] if more > 0 else [])])


def _describe_states(
    component: Any, members: Sequences, names: Sequence[str], symbols: Symbols
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
    return _with_rest(lines, len(time))


def _describe_emission(emission: Any, names: Sequence[str], symbols: Symbols) -> str:
    if np.ndim(getattr(emission, "covariance_matrix", 0)) == 2:
        deviations = np.sqrt(np.diagonal(emission.covariance_matrix))
        pairs = zip(emission.mean, deviations, strict=True)
        told = [f"{_rounded(mean, spread)} ± {spread:.2g}" for mean, spread in pairs]
    elif np.ndim(getattr(emission, "rate", 0)) == 1:
        told = list(map("{:.3g}".format, emission.rate))
    elif np.ndim(getattr(emission, "probabilities", 0)) == 2:
        told = list(map(_commonest, emission.probabilities, map(symbols.get, names)))
    elif isinstance(getattr(emission, "parameters", None), Mapping):
        told = _describe_columns(emission, len(names))
    else:
        return repr(emission)
    parts = [f"{name} {value}" for name, value in zip(names, told, strict=True)]
    return ", ".join([*parts[:MOST_COLUMNS], *(["…"] if len(parts) > MOST_COLUMNS else [])])


def _describe_columns(family: Any, n_columns: int) -> list[str]:
    """Tell the parameters of each column by their names."""
    values = {
        name: np.broadcast_to(getattr(family, name, given), n_columns)
        for name, given in family.parameters.items()
    }
    return [
        f"({', '.join(f'{name} {own[j]:.3g}' for name, own in values.items())})"
        for j in range(n_columns)
    ]


def _describe_moves(component: Any, members: Sequences, symbols: Sequence[str] | None) -> str:
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


def _commonest(probabilities: FloatArray, symbols: Sequence[str] | None) -> str:
    code = int(np.argmax(probabilities))
    return f"{_namer(symbols)(code)} ({probabilities[code]:.0%})"


def _namer(symbols: Sequence[str] | None) -> Callable[[int], str]:
    return str if symbols is None else lambda code: symbols[code]


def _rounded(value: float, deviation: float) -> str:
    """Write a number with as many digits as its deviation leaves certain, and one more."""
    if not abs(value) < 1e6:
        return f"{value:.3g}"
    decimals = int(np.clip(1 - np.round(np.log10(deviation)), 0, 6))
    return f"{round(float(value), decimals) + 0.0:.{decimals}f}"
