"""Sequences and trajectories: the members of each component, its states, or its mean curve."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import FloatArray, Sequences, Trajectories
from ..families.contract.description import Chain, Description
from ..fitted import FittedMixture
from ..pictures import Group, Path, groups_of_sequences, groups_of_trajectories, largest
from ..views import (
    Symbols,
    column_names,
    describe_columns,
    describe_parameters,
    is_symbolic,
    namer,
    picture_of,
)
from .assignments import Assignments
from .numbers import neat, plain

MOST_NUMBERS = 150_000  # shown of all sequences together
MOST_MEMBERS, FEWEST_MEMBERS = 40, 4
MOST_STEPS, MOST_FEATURES, MOST_STATES = 160, 8, 30
MOST_AVERAGED = 200  # members over which the time in each state is averaged

SYMBOLS_NOTE = (
    "Every line is a sequence, every colour a symbol; those that begin alike lie side by side."
)
LINES_NOTE = (
    "Thin lines are sequences; a dark line is the mean of all members, each stretched to the same"
    " length, where it explains enough of their variance."
)


def sequences(
    data: Sequences, model: FittedMixture, assignments: Assignments, symbols: Symbols
) -> dict[str, Any]:
    """Return members of the largest components, and their states."""
    names = (data.feature_names or column_names(None, data.n_features))[:MOST_FEATURES]
    symbolic = is_symbolic(model.components_[0])
    shown = largest(assignments.labels, len(model.components_))
    room = MOST_NUMBERS // (len(shown) * len(names) * MOST_STEPS)
    n_members = int(np.clip(room, FEWEST_MEMBERS, MOST_MEMBERS))
    every = [namer(symbols.get(name)) for name in names]
    n_symbols = int(data.values.max()) + 1 if symbolic else 0
    return {
        "kind": "sequences",
        "noun": "sequence",
        "step": "step",
        "note": SYMBOLS_NOTE if symbolic else LINES_NOTE,
        "axes": list(names),
        "n_features": data.n_features,
        "symbols": [[name(code) for code in range(n_symbols)] for name in every],
        "members": [
            _group(group, assignments, len(names))
            for group in groups_of_sequences(model, data, assignments.labels, n_members)
        ],
        "chains": [
            _chain(k, data.take(assignments.labels == k), chain, names, symbols)
            for k, chain in enumerate(picture_of(one, Chain) for one in model.components_)
            if k in shown and chain is not None and len(chain.initial) <= MOST_STATES
        ],
    }


def _group(group: Group, assignments: Assignments, n: int) -> dict[str, Any]:
    """Return the members of a component that are drawn, with n features."""
    k = group.component
    found = {
        "group": len(assignments.groups) - 1 if k < 0 else k,
        "size": group.size,
        "rows": plain(group.rows),
        "certainty": plain(assignments.certainty[group.rows], 4),
        "paths": [path_of(path, n) for path in group.paths],
        "mean": group.mean and path_of(group.mean, n),
    }
    if group.mean is not None and group.deviations is not None:
        spread = 2 * group.deviations
        found["band"] = {
            "low": plain((group.mean.values - spread)[:, :n].T, 4),
            "high": plain((group.mean.values + spread)[:, :n].T, 4),
        }
    return found


def path_of(path: Path, n_features: int) -> dict[str, Any]:
    """Return a member as it is drawn, in at most MOST_STEPS steps."""
    every = -(-len(path.steps) // MOST_STEPS)
    return {
        "at": plain(path.steps[::every]),
        "values": plain(path.values[::every, :n_features].T, 4),
    }


def _chain(
    k: int, members: Sequences, chain: Chain, names: tuple[str, ...], symbols: Symbols
) -> dict[str, Any]:
    """Return the probabilities of a chain, and a description of each of its states."""
    name = namer(symbols.get(names[0]))
    every = members.feature_names or column_names(None, members.n_features)
    return {
        "group": k,
        "hidden": bool(chain.states),
        "initial": plain(chain.initial, 4),
        "transitions": plain(chain.transitions, 4),
        "time": plain(_time(chain, members), 4),
        "states": [_state(one, every, symbols) for one in chain.states]
        or [[name(code)] for code in range(len(chain.initial))],
    }


def _state(state: Description, names: Sequence[str], symbols: Symbols) -> list[str]:
    """Describe what a state emits, column by column where its columns are described."""
    words = describe_columns(state, names, symbols) or [describe_parameters(state.parameters)]
    return list(map(neat, words[:MOST_FEATURES]))


def _time(chain: Chain, members: Sequences) -> FloatArray:
    """Return the fraction of steps that members spend in each state."""
    if not len(members):
        return np.zeros(len(chain.initial))
    return chain.occupancy(
        members.take(np.arange(0, len(members), -(-len(members) // MOST_AVERAGED)))
    )


GRID = 100
NOTE = (
    "Thin lines are trajectories; the dark line is the mean curve of the component, with a band of"
    " two standard deviations of the values around it, noise included."
)


def trajectories(
    data: Trajectories, model: FittedMixture, assignments: Assignments
) -> dict[str, Any]:
    """Return members of the largest components, and the mean curves of these."""
    names = (data.feature_names or column_names(None, data.n_features))[:MOST_FEATURES]
    return {
        "kind": "sequences",
        "noun": "trajectory",
        "step": data.time_name or "time",
        "note": NOTE,
        "axes": list(names),
        "n_features": data.n_features,
        "symbols": [[] for _ in names],
        "members": [
            _group(group, assignments, len(names))
            for group in groups_of_trajectories(model, data, assignments.labels, GRID, MOST_MEMBERS)
        ],
        "chains": [],
    }
