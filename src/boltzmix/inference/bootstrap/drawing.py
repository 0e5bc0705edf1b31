"""The picture of a bootstrap: estimates with their intervals."""

from typing import Any

import numpy as np

from ...data import shown
from ...views import NOISE_COLOUR, PALETTE

BAND = 0.7  # of the distance between two parameters, for the components of one
MOST_NAMED = 40  # parameters whose names have room beside the axes


def draw_intervals(estimates: Any, ax: Any, parameter: str | None, level: float) -> Any:
    """Draw the entries of one parameter with intervals, by component; return the axes."""
    from matplotlib import pyplot as plt

    wanted = _wanted(estimates, parameter)
    rows = [row for row in estimates.rows(level) if _stem(row["parameter"]) == wanted]
    names = list(dict.fromkeys(row["parameter"] for row in rows))
    components = list(dict.fromkeys(row["component"] for row in rows))
    if ax is None:
        height = 1.2 + 0.3 * min(len(names) * max(1.0, len(components) / 3), 40)
        _, ax = plt.subplots(figsize=(6.4, height), layout="constrained")
    shifts = BAND * (np.arange(len(components)) - (len(components) - 1) / 2) / len(components)
    for place, (component, shift) in enumerate(zip(components, shifts, strict=True)):
        own = [row for row in rows if row["component"] == component]
        heights = np.array([names.index(row["parameter"]) for row in own]) + shift
        values = np.array([row["estimate"] for row in own])
        ends = np.array([[row["lower"], row["upper"]] for row in own])
        colour = NOISE_COLOUR if component == "noise" else PALETTE[place % len(PALETTE)]
        ax.hlines(heights, *ends.T, color=colour, lw=1.6)
        ax.plot(values, heights, "o", color=colour, ms=4, label=component)
    if len(names) <= MOST_NAMED:
        ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(f"estimate and interval of {level:.0%}")
    if len(components) <= len(PALETTE):
        ax.legend(title="component", frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def _wanted(estimates: Any, parameter: str | None) -> str:
    """Return the parameter to draw; raise if there is no such."""
    stems = list(dict.fromkeys(map(_stem, estimates.parameters)))
    if parameter is None:
        entries = [_stem(name) for name in estimates.parameters if "[" in name]
        return next(iter(entries), stems[-1])
    if parameter not in stems:
        raise ValueError(f"parameter must be one of {', '.join(stems)}, not {shown(parameter)}.")
    return parameter


def _stem(name: str) -> str:
    """Return the name of a parameter without that of its entry."""
    return name.partition("[")[0]
