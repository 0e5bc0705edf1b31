"""A fit that shows how far it has come."""

import warnings
from typing import Any

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ..mixture import Mixture
from .console import err, in_options, note


def fit_model(model: Mixture, X: Any) -> None:
    """Fit a mixture; on a terminal, show every step. Warnings become notes."""
    with Progress(
        SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task("fitting", total=None)

        def tell(state: Any) -> None:
            step = state.step
            progress.update(
                task,
                description=f"{step.phase} iteration {step.iteration}, temperature"
                f" {step.temperature:.3f}, score {step.score:.4f}",
            )

        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            model.set_params(verbose=tell).fit(X)
    for warning in noted:
        note(in_options(str(warning.message)))
