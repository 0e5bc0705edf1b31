"""Components in a few plain words."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..data import Sequences
from .look import column_names
from .states import is_chain
from .words import Symbols, commonest, describe_columns, namer

MOST_STATES, MOST_COLUMNS, MOST_MOVES = 3, 3, 3


def describe(component: Any, members: Sequences, symbols: Symbols) -> str:
    """Tell what a component of sequences is like, in a few short lines."""
    names = members.feature_names or column_names(None, members.n_features)
    if hasattr(component, "state_probabilities"):
        return _describe_states(component, members, names, symbols)
    if hasattr(component, "transitions") and hasattr(component, "initial"):
        return _describe_moves(component, members, symbols.get(names[0]))
    return repr(component)


def describe_alone(component: Any, names: Sequence[str], symbols: Symbols) -> str:
    """Tell what a component is like by its parameters, where its members are not at hand."""
    if hasattr(component, "parts"):
        known = {**symbols, **_by_text(getattr(component, "categories", None) or {})}
        parts = (
            (key if isinstance(key, tuple) else (key,), one) for key, one in component.parts.items()
        )
        return "\n".join(describe_alone(one, list(map(str, key)), known) for key, one in parts)
    if hasattr(component, "emissions"):
        lines = [
            f"state {state}: {describe_emission(emission, names, symbols)}"
            for state, emission in enumerate(component.emissions[:MOST_STATES])
        ]
        return _with_rest(lines, len(component.emissions))
    if hasattr(component, "transitions") and hasattr(component, "initial"):
        return _describe_chain(component, symbols.get(names[0]))
    return describe_emission(component, names, symbols)


def describe_family(component: Any) -> str:
    """Name the family of a component, and of every part it has."""
    if hasattr(component, "parts"):
        return "; ".join(
            f"{', '.join(map(str, key)) if isinstance(key, tuple) else key}: {part.name}"
            for key, part in component.parts.items()
        )
    if not is_chain(component):
        return str(component.name)
    what = "states" if hasattr(component, "emissions") else "symbols"
    return f"{component.name}, {len(component.initial)} {what}"


def describe_emission(emission: Any, names: Sequence[str], symbols: Symbols) -> str:
    """Tell what a state emits, in its first few columns."""
    told = describe_columns(emission, names, symbols)
    if told is None:
        return repr(emission)
    parts = [f"{name} {value}" for name, value in zip(names, told, strict=True)]
    return ", ".join([*parts[:MOST_COLUMNS], *(["…"] if len(parts) > MOST_COLUMNS else [])])


def _describe_states(
    component: Any, members: Sequences, names: Sequence[str], symbols: Symbols
) -> str:
    """Tell what is emitted by the states that members spend most steps in."""
    time = np.zeros(len(component.emissions))
    if len(members):
        time = np.concatenate(component.state_probabilities(members)).mean(axis=0)
    lines = [
        f"state {state} ({time[state]:.0%}): "
        + describe_emission(component.emissions[state], names, symbols)
        for state in np.argsort(-time, kind="stable")[:MOST_STATES]
    ]
    return _with_rest(lines, len(time))


def _describe_moves(component: Any, members: Sequences, symbols: Sequence[Any] | None) -> str:
    """Tell the first symbol, and the moves that members make most often."""
    first = f"starts with {commonest(component.initial, symbols)}"
    if not len(members):
        return first
    counts = np.asarray(component.summarise(members))[:-1]
    name = namer(symbols)
    often = np.argsort(-counts, axis=None, kind="stable")[:MOST_MOVES]
    moves = [
        f"{name(a)} → {name(b)} {component.transitions[a, b]:.0%}"
        for a, b in zip(*np.unravel_index(often, counts.shape), strict=True)
        if counts[a, b] > 0
    ]
    return "\n".join([first, *([f"then mostly {', '.join(moves)}"] if moves else [])])


def _describe_chain(component: Any, symbols: Sequence[Any] | None) -> str:
    """Tell the likeliest first symbol, and the likeliest moves from some."""
    name = namer(symbols)
    lines = [f"starts with {commonest(component.initial, symbols)}"]
    lines += [
        f"{name(code)} → {commonest(row, symbols)}"
        for code, row in enumerate(component.transitions[:MOST_MOVES])
    ]
    return _with_rest(lines, len(component.transitions) + 1)


def _with_rest(lines: list[str], total: int) -> str:
    more = total - len(lines)
    return "\n".join([*lines, *([f"and {more} more"] if more > 0 else [])])


def _by_text(symbols: Mapping[Any, Sequence[Any]]) -> Symbols:
    return {str(name): values for name, values in symbols.items()}
