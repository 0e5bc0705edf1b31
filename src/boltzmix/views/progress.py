"""How far a fit has come: its pace and the remaining time, in words, and as verbose shows them."""

import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from importlib import import_module
from time import monotonic
from typing import Any

from ..data import counted
from ..learning import State, Step
from .descriptions import describe_step

WINDOW = 50  # iterations that the pace is the mean of, so that it follows a change of load


@dataclass(frozen=True)
class FitProgress:
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

    def read(self) -> FitProgress:
        """Return the progress at the last state."""
        assert self._last is not None
        return FitProgress(
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


def progress_line(progress: FitProgress) -> str:
    """Return the line that `verbose` prints."""
    step = progress.step
    measured = [
        f"run {step.run}",
        f"components {progress.n_components:3}",
        f"{step.phase:5} iteration {step.iteration:4}",
        f"temperature {step.temperature:7.4f}",
        f"score {step.score:.6f}",
        f"after {describe_duration(progress.elapsed)}",
        *_pace(progress, step.phase),
    ]
    tried = [describe_step(step)] if step.trial else []
    return "  ".join(measured + tried)


def progress_sentence(progress: FitProgress, n_runs: int = 1) -> str:
    """Say what is done, at which iteration, the score outside trials, the pace and what is left.

    Parameters
    ----------
    progress : FitProgress
    n_runs : int, default=1
        Number of restarts, if it is known.
    """
    step = progress.step
    many = f" of {n_runs}" if n_runs > 1 else ""
    parts = [
        counted(progress.n_components, "component"),
        describe_step(step),
        *([f"run {step.run + 1}{many}"] if step.run or many else []),
        f"iteration {step.iteration}",
        *([] if progress.score is None else [f"score {progress.score:.4f}"]),
        *_pace(progress, describe_step(step)),
    ]
    return ", ".join(parts)


def ending_sentence(progress: FitProgress) -> str:
    """Say how long a fit took, when it has ended."""
    iterations = counted(progress.n_iter, "iteration")
    return f"fitted in {describe_duration(progress.elapsed)}, {iterations}"


def describe_duration(seconds: float, decimals: int = 1) -> str:
    """Write a time as "0.4 s", "12 s", "3 min" or "2 h 10 min".

    Parameters
    ----------
    seconds : float
    decimals : int, default=1
        Number of decimals below ten seconds.
    """
    if seconds < 99.5:
        return f"{seconds:.{decimals if seconds < 9.95 else 0}f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def _pace(progress: FitProgress, phase: str) -> list[str]:
    """Say how many observations are processed per second, and how long a phase still takes."""
    rate, left = progress.rate, progress.seconds_left
    words = [] if rate is None else [f"{_three_digits(rate)} {progress.noun}/s"]
    if left is not None and progress.step.n_left:
        time = "less than 1 s" if left < 1 else f"about {describe_duration(left, decimals=0)}"
        words.append(f"{time} of {phase} left")
    return words


def _three_digits(number: float) -> str:
    """Write a number with three digits that are not zero, such as "1,230,000" or "0.0123"."""
    return f"{float(f'{number:.3g}'):,.0f}" if number >= 100 else f"{number:.3g}"


Watcher = Callable[[State], None]

SECONDS_BETWEEN = 0.1  # updates of what is shown in place


@contextmanager
def watcher(verbose: Any, interval: int) -> Iterator[Watcher]:
    """Yield the function that is called with every state.

    Parameters
    ----------
    verbose : int or callable
        0 shows nothing. 1 updates one line in a notebook; elsewhere, it prints a line every so many
        iterations and for each trial. 2 prints a line for every iteration. A function is called
        itself.
    interval : int
        Every how many iterations 1 prints a line.
    """
    if callable(verbose):
        yield verbose
    elif verbose <= 0:
        yield _ignore
    elif verbose == 1 and is_notebook():
        with NotebookView() as show:
            yield show
    else:
        yield LineView(interval if verbose == 1 else 1)


class LineView:
    """Print a line for some of the states.

    Parameters
    ----------
    every : int
        Every how many iterations a line is printed. With 1, trials have a line for each iteration,
        else one each.
    """

    def __init__(self, every: int) -> None:
        self._every, self._meter = every, ProgressMeter()

    def __call__(self, state: State) -> None:
        self._meter.note(state)
        if self._is_shown(state.step):
            print(progress_line(self._meter.read()))

    def _is_shown(self, step: Step) -> bool:
        if step.trial and self._every > 1:
            return step.iteration == 0
        return step.finished or step.iteration % self._every == 0


class InPlace:
    """Show the progress in one place, at most ten times a second.

    Parameters
    ----------
    show : function of a FitProgress
    clock : function, default=time.monotonic
        Returns the time in seconds.
    """

    def __init__(
        self, show: Callable[[FitProgress], None], clock: Callable[[], float] = monotonic
    ) -> None:
        self.meter = ProgressMeter(clock)
        self._show, self._clock, self._due = show, clock, clock()

    def __call__(self, state: State) -> None:
        self.meter.note(state)
        now = self._clock()
        if now >= self._due:
            self._show(self.meter.read())
            self._due = now + SECONDS_BETWEEN


class NotebookView:
    """Show the progress of a fit in a notebook: one bar with a sentence, updated in place.

    Parameters
    ----------
    display : function, default=IPython.display.display
        Called once as ``display(data, raw=True, display_id=True)``, where `data` maps media types
        to text; returns a handle, of which ``update(data, raw=True)`` shows other data in its
        place.
    clock : function, default=time.monotonic
        Returns the time in seconds.
    """

    def __init__(
        self, display: Callable[..., object] | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._display = display or import_module("IPython.display").display
        self._handle: Any = None
        self._view = InPlace(self._update, clock)

    def __call__(self, state: State) -> None:
        self._view(state)

    def __enter__(self) -> "NotebookView":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Show the result of the fit, or where it was interrupted."""
        if self._handle is None:
            return
        progress = self._view.meter.read()
        if kind is None:
            self._write(ending_sentence(progress), 1.0)
        else:
            self._write(f"interrupted after {_timed_sentence(progress)}", progress.fraction or 0.0)

    def _update(self, progress: FitProgress) -> None:
        self._write(_timed_sentence(progress), progress.fraction)

    def _write(self, sentence: str, fraction: float | None) -> None:
        value = "" if fraction is None else f' value="{fraction:.3f}"'
        data = {
            "text/plain": sentence,
            "text/html": f'<progress max="1"{value}></progress> {escape(sentence)}',
        }
        if self._handle is None:
            self._handle = self._display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


def is_notebook() -> bool:
    """Whether this runs in a Jupyter kernel, whose front end can update what it has shown."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def _timed_sentence(progress: FitProgress) -> str:
    """Say how far a fit has come, after what time."""
    return f"{describe_duration(progress.elapsed)}: {progress_sentence(progress)}"


def _ignore(state: State) -> None:
    """Show nothing."""
