"""Which transitions between hidden states are allowed, and in which states chains may start."""

from typing import Any

import numpy as np

from ....data import BoolArray, FloatArray, InputError, Rows, Sequences, counted, marked, shown
from ...contract.base import Bank, Family

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


def check_emission(emission: Any) -> None:
    """Validate that emissions are a family of rows whose fit honours weights."""
    if not isinstance(emission, Family):
        raise ValueError(
            f"emission must be a Family such as Gaussian('diag'), not {shown(emission)}."
        )
    if not emission.weighted:
        raise ValueError(
            "emission must be a weighted family, because every step belongs to several states with"
            f" some probability, and fit of {emission.name} takes no weights."
        )
    if not issubclass(emission.observes, Rows):
        raise ValueError(
            f"emission must be a family of rows, which steps are, and {emission.name} is not:"
            " choose one such as Gaussian('diag')."
        )


def check_shape(name: str, given: Any, n_states: int, axes: int) -> None:
    """Validate the shape of a parameter, where it is given, which kernels do not check."""
    wanted = (n_states,) * axes
    if axes == 1 and name == "states" and given is not None and not isinstance(given, Bank):
        raise TypeError(f"states must be a Bank of distributions, not {shown(given)}.")
    shape = (len(given),) if isinstance(given, Bank) else np.shape(given)
    if given is not None and shape != wanted:
        raise ValueError(
            f"{name} must have the shape {wanted}, as n_states={n_states}, not {shape}."
        )


def check_enough_steps(data: Sequences, n_states: int, topology: Any) -> None:
    """Validate that there are as many steps as states, in one sequence if these are in order."""
    longest = int(data.lengths.max())
    if is_left_right(topology) and longest < n_states:
        raise InputError(
            f"{marked('n_states', n_states)} is more than the {counted(longest, 'step')} of the"
            " longest"
            f" sequence, so that no left-right chain reaches its last state: use at most {longest}."
        )
    if n_states > len(data.steps):
        raise InputError(
            f"{marked('n_states', n_states)} is more than the {counted(len(data.steps), 'step')} of"
            f" all sequences: use at most {len(data.steps)}."
        )


def checked_weights(weights: Any, n: int) -> FloatArray | None:
    """Return the weights of `n` sequences as an array, where they are given, validated."""
    if weights is None:
        return None
    numbers = np.asarray(weights, dtype=float)
    if numbers.shape != (n,) or not (numbers >= 0).all():
        raise ValueError(f"weights must be {n} numbers of zero or more, one per sequence.")
    return numbers
