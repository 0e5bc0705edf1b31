"""The steps of a run: temperature, score, allocations, moves and trials."""

from typing import Any

import numpy as np

from ..data import IntArray
from ..learning import History
from ..views import count_trials, describe_moves
from .numbers import plain

MOST_STEPS, MOST_MOVES = 600, 200


def training(history: History) -> dict[str, Any]:
    """Return the steps of a run, or, of a long run, some that are evenly spaced."""
    moves = _moves(history)
    begins = np.flatnonzero(history.iteration == 0)
    steps = _shown(len(history), begins)
    return {
        "steps": plain(steps),
        "n_steps": len(history),
        "temperature": plain(history.temperature[steps]),
        "score": plain(history.score[steps], 8),
        "counts": plain(history.counts[steps].T),
        "phases": [{"name": str(history.phase[at]), "at": int(at)} for at in begins],
        "moves": moves[:MOST_MOVES],
        "n_moves": len(moves),
        "trials": count_trials(history),
    }


def _moves(history: History) -> list[dict[str, Any]]:
    """Return the moves that were made, and the step that each precedes."""
    return [{"at": int(at), "what": describe_moves(history.moves[at])} for at in history.moved]


def _shown(n_steps: int, begins: IntArray) -> IntArray:
    every = np.arange(0, n_steps, -(-n_steps // MOST_STEPS))
    return np.unique([*every, *begins, n_steps - 1])
