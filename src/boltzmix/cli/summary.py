"""What the command tells about a fit."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.table import Table as Grid

from ..data import Regression, Sequences
from ..files import Read
from ..mixture import Mixture
from ..views import describe
from .console import out


def summarise(model: Mixture, read: Read) -> None:
    """Print what was fitted to how much, how well, and each component."""
    if isinstance(read.X, Regression):
        names = read.X.feature_names or ()
        _tell_rows(model, read.X, len(read.X), names)
    elif read.ids is None:
        _tell_rows(model, read.X, read.X.height, read.X.columns)
    else:
        _tell_sequences(model, read.X, read.symbols)


def _tell_rows(model: Mixture, X: Any, n_rows: int, names: Sequence[str]) -> None:
    out.print(
        f"{len(model.components_)} components on {n_rows} rows of {len(names)} column(s):"
        f" {_listed(names)}"
    )
    _tell_score(model, X)
    grid = Grid("component", "weight", "rows", "fitted")
    for k, (component, weight, size) in enumerate(_parts(model)):
        grid.add_row(str(k), f"{weight:.3f}", str(size), repr(component))
    _tell_noise(model, grid)
    out.print(grid)


def _tell_sequences(model: Mixture, sequences: Sequences, symbols: dict[str, list[str]]) -> None:
    names = sequences.feature_names or ()
    lengths = sequences.lengths
    out.print(
        f"{len(model.components_)} components on {len(sequences)} sequences of"
        f" {lengths.mean():.1f} steps on average ({lengths.min()} to {lengths.max()}),"
        f" {len(names)} column(s): {_listed(names)}"
    )
    _tell_score(model, sequences)
    grid = Grid("component", "weight", "sequences", "steps", "what it is like")
    for k, (component, weight, size) in enumerate(_parts(model)):
        members = sequences.take(model.labels_ == k)
        steps = f"{members.lengths.mean():.1f}" if size else "–"
        told = describe(component, members, symbols)
        grid.add_row(str(k), f"{weight:.3f}", str(size), steps, told)
    _tell_noise(model, grid)
    out.print(grid)


def _parts(model: Mixture) -> list[tuple[Any, float, int]]:
    labels = model.labels_
    sizes = np.bincount(labels[labels >= 0], minlength=len(model.components_))
    return list(zip(model.components_, model.weights_, sizes, strict=True))


def _tell_noise(model: Mixture, grid: Grid) -> None:
    if model.noise:
        grid.add_row("noise", f"{model.noise_weight_:.3f}", str((model.labels_ < 0).sum()))


def _tell_score(model: Mixture, X: Any) -> None:
    phases = ", ".join(
        f"{name} {(model.history_.phase == name).sum() - 1}" for name in model.history_.phases
    )
    try:
        bic = f"BIC {model.bic(X):.1f}, "
    except NotImplementedError:  # a family that does not count its parameters
        bic = ""
    out.print(f"Mean log-likelihood {model.lower_bound_:.4f}, {bic}iterations: {phases}")


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:8])}{', …' if len(names) > 8 else ''}"
