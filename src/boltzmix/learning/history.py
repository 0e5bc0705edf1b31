"""What happened in a run, one step per iteration."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

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


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """The steps of a run as arrays, one entry per iteration.

    Parameters
    ----------
    phase : array of str, shape (n_steps,)
    iteration : array of int, shape (n_steps,)
        Starts anew in each phase.
    temperature, score : arrays, shape (n_steps,)
    counts : array, shape (n_steps, K)
    moves : array of str, shape (n_steps,)
        What components were moved before a step; empty where none were.
    """

    phase: NDArray[np.str_]
    iteration: IntArray
    temperature: FloatArray
    score: FloatArray
    counts: FloatArray
    moves: NDArray[np.str_]

    def __post_init__(self) -> None:
        columns = [getattr(self, column.name) for column in fields(self)]
        if len({len(column) for column in columns}) > 1 or self.counts.ndim != 2:
            raise ValueError("A history needs as many entries of every kind as it has steps.")

    @classmethod
    def of(cls, steps: Sequence[Step]) -> Self:
        """Put steps together."""
        return cls(
            np.array([step.phase for step in steps]),
            np.array([step.iteration for step in steps]),
            np.array([step.temperature for step in steps]),
            np.array([step.score for step in steps]),
            np.stack([step.counts for step in steps]),
            np.array([step.move or "" for step in steps]),
        )

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
