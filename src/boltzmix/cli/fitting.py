"""A fit with a progress line on the terminal."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ..comparing import compare
from ..comparison import Comparison
from ..learning import DegenerateMixtureWarning, State
from ..mixture import Mixture
from ..views import counted, describe_step, number_of_components
from .console import err, warnings_as_sentences


class ProgressLine:
    """The words of a progress line, one for each state of a fit, those of trials included.

    Parameters
    ----------
    n_runs : int
        Number of restarts.
    clock : function, default=time.monotonic
        Returns the time in seconds.
    """

    def __init__(self, n_runs: int, clock: Callable[[], float] = monotonic) -> None:
        self.n_runs, self.clock = n_runs, clock
        self.n_states, self.n_components, self.score = 0, 0, ""
        self.began = clock()

    def describe(self, state: State) -> str:
        """Count one more state; say what is done, how fast, and the score outside trials."""
        step = state.step
        self.n_states += 1
        self.n_components = number_of_components(state, self.n_components)
        rate = self.n_states / max(self.clock() - self.began, 1e-3)
        if not step.trial:
            self.score = f", score {step.score:.4f}"
        run = f", run {step.run + 1} of {self.n_runs}" if self.n_runs > 1 else ""
        return (
            f"{counted(self.n_components, 'component')}, {describe_step(step)}{run},"
            f" {counted(self.n_states, 'iteration')}"
            f" ({rate:,.0f} per second){self.score}"
        )


def fit_model(model: Mixture, X: Any) -> list[str]:
    """Fit a mixture, with a progress line on a terminal; return other warnings as sentences."""
    with progress_line(model.n_init) as show, warnings_as_sentences() as noted:
        warnings.simplefilter("ignore", DegenerateMixtureWarning)  # the summary says these
        model.set_params(verbose=show).fit(X)
    return noted


def compare_models(X: Any, n_init: int, **options: Any) -> tuple[Comparison, list[str]]:
    """Compare mixtures, with a progress line; return warnings as sentences, too."""
    with progress_line(n_init) as show, warnings_as_sentences() as noted:
        comparison = compare(X, n_init=n_init, verbose=show, **options)
    return comparison, noted


@contextmanager
def progress_line(n_runs: int) -> Iterator[Callable[[State], None]]:
    """Show a progress line on a terminal; yield the function to call with every state."""
    with Progress(
        SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task("fitting", total=None)
        line = ProgressLine(n_runs)

        def show(state: State) -> None:
            progress.update(task, description=line.describe(state))

        yield show
