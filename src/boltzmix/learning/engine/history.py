"""The history of a run: the steps of the fit itself, and apart from them those of trials."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...data import FloatArray, IntArray
from .state import Move, Step


@dataclass(frozen=True, eq=False, repr=False)
class Trial:
    """One run of the loop that a search made to try something.

    Parameters
    ----------
    moves : tuple of Move
        The moves that were tried.
    recipe : str
        Name of the recipe that the loop ran.
    after : int
        Number of steps of the fit itself before this trial.
    iteration : array of int, shape (n_steps,)
        Number of M-steps of the trial before each step.
    temperature, score : arrays, shape (n_steps,)
    accepted : bool
        Whether the fit went on with these moves.
    """

    moves: tuple[Move, ...]
    recipe: str
    after: int
    iteration: IntArray
    temperature: FloatArray
    score: FloatArray
    accepted: bool

    def __len__(self) -> int:
        return len(self.score)

    def __repr__(self) -> str:
        kinds = ", ".join(dict.fromkeys(move.kind for move in self.moves))
        return f"<Trial of {kinds}: {len(self)} steps of {self.recipe}>"

    @property
    def n_iter(self) -> int:
        """Number of M-steps."""
        return int((self.iteration > 0).sum())


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """The steps of a run as arrays, one entry per iteration.

    Parameters
    ----------
    phase : array of str, shape (n_steps,)
        Name of the recipe at work.
    iteration : array of int, shape (n_steps,)
        Number of M-steps before each step, within its phase.
    temperature, score : arrays, shape (n_steps,)
    counts : array, shape (n_steps, K)
        Total responsibility of each component.
    moves : tuple of tuples of Move, one for each step
        The moves made just before a step; empty where none were. Those at the first step of a
        phase say from what it began: from a mixture of one component less or more, on a path over
        K.
    trials : tuple of Trial
        Every run of the loop that searches made, in order.
    order : array of int, shape (K,), optional
        Which component of the states that `verbose` shows has each number here, if they were
        numbered anew after learning.
    """

    phase: NDArray[np.str_]
    iteration: IntArray
    temperature: FloatArray
    score: FloatArray
    counts: FloatArray
    moves: tuple[tuple[Move, ...], ...]
    trials: tuple[Trial, ...] = ()
    order: IntArray | None = None

    def __post_init__(self) -> None:
        columns = self.phase, self.iteration, self.temperature, self.score, self.counts, self.moves
        if len({len(column) for column in columns}) > 1 or self.counts.ndim != 2:
            raise ValueError("A history needs as many entries of every kind as it has steps.")

    @classmethod
    def of(cls, steps: Sequence[Step]) -> Self:
        """Put steps together."""
        main = [step for step in steps if not step.trial]
        return cls(
            np.array([step.phase for step in main]),
            np.array([step.iteration for step in main]),
            np.array([step.temperature for step in main]),
            np.array([step.score for step in main]),
            np.stack([step.counts for step in main]),
            tuple(step.moves for step in main),
            tuple(_trials(steps, main)),
        )

    def in_order(self, order: IntArray) -> Self:
        """Return this history with components in another order (K,); noise stays last.

        Moves that led to another number of components, on a path over K, lose their numbers.
        """
        rest = np.arange(len(order), self.counts.shape[1])
        places = {int(before): after for after, before in enumerate(order)}
        begins = [
            bool(moves) and not at for moves, at in zip(self.moves, self.iteration, strict=True)
        ]
        return replace(
            self,
            counts=self.counts[:, np.append(order, rest)],
            moves=tuple(
                _renumbered(moves, {} if begin else places)
                for moves, begin in zip(self.moves, begins, strict=True)
            ),
            trials=tuple(
                replace(one, moves=_renumbered(one.moves, {} if on_path else places))
                for one in self.trials
                for on_path in [any(begins[one.after : one.after + 1])]
            ),
            order=order,
        )

    def __len__(self) -> int:
        return len(self.score)

    def __repr__(self) -> str:
        phases = ", ".join(f"{name}: {(self.phase == name).sum()}" for name in self.phases)
        tried = f" and {len(self.trials)} trials" if self.trials else ""
        return f"<History of {len(self)} steps ({phases}){tried}>"

    @property
    def phases(self) -> list[str]:
        """Names of the phases, in order."""
        return list(dict.fromkeys(self.phase.tolist()))

    @property
    def moved(self) -> IntArray:
        """Steps with moves just before them; those that begin a phase are left out."""
        made = np.array([bool(moves) for moves in self.moves], dtype=bool)
        return np.flatnonzero(made & (self.iteration > 0))

    @property
    def n_iter(self) -> int:
        """Number of M-steps in all phases and trials, after those that made their starts."""
        return int((self.iteration > 0).sum()) + sum(trial.n_iter for trial in self.trials)

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
            "move": [", ".join(move.kind for move in moves) for moves in self.moves],
        }
        counts = {f"count_{k}": column for k, column in enumerate(self.counts.T)}
        return pd.DataFrame(columns | counts)


def _renumbered(moves: Sequence[Move], places: Mapping[int, int]) -> tuple[Move, ...]:
    """Return moves with new numbers of components; components that have none are left out."""
    return tuple(
        replace(one, components=tuple(places[k] for k in one.components if k in places))
        for one in moves
    )


def _trials(steps: Sequence[Step], main: Sequence[Step]) -> list[Trial]:
    """Put the steps of each trial together; a trial begins with a new tag or iteration."""
    trials, number, n_main = [], 0, 0
    numbered = []
    for step, before in zip(steps, [None, *steps], strict=False):
        if before is None or step.trial != before.trial or step.iteration <= before.iteration:
            number += 1
        n_main += not step.trial
        numbered.append((number, n_main, step))
    tried = (entry for entry in numbered if entry[2].trial)
    for (_, after), entries in groupby(tried, key=lambda entry: entry[:2]):
        own = [step for _, _, step in entries]
        moves = own[0].trial
        trials.append(
            Trial(
                moves,
                own[0].phase,
                after,
                np.array([step.iteration for step in own]),
                np.array([step.temperature for step in own]),
                np.array([step.score for step in own]),
                after < len(main) and main[after].moves == moves,
            )
        )
    return trials
