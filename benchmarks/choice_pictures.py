"""Draw the number of clusters that each method chooses, and its ARI."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from .choice_scores import Scores, fitted
from .optimum_scores import Fits, mean

COLOURS = ("#D55E00", "#E69F00", "#CC79A7", "#0072B2", "#009E73", "#777777")  # of groups
SPREAD = 0.06  # of equal points, in octaves


def draw_choices(
    scores: Scores, fits: Fits, groups: Mapping[str, list[str]], methods: list[str]
) -> Figure:
    """Draw clusters against classes, with a panel for each method, above mean ARI by group."""
    colours = dict(zip(groups, COLOURS, strict=True))
    shown = [
        method
        for method in methods
        if any(fitted(scores, name, method) for names in groups.values() for name in names)
    ]
    canvas = Figure(figsize=(max(2.1 * len(shown), 8), 5.6), layout="constrained")
    parts: Any = canvas.subfigures(2, 1, height_ratios=(1.1, 1))
    upper, lower = parts
    if shown:
        panels = upper.subplots(1, len(shown), sharex=True, sharey=True, squeeze=False)[0]
        for axes, method in zip(panels, shown, strict=True):
            _draw_numbers(axes, fits, groups, colours, method)
        panels[0].set_ylabel("clusters chosen")
        upper.supxlabel("classes", fontsize=10)
        _draw_ari(lower.subplots(), scores, groups, colours, shown)
        lower.legend(loc="outside upper center", ncols=len(groups), fontsize="small", frameon=False)
    return canvas


def _draw_numbers(axes: Any, fits: Fits, groups: Any, colours: Any, method: str) -> None:
    """Draw one point for each fit of a method."""
    rng = np.random.default_rng(0)
    axes.plot((0.8, 40), (0.8, 40), color="0.6", lw=0.8, zorder=0)
    for title, names in groups.items():
        rows = [row for (name, one, _), row in fits.items() if one == method and name in names]
        rows = [row for row in rows if "error" not in row]
        classes, numbers = (np.array([row[key] for row in rows]) for key in ("classes", "k"))
        shift = 2 ** rng.normal(0, SPREAD, (2, len(rows)))
        axes.scatter(classes * shift[0], numbers * shift[1], 9, colours[title], alpha=0.7, lw=0)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    for scale in (axes.xaxis, axes.yaxis):
        scale.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_title(method, fontsize="small")
    axes.grid(alpha=0.3)


def _draw_ari(axes: Any, scores: Scores, groups: Any, colours: Any, methods: list[str]) -> None:
    """Draw the mean ARI of each method on each group."""
    width = 0.8 / len(groups)
    for shift, (title, names) in enumerate(groups.items()):
        for place, method in enumerate(methods):
            own = [scores[name, method].ari for name in names if fitted(scores, name, method)]
            if own:
                where = place + (shift - (len(groups) - 1) / 2) * width
                bars = axes.bar(where, mean(own), width, color=colours[title])
                axes.bar_label(bars, fmt="%.2f", fontsize=6)
        axes.bar(0, 0, color=colours[title], label=title)
    axes.set_xticks(range(len(methods)), methods, fontsize="small")
    axes.set_ylabel("mean ARI")
    axes.set_xlim(-0.5, len(methods) - 0.5)
    axes.margins(y=0.1)
