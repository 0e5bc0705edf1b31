"""A fit that shows how far it has come."""

from datetime import timedelta
from time import monotonic
from typing import Any

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ..mixture import Mixture
from .console import err, warnings_as_sentences


class Pace:
    """How quickly iterations go, and when the recipe at work will have run from every start.

    Parameters
    ----------
    n_runs : int
        How many begin; after each recipe, the better half goes on.
    max_iter : int
        Greatest number of iterations of a recipe in a run.
    """

    def __init__(self, n_runs: int, max_iter: int) -> None:
        self.n_runs, self.max_iter = n_runs, max_iter
        self.began = self.phase_began = self.run_began = monotonic()
        self.seen = self.done = 0
        self.phase = ""

    def tell(self, phase: str, iteration: int) -> str:
        """Note one more iteration, and return rate and time left in words."""
        now = monotonic()
        if phase != self.phase:
            self.n_runs = (self.n_runs + 1) // 2 if self.phase else self.n_runs
            self.phase, self.phase_began, self.run_began, self.done = phase, now, now, 0
        elif iteration == 0:
            self.done, self.run_began = self.done + 1, now
        self.seen += 1
        rate = self.seen / max(now - self.began, 1e-3)
        return f"{rate:.3g} iterations/s, {phase} ends {self._left(iteration, now, rate)}"

    def _left(self, iteration: int, now: float, rate: float) -> str:
        """Tell by the runs before how long the rest will take; in the first, what is the most.

        How many iterations a recipe takes is not known before it ends.
        """
        if self.done:
            each = (self.run_began - self.phase_began) / self.done
            rest = each * (self.n_runs - self.done) - (now - self.run_began)
            return f"in {_clock(max(rest, 0))}"
        return f"within {_clock(self.n_runs * self.max_iter / rate - iteration / rate)}"


def fit_model(model: Mixture, X: Any) -> list[str]:
    """Fit a mixture; on a terminal, show every step. Return warnings, as sentences."""
    with Progress(
        SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task("fitting", total=None)
        pace = Pace(model.n_init, model.max_iter)

        def tell(state: Any) -> None:
            step = state.step
            progress.update(
                task,
                description=f"{step.phase} iteration {step.iteration}, score {step.score:.4f},"
                f" {pace.tell(step.phase, step.iteration)}",
            )

        with warnings_as_sentences() as noted:
            model.set_params(verbose=tell).fit(X)
    return noted


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
