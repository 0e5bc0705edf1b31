"""The training story: temperature, score, allocations and moves, phase by phase."""

from typing import Any

import numpy as np

from ..data import IntArray
from .numbers import plain

MOST_STEPS, MOST_MOVES = 600, 200


def training(history: Any) -> dict[str, Any]:
    """Show the steps of a run, or, of a long one, every so many."""
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
    }


def _moves(history: Any) -> list[dict[str, Any]]:
    """Return the moves that were made, and when."""
    return [{"at": at, "what": str(move)} for at, move in enumerate(history.moves) if move]


def _shown(n_steps: int, begins: IntArray) -> IntArray:
    every = np.arange(0, n_steps, -(-n_steps // MOST_STEPS))
    return np.unique([*every, *begins, n_steps - 1])
