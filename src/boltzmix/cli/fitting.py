"""A fit with a progress line on the terminal."""

import warnings
from collections.abc import Callable
from time import monotonic
from typing import Any

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ..learning import DegenerateMixtureWarning, State, Step
from ..mixture import Mixture
from ..views import counted, describe_step
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
        self.n_states, self.score = 0, ""
        self.began = clock()

    def describe(self, step: Step) -> str:
        """Count one more state; say what is done, how fast, and the score outside trials."""
        self.n_states += 1
        rate = self.n_states / max(self.clock() - self.began, 1e-3)
        if not step.trial:
            self.score = f", score {step.score:.4f}"
        run = f", run {step.run + 1} of {self.n_runs}" if self.n_runs > 1 else ""
        return (
            f"{describe_step(step)}{run}, {counted(self.n_states, 'iteration')}"
            f" ({rate:,.0f} per second){self.score}"
        )


def fit_model(model: Mixture, X: Any) -> list[str]:
    """Fit a mixture, with a progress line on a terminal; return other warnings as sentences."""
    with Progress(
        SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task("fitting", total=None)
        line = ProgressLine(model.n_init)

        def show(state: State) -> None:
            progress.update(task, description=line.describe(state.step))

        with warnings_as_sentences() as noted:
            warnings.simplefilter("ignore", DegenerateMixtureWarning)  # the summary says these
            model.set_params(verbose=show).fit(X)
    return noted
