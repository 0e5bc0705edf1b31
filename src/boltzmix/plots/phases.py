"""The phases of a run: lines that break where one ends, and the names of all."""

from typing import Any

import numpy as np

from ..data import FloatArray, IntArray
from ..learning import History

LINE = 10  # height of a line of names, in points
LETTER = 5.2  # width of a letter of a name, in points
GAP = 6  # between two names in one line, in points


def plot_by_phase(ax: Any, history: History, values: Any, **style: Any) -> None:
    """Draw values of all steps (n,), with a gap between phases; a phase of one step is a dot.

    Every recipe has a score of its own, so a line from one to the next would mean nothing.
    """
    steps, begins = np.arange(len(history), dtype=float), starts_of(history)
    broken = [
        np.insert(np.asarray(one, dtype=float), begins[1:], np.nan) for one in (steps, values)
    ]
    (line,) = ax.plot(*broken, **style)
    alone = begins[np.diff([*begins, len(history)]) == 1]
    if len(alone):
        ax.plot(alone, np.asarray(values)[alone], "o", ms=3, color=line.get_color())


def starts_of(history: History) -> IntArray:
    """Return the first step of each phase."""
    return np.flatnonzero(history.iteration == 0)


def name_phases(ax: Any, history: History, title: str = "") -> None:
    """Draw a line where each phase begins, with its name above the axes, and a title above these.

    A name that would run into another one is in a higher line.
    """
    ax.locator_params(axis="x", integer=True)
    begins = starts_of(history)
    names = [str(history.phase[start]) for start in begins]
    levels = _levels(_places(ax, begins), names)
    for start, name, level in zip(begins, names, levels, strict=True):
        if start:
            ax.axvline(start - 0.5, color="0.6", lw=0.8)
            _draw_from_top(ax, start - 0.5, LINE * (level + 1))
        ax.annotate(
            name, (max(start - 0.5, 0), 1), xycoords=("data", "axes fraction"),
            xytext=(2, 2 + LINE * level), textcoords="offset points", fontsize="small", color="0.4",
            annotation_clip=False,
        )  # fmt: skip
    ax.set_title(title, pad=6 + LINE * (1 + max(levels, default=0)))


def _draw_from_top(ax: Any, x: float, height: float) -> None:
    """Draw a line of so many points above the axes."""
    ax.annotate(
        "", (x, 1), xycoords=("data", "axes fraction"), xytext=(0, height), annotation_clip=False,
        textcoords="offset points",
        arrowprops={"arrowstyle": "-", "color": "0.6", "lw": 0.8, "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip


def _places(ax: Any, steps: IntArray) -> FloatArray:
    """Return the horizontal places of steps, in points."""
    pixels = ax.transData.transform(np.column_stack([steps, np.zeros(len(steps))]))[:, 0]
    return np.asarray(pixels * 72 / ax.figure.dpi)


def _levels(places: FloatArray, names: list[str]) -> list[int]:
    """Return the line of each name, the lowest in which it runs into no name to its right."""
    firsts: list[float] = []  # left end of the leftmost name in each line
    levels = []
    for place, name in zip(places[::-1], names[::-1], strict=True):
        end = place + LETTER * len(name) + GAP
        level = next((n for n, first in enumerate(firsts) if end <= first), len(firsts))
        firsts[level : level + 1] = [place]
        levels.append(level)
    return levels[::-1]
