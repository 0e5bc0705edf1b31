"""The part of the plane, or of a line, that is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ..data import FloatArray, IntArray
from ..views import shown_range

MARGIN = 0.05  # of the range that is shown, on either side
MOST_ADDED = 0.3  # what outlines may add to the range, on either side
EDGE = 0.012  # distance of far points from the frame
MOST_WHOLE_NUMBERS, MOST_BARS = 40, 60  # of a histogram


@dataclass(frozen=True)
class Window:
    """The limits of the axes, which a few points far away do not stretch.

    Parameters
    ----------
    low, high : array, shape (d,)
        The ranges of the points that are shown in their place.
    start, stop : array, shape (d,)
        The limits of the axes.
    """

    low: FloatArray
    high: FloatArray
    start: FloatArray
    stop: FloatArray

    @classmethod
    def of(cls, points: FloatArray, labels: IntArray, outlines: Sequence[FloatArray] = ()) -> Self:
        """Find the limits of points (n, d), and of outlines (m, d) as far as they add little.

        Noise, at the label -1, and members far from all others do not widen the limits.
        """
        return cls.around([shown_range(column, labels) for column in points.T], outlines)

    @classmethod
    def around(cls, ranges: Any, outlines: Sequence[FloatArray] = ()) -> Self:
        """Find the limits around ranges (d, 2), and outlines (m, d) as far as they add little."""
        low, high = np.asarray(ranges).T
        width = np.where(high > low, high - low, 1.0)
        drawn = np.vstack([low, high, *outlines])
        start = np.clip(drawn.min(axis=0), low - MOST_ADDED * width, low) - MARGIN * width
        stop = np.clip(drawn.max(axis=0), high, high + MOST_ADDED * width) + MARGIN * width
        return cls(low, high, start, stop)

    def n_beyond(self, points: FloatArray) -> int:
        """Return how many of the points (n, d) are not in the ranges that are shown."""
        return int(((points < self.low) | (points > self.high)).any(axis=1).sum())

    def place(self, points: FloatArray) -> FloatArray:
        """Return where points (n, d) are drawn: those outside the limits at the edge."""
        inset = EDGE * (self.stop - self.start)
        return np.clip(points, self.start + inset, self.stop - inset)

    def limit(self, ax: Any, points: FloatArray) -> None:
        """Set the limits of axes in the plane, and note how many of all points are at the edge."""
        ax.set_xlim(self.start[0], self.stop[0])
        ax.set_ylim(self.start[1], self.stop[1])
        self.note(ax, points, "at the edge")

    def note(self, ax: Any, points: FloatArray, where: str) -> None:
        """Write on the axes how many of all points are far away, if any."""
        if n_far := self.n_beyond(points):
            words = f"{n_far:,} far away, {where}"
            ax.text(0.98, 0.02, words, transform=ax.transAxes, ha="right", fontsize="small")


def histogram_edges(values: FloatArray, low: float, high: float) -> FloatArray:
    """Return the edges of bars between two values, one bar for each of a few whole numbers."""
    inside = values[(values >= low) & (values <= high)]
    if not len(inside):
        return np.array([0.0, 1.0])
    if not (inside % 1).any() and high - low <= MOST_WHOLE_NUMBERS:
        return np.arange(low - 0.5, high + 1)
    spread = np.subtract(*np.quantile(inside, [0.75, 0.25]))
    n_bars = np.log2(len(inside)) + 1  # the rule of Sturges, or that of Freedman and Diaconis
    if spread > 0:
        n_bars = max(n_bars, np.cbrt(len(inside)) * (high - low) / (2 * spread))
    room = 0.0 if high > low else 0.5
    return np.linspace(low - room, high + room, int(min(n_bars, MOST_BARS)) + 1)
