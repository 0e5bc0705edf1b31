"""Stopping rules: functions of the steps so far that say whether a run is over."""

from collections.abc import Sequence

import numpy as np

from ..engine.contract import Stopping
from ..engine.state import Step


def tolerance(least: float) -> Stopping:
    """Stop one step after the score at temperature one has changed by less than `least`.

    Scores of sequences are compared per step of a sequence.
    """

    def is_over(steps: Sequence[Step]) -> bool:
        if len(steps) < 3 or steps[-3].temperature != 1.0:
            return False
        return abs(steps[-2].score - steps[-3].score) < least * steps[-1].size

    return is_over


def patience(n_steps: int, least: float = 1e-4) -> Stopping:
    """Stop when the score has not improved by more than `least` within so many steps."""

    def is_over(steps: Sequence[Step]) -> bool:
        if len(steps) <= n_steps:
            return False
        scores = np.array([step.score for step in steps])
        before, lately = scores[:-n_steps], scores[-n_steps:]
        return bool(lately.max() <= before.max() + least * steps[-1].size)

    return is_over


def labels_fixed(steps: Sequence[Step]) -> bool:
    """Stop when no observation has changed its component."""
    return steps[-1].n_changed == 0


def length(n_steps: int) -> Stopping:
    """Stop after a fixed number of M-steps."""
    return lambda steps: len(steps) > n_steps


def either(one: Stopping, other: Stopping) -> Stopping:
    """Stop as soon as one of two rules says so."""
    return lambda steps: one(steps) or other(steps)


def at_once(steps: Sequence[Step]) -> bool:
    """Stop at the first step."""
    return True


def never(steps: Sequence[Step]) -> bool:
    """Never stop."""
    return False


def has_converged(least: float) -> Stopping:
    """Return whether the score has changed by no more than `least` at the last step."""

    def converged(steps: Sequence[Step]) -> bool:
        last = [step.score for step in steps[-2:]]
        return len(last) == 2 and abs(last[1] - last[0]) <= least * steps[-1].size

    return converged


def hopeless(n_steps: int, target: float, least: float) -> Stopping:
    """Stop a trial that, at its pace, gains too little or will not reach a target.

    Parameters
    ----------
    n_steps : int
        Number of M-steps of the trial.
    target : float
        Score to be reached.
    least : float
        Least gain in the steps that are left.
    """

    def is_over(steps: Sequence[Step]) -> bool:
        last, before = steps[-1], steps[-2].score if len(steps) > 1 else -np.inf
        to_gain = (last.score - before) * (n_steps - last.iteration)
        return bool(to_gain < least * last.size or last.score + to_gain < target)

    return is_over
