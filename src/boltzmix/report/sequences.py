"""Sequences: who belongs to each component, and the states that each goes through."""

from typing import Any

import numpy as np

from ..data import FloatArray, Sequences
from ..views import (
    Group,
    Path,
    Symbols,
    column_names,
    describe_columns,
    is_chain,
    is_symbolic,
    largest,
    namer,
)
from .assignments import Assignments
from .numbers import neat, plain

MOST_NUMBERS = 150_000  # shown of all sequences together
MOST_MEMBERS, FEWEST_MEMBERS = 40, 4
MOST_STEPS, MOST_FEATURES, MOST_STATES = 160, 8, 30
SEQUENCES_LOOKED_AT = 200  # of a component, for the time that it spends in its states


def sequences(
    data: Sequences, model: Any, assignments: Assignments, symbols: Symbols
) -> dict[str, Any]:
    """Show members of the largest components, and their states."""
    names = (data.feature_names or column_names(None, data.n_features))[:MOST_FEATURES]
    symbolic = is_symbolic(model.components_[0])
    shown = largest(assignments.labels, len(model.components_))
    room = MOST_NUMBERS // (len(shown) * len(names) * MOST_STEPS)
    n_members = int(np.clip(room, FEWEST_MEMBERS, MOST_MEMBERS))
    every = [namer(symbols.get(name)) for name in names]
    n_symbols = int(data.values.max()) + 1 if symbolic else 0
    return {
        "kind": "sequences",
        "axes": list(names),
        "n_features": data.n_features,
        "symbols": [[name(code) for code in range(n_symbols)] for name in every],
        "members": [
            _members(place, data, assignments, symbolic, n_members, len(names)) for place in shown
        ],
        "chains": [
            _chain(k, data.take(assignments.labels == k), one, names, symbols)
            for k, one in enumerate(model.components_)
            if k in shown and is_chain(one) and len(one.initial) <= MOST_STATES
        ],
    }


def _members(
    k: int, data: Sequences, assignments: Assignments, symbolic: bool, most: int, n_features: int
) -> dict[str, Any]:
    numbers = np.flatnonzero(assignments.labels == k)
    group = Group.of(k, data.take(numbers), symbolic, most)
    mean = group.mean and _path(group.mean, n_features)
    return {
        "group": len(assignments.groups) - 1 if k < 0 else k,
        "size": group.size,
        "rows": plain(numbers[list(group.places)]),
        "certainty": plain(assignments.certainty[numbers[list(group.places)]], 4),
        "paths": [_path(path, n_features) for path in group.paths],
        "mean": mean,
    }


def _path(path: Path, n_features: int) -> dict[str, Any]:
    every = -(-len(path.steps) // MOST_STEPS)
    return {
        "at": plain(path.steps[::every]),
        "values": plain(path.values[::every, :n_features].T, 4),
    }


def _chain(
    k: int, members: Sequences, component: Any, names: tuple[str, ...], symbols: Symbols
) -> dict[str, Any]:
    """Return where a chain starts and goes, and what each state is like."""
    emissions = getattr(component, "emissions", None)
    if emissions is None:
        told = [[namer(symbols.get(names[0]))(state)] for state in range(len(component.initial))]
    else:
        every = members.feature_names or column_names(None, members.n_features)
        told = [
            list(map(neat, describe_columns(one, every, symbols) or [repr(one)]))[:MOST_FEATURES]
            for one in emissions
        ]
    return {
        "group": k,
        "hidden": emissions is not None,
        "initial": plain(component.initial, 4),
        "transitions": plain(component.transitions, 4),
        "time": plain(_time(component, members), 4),
        "told": told,
    }


def _time(component: Any, members: Sequences) -> FloatArray:
    """Return the share of steps that members spend in each state."""
    n_states = len(component.initial)
    if not len(members):
        return np.zeros(n_states)
    some = members.take(np.arange(0, len(members), -(-len(members) // SEQUENCES_LOOKED_AT)))
    if hasattr(component, "state_probabilities"):
        return np.concatenate(component.state_probabilities(some)).mean(axis=0)
    codes = some.values[:, 0].astype(int)
    return np.bincount(codes, minlength=n_states)[:n_states] / len(codes)
