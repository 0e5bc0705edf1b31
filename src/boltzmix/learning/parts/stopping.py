"""Stopping rules: functions of the steps so far that say whether a run is over."""

from collections.abc import Sequence
from math import ceil, log

import numpy as np

from ..engine.contract import EstimatedStopping, Stopping
from ..engine.state import Step

LEAST_RATIO = 0.95  # of two gains, for those that are left to be extrapolated
FEWEST_GAINS = 4  # of the score, for their fall to be extrapolated


def tolerance(least: float, score_before: float | None = None) -> Stopping:
    """Stop one step after the score at temperature one has changed by less than `least`.

    Scores of sequences are compared per step of a sequence. How many steps are left is estimated
    from the gains of the score, as if they fell geometrically. A run that continues another takes
    the score one step before its start as `score_before`, so that it can stop after one step.
    """

    def is_over(steps: Sequence[Step]) -> bool:
        if len(steps) == 2 and score_before is not None:
            return abs(steps[-2].score - score_before) < least * steps[-1].size
        if len(steps) < 3 or steps[-3].temperature != 1.0:
            return False
        return abs(steps[-2].score - steps[-3].score) < least * steps[-1].size

    def n_left(steps: Sequence[Step]) -> int | None:
        if is_over(steps):
            return 0
        until_small = _steps_until_gain(least * steps[-1].size, steps)
        return None if until_small is None else until_small + 1

    return EstimatedStopping(is_over, n_left)


def small_gain(least: float) -> Stopping:
    """Stop as soon as the score at temperature one has changed by less than `least`.

    A run that begins where another ended stops at its first step, if the last M-step of the other
    changed the score by less.
    """

    def is_over(steps: Sequence[Step]) -> bool:
        last = steps[-1]
        return last.gain is not None and abs(last.gain) < least * last.size

    return EstimatedStopping(
        is_over, lambda steps: _steps_until_gain(least * steps[-1].size, steps)
    )


def _steps_until_gain(least: float, steps: Sequence[Step]) -> int | None:
    """Estimate in how many steps the gain of the score falls below `least`.

    The rate of its fall is that between the last gain and the one half of the steps before. There
    is no estimate while the gains rise, at other temperatures than one, and if `least` is zero.
    Other choices of the two gains (the last two, or five or ten steps apart) estimate no better,
    and more often nothing.
    """
    n_gains = len(steps) - 1
    apart = max(n_gains // 2, FEWEST_GAINS - 1)
    if n_gains <= apart or steps[-2 - apart].temperature != 1.0:
        return None
    last = steps[-1].score - steps[-2].score
    if abs(last) < least:
        return 0
    before = steps[-1 - apart].score - steps[-2 - apart].score
    fall = log(before / last) if before > last > 0 else 0.0
    if fall <= 0 or least <= 0:
        return None
    return ceil(apart * (log(last) - log(least)) / fall)


def negligible_gain(least: float) -> Stopping:
    """Stop when the log-likelihood of all observations has less than `least` left to gain.

    The number of steps left is extrapolated from the last two gains, as if gains fell
    geometrically, and no faster than by a twentieth: fast directions, which come first, hide slow
    ones. A parameter that is ε standard errors from its optimum lacks ε²/2 of log-likelihood, so
    `least` says how close parameters must come, whatever the number of observations.
    """

    def is_over(steps: Sequence[Step]) -> bool:
        if len(steps) < 3:
            return False
        scores = [float(step.score * step.counts.sum()) for step in steps[-3:]]
        before, last = scores[1] - scores[0], scores[2] - scores[1]
        if last <= 0:
            return True
        ratio = max(last / before, LEAST_RATIO) if before > last else 1.0
        return ratio < 1 and last * ratio / (1 - ratio) < least

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
    return EstimatedStopping(
        lambda steps: len(steps) > n_steps, lambda steps: n_steps + 1 - len(steps)
    )


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
