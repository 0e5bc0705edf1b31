"""When a run is over: functions of the steps taken so far."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .history import Step

Stopping = Callable[[Sequence[Step]], bool]


@dataclass(frozen=True)
class Tolerance:
    """One step after the score at temperature one has changed by less than `tolerance`.

    For sequences it is the score per step of theirs.
    """

    tolerance: float

    def __call__(self, steps: Sequence[Step]) -> bool:
        if len(steps) < 3 or steps[-3].temperature != 1.0:
            return False
        return abs(steps[-2].score - steps[-3].score) < self.tolerance * steps[-1].size


@dataclass(frozen=True)
class Patience:
    """When the score has not improved for `patience` steps by more than `least` in all."""

    patience: int
    least: float = 1e-4

    def __call__(self, steps: Sequence[Step]) -> bool:
        if len(steps) <= self.patience:
            return False
        scores = np.array([step.score for step in steps])
        before, lately = scores[: -self.patience], scores[-self.patience :]
        return bool(lately.max() <= before.max() + self.least * steps[-1].size)


@dataclass(frozen=True)
class LabelsFixed:
    """When no observation has changed its component."""

    def __call__(self, steps: Sequence[Step]) -> bool:
        return steps[-1].n_changed == 0


@dataclass(frozen=True)
class Length:
    """After a fixed number of steps."""

    length: int

    def __call__(self, steps: Sequence[Step]) -> bool:
        return len(steps) > self.length


@dataclass(frozen=True)
class Either:
    """As soon as one of two says so."""

    one: Stopping
    other: Stopping

    def __call__(self, steps: Sequence[Step]) -> bool:
        return self.one(steps) or self.other(steps)


@dataclass(frozen=True)
class NoMove:
    """When a move was looked for and none was found worth making."""

    def __call__(self, steps: Sequence[Step]) -> bool:
        return steps[-1].move == ""


@dataclass(frozen=True)
class MoveOrNone:
    """When a move was looked for, whether one was made or not."""

    def __call__(self, steps: Sequence[Step]) -> bool:
        return steps[-1].move is not None
