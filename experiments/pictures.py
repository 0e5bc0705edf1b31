"""Draw saved results: purity of every method, of every seed, or after every update."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator

from .measure import ROC_GRID, Results
from .table import Figure, PaperTable


def draw(table: PaperTable, results: Results) -> Canvas:
    """Draw purity after every update if it was recorded, else of every seed or every method."""
    if any("ROC" in bands for bands in results.bands.values()):
        return _draw_bands(table, results)
    if results.bands:
        return _draw_paths(table, results)
    if table.best_of is not None:
        return _draw_seeds(table, results)
    return _draw_methods(table, results)


def _draw_methods(table: PaperTable, results: Results) -> Canvas:
    """Draw the purity of every method beside the paper's."""
    canvas = Canvas(figsize=(7, 1.2 + 0.36 * len(table.methods)), layout="constrained")
    axes = canvas.subplots()
    for place, method in enumerate(table.methods):
        for figure, offset, colour, name in (
            (results.figure(method, "ACC"), -0.13, "#0072B2", "measured"),
            (method.paper.get("ACC"), 0.13, "#E69F00", "paper"),
        ):
            if figure is None:
                continue
            axes.errorbar(
                figure.mean,
                place + offset,
                xerr=figure.std,
                fmt="o",
                ms=5,
                color=colour,
                capsize=2,
                label=name if place == 0 else None,
            )
    axes.set_yticks(range(len(table.methods)), [method.label for method in table.methods])
    axes.invert_yaxis()
    axes.set_xlabel("purity, mean ± standard deviation")
    axes.set_title(table.title)
    axes.grid(axis="x", alpha=0.3)
    axes.legend()
    return canvas


def _draw_seeds(table: PaperTable, results: Results) -> Canvas:
    """Draw the purity of every seed, of the seed with the highest likelihood, and the paper's."""
    assert table.best_of is not None
    canvas = Canvas(figsize=(7, 1.4 + 0.4 * len(table.methods)), layout="constrained")
    axes = canvas.subplots()
    names = ("every seed", f"likeliest of {table.best_of}", "paper")
    for place, method in enumerate(table.methods):
        purities = results.values[method.label]["ACC"]
        best, theirs = results.best(method, "ACC", table.best_of), method.paper.get("ACC")
        shown = (purities, [best.mean] if best else [], [theirs.mean] if theirs else [])
        for values, offset, style, name in zip(
            shown, (0.0, 0.0, 0.2), (("#999999", "o", 4), ("#0072B2", "o", 7), ("#E69F00", "D", 6)),
            names, strict=True,
        ):  # fmt: skip
            colour, marker, size = style
            axes.plot(
                values, [place + offset] * len(values), marker, ms=size, color=colour, alpha=0.8,
                label=name if place == 0 else None,
            )  # fmt: skip
    axes.set_yticks(range(len(table.methods)), [method.label for method in table.methods])
    axes.margins(y=0.15)
    axes.invert_yaxis()
    axes.set_xlabel("purity")
    axes.set_title(table.title)
    axes.grid(axis="x", alpha=0.3)
    axes.legend(fontsize="small")
    return canvas


def _draw_paths(table: PaperTable, results: Results) -> Canvas:
    """Draw the mean purity after every update, one line per method."""
    canvas = Canvas(figsize=(7, 4.2), layout="constrained")
    axes = canvas.subplots()
    for place, method in enumerate(table.methods):
        means = np.array(results.bands[method.label]["purity"])[:, 0]
        style = "--" if place % 2 else "-"  # so that coinciding lines remain visible
        axes.plot(means, lw=2, ls=style, label=method.label)
    axes.set(xlabel="update", ylabel="purity", xscale="symlog", xlim=(0, None))
    axes.set_title(f"{table.title}: mean over {len(results.seeds)} seeds")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    return canvas


def _draw_bands(table: PaperTable, results: Results) -> Canvas:
    """Draw purity after every update and the ROC curve of each method, mean ± two deviations."""
    methods = [method for method in table.methods if method.label in results.bands]
    canvas = Canvas(figsize=(2.6 * len(methods), 5.2), layout="constrained")
    upper, lower = canvas.subplots(2, len(methods), sharey="row")
    for purity, roc, method in zip(upper, lower, methods, strict=True):
        bands, figure = results.bands[method.label], results.figure(method, "AUROC")
        _draw_band(purity, np.arange(len(bands["purity"])), bands["purity"])
        _draw_band(roc, ROC_GRID, bands["ROC"])
        roc.plot([0, 1], [0, 1], color="#999999", lw=1, ls="--")
        purity.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        purity.set(title=method.label, xlabel="update", ylim=(0.4, 1.02))
        roc.set(xlabel="false positives", ylim=(0, 1.02))
        if figure is not None:
            roc.set_title(f"AUROC {figure.mean:.2f} ± {figure.std:.2f}", fontsize="medium")
    upper[0].set_ylabel("purity")
    lower[0].set_ylabel("true positives")
    canvas.suptitle(f"{table.title}: mean ± 2σ over {len(results.seeds)} seeds")
    return canvas


def _draw_band(axes: Any, places: Any, band: list[Figure]) -> None:
    """Draw means, and a band of two standard deviations around them."""
    mean, deviation = np.array(band).T
    low, high = np.clip([mean - 2 * deviation, mean + 2 * deviation], 0, 1)
    axes.fill_between(places, low, high, color="#0072B2", alpha=0.2)
    axes.plot(places, mean, color="#0072B2", lw=2)
    axes.set_xlim(places[0], places[-1])
    axes.grid(alpha=0.3)
