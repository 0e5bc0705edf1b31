"""The picture of profiles."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...data import FloatArray
from ...look import PALETTE
from .column_profile import ColumnProfile

if TYPE_CHECKING:
    from ...inference import Profiles

MOST_ROWS = 24  # columns or categories that are drawn
SHARED = 0.5  # of the height of a row, over which components are spread
MARKERS = "os^Dv*PX"
INCHES = (6.4, 0.32, 1.3)  # width, height of a row, and height of all else


class ProfileRow(NamedTuple):
    """One row of the picture: a column or category, with a value for each component (K,).

    Noise is not a component.
    """

    label: str
    means: FloatArray
    low: FloatArray
    high: FloatArray


def profile_rows(profiles: "Profiles", most: int = MOST_ROWS) -> tuple[list[ProfileRow], bool]:
    """Return the rows to draw, of the columns that differ most, and whether they are standardised.

    Where all columns are categories, the rows are probabilities. Else every mean and probability
    is the distance from that of all components together, in standard deviations. Of two categories,
    only the second is drawn. Noise is left out.
    """
    is_standardised = any(column.categories is None for column in profiles.columns)
    rows: list[ProfileRow] = []
    for column in profiles.ranked:
        own = _rows_of(column, is_standardised)
        if rows and len(rows) + len(own) > most:
            break
        rows += own[:most]
    return rows, is_standardised


def draw_profiles(profiles: "Profiles", ax: Any) -> Any:
    """Draw profiles: a row for each column or category, a line for each component."""
    from matplotlib import pyplot as plt

    rows, is_standardised = profile_rows(profiles)
    if ax is None:
        width, each, rest = INCHES
        _, ax = plt.subplots(figsize=(width, rest + each * len(rows)), layout="constrained")
    places, n = np.arange(len(rows)), profiles.n_components
    for k in range(n):
        shift = SHARED * ((k + 0.5) / n - 0.5)
        _draw_component(
            ax, k, np.array([[r.means[k], r.low[k], r.high[k]] for r in rows]), places + shift
        )
    if is_standardised:
        ax.axvline(0, color="0.7", lw=0.8, zorder=0)
    ax.set_yticks(places, [_cut(row.label) for row in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.grid(axis="y", color="0.92")
    ax.set_axisbelow(True)
    words = "standard deviations from the mean of all"
    ax.set_xlabel(words if is_standardised else "probability")
    ax.set_title(f"Profiles, with intervals of {profiles.level:.0%}")
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def _draw_component(ax: Any, k: int, values: FloatArray, places: FloatArray) -> None:
    """Draw means and intervals (rows, 3) of one component at these places."""
    colour = PALETTE[k % len(PALETTE)]
    marker = MARKERS[(k // len(PALETTE)) % len(MARKERS)]
    means, low, high = values.T
    ax.plot(means, places, color=colour, lw=0.9, alpha=0.5)
    ax.hlines(places, low, high, color=colour, lw=2)
    ax.plot(means, places, marker, color=colour, ms=5, label=f"component {k}")


def _rows_of(column: ColumnProfile, is_standardised: bool) -> list[ProfileRow]:
    """Return the rows of one column; of two categories, only the second."""
    own = slice(column.n_components)
    values = (one[:, own] for one in (column.means, column.low, column.high))
    rows = list(map(ProfileRow, column.labels, *values))
    if is_standardised:
        rows = [
            _standardised(row, column.sizes[own], deviations[own])
            for row, deviations in zip(rows, column.deviations, strict=True)
        ]
    return rows[1:] if len(rows) == 2 else rows


def _standardised(row: ProfileRow, sizes: FloatArray, deviations: FloatArray) -> ProfileRow:
    """Return a row relative to the mean of all components, over their standard deviation."""
    there = sizes > 0
    shares = sizes[there] / sizes[there].sum()
    centre = float(shares @ row.means[there])
    variance = shares @ (deviations[there] ** 2 + (row.means[there] - centre) ** 2)
    scale = float(np.sqrt(variance)) or 1.0
    return ProfileRow(row.label, *((one - centre) / scale for one in row[1:]))


def _cut(label: str, letters: int = 32) -> str:
    return label if len(label) <= letters else f"{label[: letters - 1]}…"
