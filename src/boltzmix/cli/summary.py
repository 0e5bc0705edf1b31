"""What the command tells about a fit."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from ..data import Regression, Sequences
from ..files import Read
from ..mixture import Mixture
from ..views import describe
from .outputs import sizes


def summarise(model: Mixture, read: Read, console: Console) -> None:
    """Print what was fitted to how much, how well, and each component."""
    if isinstance(read.X, Regression):
        _tell_rows(model, read.X, len(read.X), read.columns, console)
    elif read.ids is None:
        _tell_rows(model, read.X, read.X.height, read.columns, console)
    else:
        _tell_sequences(model, read.X, read.symbols, console)


def _tell_rows(model: Mixture, X: Any, n_rows: int, names: Sequence[str], console: Console) -> None:
    console.print(
        f"{len(model.components_)} components on {n_rows} rows of {len(names)} column(s):"
        f" {listed(names)}"
    )
    _tell_score(model, X, console)
    grid = Grid("component", "weight", "rows", "fitted")
    for k, (component, weight, size) in enumerate(_parts(model)):
        grid.add_row(str(k), f"{weight:.3f}", str(size), repr(component))
    tell_noise(model, grid)
    console.print(grid)


def _tell_sequences(
    model: Mixture, sequences: Sequences, symbols: dict[str, list[str]], console: Console
) -> None:
    names = sequences.feature_names or ()
    lengths = sequences.lengths
    console.print(
        f"{len(model.components_)} components on {len(sequences)} sequences of"
        f" {lengths.mean():.1f} steps on average ({lengths.min()} to {lengths.max()}),"
        f" {len(names)} column(s): {listed(names)}"
    )
    _tell_score(model, sequences, console)
    grid = Grid("component", "weight", "sequences", "steps", "what it is like")
    for k, (component, weight, size) in enumerate(_parts(model)):
        members = sequences.take(model.labels_ == k)
        steps = f"{members.lengths.mean():.1f}" if size else "–"
        told = describe(component, members, symbols)
        grid.add_row(str(k), f"{weight:.3f}", str(size), steps, told)
    tell_noise(model, grid)
    console.print(grid)


def _parts(model: Mixture) -> list[tuple[Any, float, int]]:
    return list(zip(model.components_, model.weights_, sizes(model), strict=True))


def tell_noise(model: Any, grid: Grid) -> None:
    """Add a row on noise, if there is any."""
    if model.noise:
        grid.add_row("noise", f"{model.noise_weight_:.3f}", str((model.labels_ < 0).sum()))


def _tell_score(model: Mixture, X: Any, console: Console) -> None:
    bic = find_bic(model, X)
    told = "" if bic is None else f"BIC {bic:.1f}, "
    console.print(
        f"Mean log-likelihood {model.lower_bound_:.4f}, {told}iterations: {phases(model)}"
    )


def find_bic(model: Any, X: Any) -> float | None:
    """Return the BIC, if the family counts its parameters."""
    try:
        return float(model.bic(X))
    except NotImplementedError:
        return None


def phases(model: Any) -> str:
    """Tell how many iterations each recipe took."""
    history = model.history_
    return ", ".join(f"{name} {(history.phase == name).sum() - 1}" for name in history.phases)


def listed(names: Sequence[str]) -> str:
    """Write names one after the other, at most eight."""
    return f"{', '.join(names[:8])}{', …' if len(names) > 8 else ''}"
