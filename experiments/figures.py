"""The paper's figures of the Gaussian-mixture simulations."""

from collections.abc import Callable
from pathlib import Path

from matplotlib.figure import Figure

from boltzmix import BEEM, Mixture, plots
from boltzmix.datasets import make_rainbow, make_square

from .methods import GAUSSIAN, fit_quietly

SEED = 0


def simulations() -> Figure:
    """Draw the unbalanced square and the rainbow, coloured by their true clusters."""
    canvas = Figure(figsize=(10, 4), layout="constrained")
    for axes, (title, (X, labels)) in zip(
        canvas.subplots(1, 2),
        {
            "Unbalanced square": make_square(random_state=SEED),
            "Rainbow": make_rainbow(random_state=SEED),
        }.items(),
        strict=True,
    ):
        plots.Clusters(X, labels, [], ("", ""), int(labels.max()) + 1).plot(axes, legend=False)
        axes.set_title(title)
        axes.set_aspect("equal")
    return canvas


def allocations() -> Figure:
    """Draw the observations allocated to each component, for uniform and learned weights."""
    X, _ = make_square((50, 50, 50, 50), random_state=SEED)
    canvas = Figure(figsize=(10, 3.6), layout="constrained")
    for axes, weights in zip(canvas.subplots(1, 2), ("uniform", "learned"), strict=True):
        recipe = BEEM(weights=weights)
        model = fit_quietly(Mixture(GAUSSIAN, 4, algorithm=recipe, random_state=SEED), X)
        plots.allocations(model).plot(axes)
        axes.set_title(f"Balanced square, {weights} weights")
    return canvas


FIGURES: dict[str, Callable[[], Figure]] = {"simulations": simulations, "allocations": allocations}


def write_figure(name: str, folder: Path) -> Path:
    """Draw a figure into a folder, and return its path."""
    path = folder / f"{name}.png"
    FIGURES[name]().savefig(path, dpi=120)
    return path
