"""A fit with a progress bar on the terminal."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich import progress as rich_progress
from rich.console import Console
from rich.progress_bar import ProgressBar
from rich.table import Column

from ..comparing import compare
from ..comparison import Comparison
from ..learning import DegenerateMixtureWarning, State
from ..mixture import Mixture
from ..views import FitProgress, InPlace, progress_sentence
from .console import err
from .errors import warnings_as_sentences

WIDTH_OF_BAR = 16


def fit_model(model: Mixture, X: object, covariates: object = None) -> list[str]:
    """Fit a mixture, with a progress bar on a terminal; return other warnings as sentences."""
    with progress_bar(model.n_init) as show, warnings_as_sentences() as noted:
        warnings.simplefilter("ignore", DegenerateMixtureWarning)  # the summary says these
        model.set_params(verbose=show).fit(X, covariates=covariates)
    return noted


def compare_models(X: Any, n_init: int, **options: Any) -> tuple[Comparison, list[str]]:
    """Compare mixtures, with a progress bar; return warnings as sentences, too."""
    with progress_bar(n_init) as show, warnings_as_sentences() as noted:
        comparison = compare(X, n_init=n_init, verbose=show, **options)
    return comparison, noted


class PhaseColumn(rich_progress.ProgressColumn):
    """A bar of how much of a phase is done, which pulses where that cannot be estimated."""

    def render(self, task: rich_progress.Task) -> ProgressBar:
        """Return the bar of a task."""
        fraction = task.fields["fraction"]
        return ProgressBar(
            1.0, fraction or 0.0, WIDTH_OF_BAR, fraction is None, animation_time=task.get_time()
        )


@contextmanager
def progress_bar(n_runs: int, console: Console = err) -> Iterator[Callable[[State], None]]:
    """Show a progress bar on a terminal; yield the function to call with every state."""
    sentence_column = rich_progress.TextColumn("{task.description}", table_column=Column(ratio=1))
    with rich_progress.Progress(
        PhaseColumn(Column(min_width=WIDTH_OF_BAR)), rich_progress.TimeElapsedColumn(),
        sentence_column,
        console=console, transient=True, expand=True, disable=not console.is_terminal,
    ) as bar:  # fmt: skip
        task = bar.add_task("fitting", total=None, fraction=None)

        def show(progress: FitProgress) -> None:
            sentence = progress_sentence(progress, n_runs)
            bar.update(task, description=sentence, fraction=progress.fraction)

        yield InPlace(show)
