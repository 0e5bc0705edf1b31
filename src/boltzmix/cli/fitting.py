"""A fit that shows how far it has come."""

import warnings
from typing import Any

from rich.progress import (
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from ..mixture import Mixture
from .console import err, in_options


class Rate(ProgressColumn):
    """How many iterations there are in a second."""

    def render(self, task: Task) -> Text:
        """Return the rate so far."""
        rate = task.fields["iterations"] / max(task.elapsed or 0.0, 1e-3)
        return Text(f"{rate:.3g} iterations/s")


def fit_model(model: Mixture, X: Any) -> list[str]:
    """Fit a mixture; on a terminal, show every step. Return warnings, as sentences.

    The time that remains is known once the first of several runs is done.
    """
    with Progress(
        SpinnerColumn(), TextColumn("{task.description}"), Rate(), TimeElapsedColumn(),
        TextColumn("left"), TimeRemainingColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    ) as progress:  # fmt: skip
        runs = model.n_init if model.n_init > 1 else None
        task = progress.add_task("fitting", total=runs, iterations=0)
        seen, first = 0, ""

        def tell(state: Any) -> None:
            nonlocal seen, first
            step = state.step
            first = first or step.phase
            begins = step.iteration == 0 and step.phase == first and seen > 0
            seen += 1
            progress.update(
                task,
                advance=int(begins),
                iterations=seen,
                description=f"{step.phase} iteration {step.iteration}, temperature"
                f" {step.temperature:.3f}, score {step.score:.4f}",
            )

        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            model.set_params(verbose=tell).fit(X)
    return [in_options(str(warning.message)) for warning in noted]
