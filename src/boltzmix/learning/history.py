"""What happened in a run, one step per iteration."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import FloatArray, IntArray


@dataclass(frozen=True)
class Step:
    """One iteration as numbers.

    Parameters
    ----------
    phase : str
        Name of the recipe at work.
    iteration : int
        Number of M-steps before this step, within its phase.
    temperature : float
    score : float
        What the recipe watches: the mean log-likelihood of an observation under the mixture, or
        under its best component.
    counts : array, shape (K,)
        How much was given to each component.
    n_changed : int or None
        How many observations changed their component; None where they are shared out, and at
        the first step.
    size : float
        How much there is to an observation, which scores grow with.
    move : str or None
        What move was made before this step; empty where none was found worth it, and None where
        none was looked for.
    """

    phase: str
    iteration: int
    temperature: float
    score: float
    counts: FloatArray
    n_changed: int | None
    size: float = 1.0
    move: str | None = None


class History:
    """The steps of a run as arrays, one entry per iteration.

    Attributes
    ----------
    phase : array of str, shape (n_steps,)
    iteration : array of int, shape (n_steps,)
        Starts anew in each phase.
    temperature, score : arrays, shape (n_steps,)
    counts : array, shape (n_steps, K)
    moves : array of str, shape (n_steps,)
        What components were moved before a step; empty where none were.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        self.phase = np.array([step.phase for step in steps])
        self.iteration: IntArray = np.array([step.iteration for step in steps])
        self.temperature: FloatArray = np.array([step.temperature for step in steps])
        self.score: FloatArray = np.array([step.score for step in steps])
        self.counts: FloatArray = np.stack([step.counts for step in steps])
        self.moves = np.array([step.move or "" for step in steps])

    def __len__(self) -> int:
        return len(self.score)

    def __repr__(self) -> str:
        phases = ", ".join(f"{name}: {(self.phase == name).sum()}" for name in self.phases)
        return f"<History of {len(self)} steps ({phases})>"

    @property
    def phases(self) -> list[str]:
        """Names of the phases, in order."""
        return list(dict.fromkeys(self.phase.tolist()))

    @property
    def n_iter(self) -> int:
        """Number of M-steps in all phases, after the one that made the start."""
        return len(self) - int((self.iteration == 0).sum())

    def to_frame(self) -> Any:
        """Return a pandas frame with one row per step, and one column per component's count."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_frame needs pandas: pip install pandas.") from None
        columns = {
            "phase": self.phase,
            "iteration": self.iteration,
            "temperature": self.temperature,
            "score": self.score,
            "move": self.moves,
        }
        counts = {f"count_{k}": column for k, column in enumerate(self.counts.T)}
        return pd.DataFrame(columns | counts)
