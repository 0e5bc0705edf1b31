"""How far a fit has come: its pace and the remaining time, from its states and their times."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from ..learning import State, Step

WINDOW = 50  # iterations that the pace is the mean of, so that it follows a change of load


@dataclass(frozen=True)
class Progress:
    """How far a fit has come at one of its states.

    Parameters
    ----------
    step : Step
        Phase, iteration, score and trial of the state.
    n_components : int
        Number of components of the mixture, also while candidates for moves are fitted.
    n_iter : int
        Number of M-steps so far, in all phases and trials, after those that made their starts.
    noun : str
        What the observations are called.
    score : float or None
        Last score outside trials.
    elapsed : float
        Seconds since the beginning.
    rate : float or None
        Observations per second: each iteration counts those that it processed. What a search does
        between iterations takes no part. None until two iterations have followed each other.
    seconds_left : float or None
        Estimate of the seconds until the phase ends, where its stopping rule estimates how many
        iterations are left; None in trials.
    """

    step: Step
    n_components: int
    n_iter: int
    noun: str
    score: float | None
    elapsed: float
    rate: float | None
    seconds_left: float | None

    @property
    def fraction(self) -> float | None:
        """Fraction of the phase that is done, where it is known how many iterations are left."""
        done, left = self.step.iteration, self.step.n_left
        if left is None or self.step.trial:
            return None
        return done / (done + left) if done + left else 1.0


class ProgressMeter:
    """Measure the progress of a fit, from its states and the times at which they arrive.

    Parameters
    ----------
    clock : function, default=time.monotonic
        Returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._began = self._now = clock()
        self._paces: deque[tuple[float, int]] = deque(maxlen=WINDOW)
        self._rate: float | None = None
        self._score: float | None = None
        self._last: Step | None = None
        self._n_iter = self._n_components = 0
        self._noun = "observations"

    def note(self, state: State) -> None:
        """Take note of the next state."""
        before, step = self._last, state.step
        time_before, self._now = self._now, self._clock()
        if before is None or _kind(before) != _kind(step):
            self._rate = self._mean_rate()
            self._paces.clear()
        elif _follows(before, step):
            self._paces.append((self._now - time_before, step.n_observations))
        self._n_components = number_of_components(state, self._n_components)
        self._score = self._score if step.trial else step.score
        self._n_iter += step.iteration > 0
        self._noun = str(getattr(state.family.observes, "noun", "observations"))
        self._last = step

    def read(self) -> Progress:
        """Return the progress at the last state."""
        assert self._last is not None
        return Progress(
            self._last,
            self._n_components,
            self._n_iter,
            self._noun,
            self._score,
            self._now - self._began,
            self._mean_rate(),
            self._seconds_left(self._last),
        )

    def _mean_rate(self) -> float | None:
        """Return the mean rate of the last iterations, or that of the phase or trials before."""
        seconds = sum(seconds for seconds, _ in self._paces)
        return sum(n for _, n in self._paces) / seconds if seconds > 0 else self._rate

    def _seconds_left(self, step: Step) -> float | None:
        if step.trial or step.n_left is None or not self._paces:
            return None
        return step.n_left * sum(seconds for seconds, _ in self._paces) / len(self._paces)


def number_of_components(state: State, before: int) -> int:
    """Return the number of components at a state of a fit.

    Candidates for moves are fitted to some observations only, and have fewer components than the
    mixture: for these, it is the number `before`.
    """
    is_candidate = any(move.kind == "propose" for move in state.step.trial)
    return before if before and is_candidate else len(state.bank.components)


def _kind(step: Step) -> tuple[int, str, bool]:
    """Return what iterations of about the same length have in common."""
    return step.run, step.phase, bool(step.trial)


def _follows(before: Step, step: Step) -> bool:
    """Whether one iteration lies between two steps, and nothing else."""
    return step.iteration == before.iteration + 1 and step.trial == before.trial
