"""What `verbose` shows of a fit while it runs: lines, or one line of a notebook."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from importlib import import_module
from time import monotonic
from typing import Any

from ..learning import State, Step
from .progress import Progress, ProgressMeter
from .progress_words import describe_duration, ending_sentence, progress_line, progress_sentence

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
    show : function of a Progress
    clock : function, default=time.monotonic
        Returns the time in seconds.
    """

    def __init__(
        self, show: Callable[[Progress], None], clock: Callable[[], float] = monotonic
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
        self, display: Callable[..., Any] | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._display = display or import_module("IPython.display").display
        self._handle: Any = None
        self._view = InPlace(self._update, clock)

    def __call__(self, state: State) -> None:
        self._view(state)

    def __enter__(self) -> "NotebookView":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        """Show the result of the fit, or where it was interrupted."""
        if self._handle is None:
            return
        progress = self._view.meter.read()
        if kind is None:
            self._write(ending_sentence(progress), 1.0)
        else:
            self._write(f"interrupted after {_timed_sentence(progress)}", progress.fraction or 0.0)

    def _update(self, progress: Progress) -> None:
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


def _timed_sentence(progress: Progress) -> str:
    """Say how far a fit has come, after what time."""
    return f"{describe_duration(progress.elapsed)}: {progress_sentence(progress)}"


def _ignore(state: State) -> None:
    """Show nothing."""
