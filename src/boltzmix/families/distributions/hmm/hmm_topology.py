"""Which transitions between hidden states are allowed, and in which states chains may start."""

from typing import Any

import numpy as np

from ....data import BoolArray, FloatArray, shown

NAMED = ("ergodic", "left-right")


def is_left_right(topology: Any) -> bool:
    """Return whether chains start in the first state and move on to the next ones only."""
    return isinstance(topology, str) and topology == "left-right"


def check_topology(topology: Any, n_states: int | None) -> None:
    """Validate that a topology has a name that is known, or is an array of shape (S, S).

    Without a number of states, it may be missing, but not be an array.
    """
    if isinstance(topology, str) and topology in NAMED:
        return
    if n_states is None:
        if topology is None:
            return
        raise ValueError(
            "topology must be 'ergodic' or 'left-right' where the data choose n_states, not"
            f" {shown(topology)}: give n_states, too."
        )
    s = n_states
    try:
        mask = np.asarray(topology)
    except (ValueError, MemoryError):  # rows of different lengths, or a range without end
        mask = np.array(None)
    if mask.shape != (s, s) or mask.dtype != bool or not mask.any(axis=1).all():
        raise ValueError(
            "topology must be 'ergodic', 'left-right', or an array of True and False of shape"
            f" ({s}, {s}) with a True in every row, not {shown(topology)}."
        )


def allowed_transitions(topology: Any, n_states: int) -> BoolArray:
    """Return which transitions are allowed, shape (S, S), from row to column.

    Examples
    --------
    >>> allowed_transitions("left-right", 3).astype(int)
    array([[1, 1, 0],
           [0, 1, 1],
           [0, 0, 1]])
    """
    if is_left_right(topology):
        return np.eye(n_states, dtype=bool) | np.eye(n_states, k=1, dtype=bool)
    if isinstance(topology, str):
        return np.ones((n_states, n_states), dtype=bool)
    return np.asarray(topology)


def allowed_first(topology: Any, n_states: int) -> FloatArray:
    """Return one for each state in which chains may start, and zero for others, shape (S,)."""
    return np.eye(n_states)[0] if is_left_right(topology) else np.ones(n_states)
