"""Components of sequences in a few plain words."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import Sequences
from .look import column_names
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
    more = len(time) - len(lines)
    return "\n".join([*lines, *([f"and {more} more"] if more else [])])


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
