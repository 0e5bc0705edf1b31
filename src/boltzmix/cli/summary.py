"""The summary of a fit that the command prints."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from ..data import Regression, Sequences
from ..files import Read
from ..mixture import Mixture
from ..views import (
    Symbols,
    column_names,
    describe_component,
    describe_family,
    describe_iterations,
    describe_problems,
    find_bic,
    listed,
    sizes,
)
from .console import in_options


def summarise(model: Mixture, read: Read, console: Console) -> None:
    """Print the size of the data, the likelihood, a table of the components and problems."""
    if isinstance(read.X, Regression):
        _print_rows(model, read, len(read.X), console)
    elif read.ids is None:
        _print_rows(model, read, read.X.height, console)
    else:
        _print_sequences(model, read.X, read.symbols, console)
    print_problems(model, console)


def print_problems(model: Any, console: Console) -> None:
    """Print one sentence for each problem of a fit, in the words of the command."""
    for sentence in describe_problems(model):
        console.print(f"Note: {in_options(sentence)}")


def component_grid(model: Any, names: Sequence[str], symbols: Symbols, noun: str) -> Grid:
    """Return a table of the components, by their parameters.

    Parameters
    ----------
    model : fitted mixture
    names : sequence of str
        Names of the columns.
    symbols : mapping of names to sequences
        What codes stand for.
    noun : str
        Plural noun for the observations.
    """
    grid = Grid("component", "weight", noun, "description")
    for k, (component, weight, size) in enumerate(_parts(model)):
        words = describe_component(component, names, symbols)
        grid.add_row(str(k), f"{weight:.3f}", str(size), words)
    _add_noise(model, grid)
    return grid


def _print_rows(model: Mixture, read: Read, n_rows: int, console: Console) -> None:
    console.print(
        f"{len(model.components_)} components on {n_rows} rows of {len(read.columns)} column(s):"
        f" {listed(read.columns)}"
    )
    _print_score(model, read.X, console)
    console.print(component_grid(model, read.columns, read.symbols, "rows"))


def _print_sequences(
    model: Mixture, sequences: Sequences, symbols: dict[str, list[str]], console: Console
) -> None:
    names = sequences.feature_names or column_names(None, sequences.n_features)
    lengths = sequences.lengths
    console.print(
        f"{len(model.components_)} components on {len(sequences)} sequences of"
        f" {lengths.mean():.1f} steps on average ({lengths.min()} to {lengths.max()}),"
        f" {len(names)} column(s): {listed(names)}"
    )
    _print_score(model, sequences, console)
    grid = Grid("component", "weight", "sequences", "steps", "description")
    for k, (component, weight, size) in enumerate(_parts(model)):
        members = sequences.take(model.labels_ == k)
        steps = f"{members.lengths.mean():.1f}" if size else "–"
        words = describe_component(component, names, symbols, members)
        grid.add_row(str(k), f"{weight:.3f}", str(size), steps, words)
    _add_noise(model, grid)
    console.print(grid)


def _parts(model: Any) -> list[tuple[Any, float, int]]:
    counts = sizes(model.labels_, len(model.components_))
    return list(zip(model.components_, model.weights_, counts.tolist(), strict=True))


def _add_noise(model: Any, grid: Grid) -> None:
    """Add a row for noise, if the mixture has a noise component."""
    if model.noise:
        grid.add_row("noise", f"{model.noise_weight_:.3f}", str((model.labels_ < 0).sum()))


def _print_score(model: Mixture, X: Any, console: Console) -> None:
    bic = find_bic(model, X)
    criterion = "" if bic is None else f", BIC {bic:.1f}"
    console.print(f"Family: {describe_family(model.components_[0])}")
    console.print(f"Objective {model.lower_bound_:.4f}{criterion}")
    console.print(describe_iterations(model.history_))
