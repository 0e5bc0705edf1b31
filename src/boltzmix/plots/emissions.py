"""What the states of a chain emit, one row for each state."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import FloatArray
from ..families.contract.description import ColumnDescription, Description
from ..views import describe_parameters
from . import canvas

MOST_FEATURES, MOST_LETTERS = 4, 34


class Emissions(ABC):
    """What states emit, in one panel for each feature."""

    width: float = 1.3
    heading: str | None = None  # replaces the name of the feature

    @property
    @abstractmethod
    def n_features(self) -> int:
        """Number of features, each with a panel."""

    @abstractmethod
    def plot(self, ax: Any, feature: int, colour: Any) -> None:
        """Draw one feature on `ax`."""


@dataclass(frozen=True)
class Intervals(Emissions):
    """Means, with an error bar of one standard deviation where it is known.

    Parameters
    ----------
    means : array, shape (S, d)
    deviations : array, shape (S, d), optional
    label : str
    """

    means: FloatArray
    deviations: FloatArray | None
    label: str

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.means.shape[1]

    def plot(self, ax: Any, feature: int, colour: Any) -> None:
        """Draw one feature on `ax`."""
        sides = None if self.deviations is None else self.deviations[:, feature]
        ax.errorbar(
            self.means[:, feature], np.arange(len(self.means)), xerr=sides, fmt="o",
            color=colour, ecolor="0.35", ms=5, capsize=2, lw=1.2,
        )  # fmt: skip
        ax.set_xlabel(self.label)
        ax.locator_params(axis="x", nbins=4 if self.n_features == 1 else 2, steps=[1, 2, 5, 10])
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
        ax.margins(x=0.15)


@dataclass(frozen=True)
class Chances(Emissions):
    """Probabilities of categories.

    Parameters
    ----------
    probabilities : array, shape (S, d, C)
    categories : sequence of sequences or None
        Names of the categories of each feature; None where they have none.
    """

    probabilities: FloatArray
    categories: Sequence[Sequence[Any] | None] = ()

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.probabilities.shape[1]

    def plot(self, ax: Any, feature: int, colour: Any) -> None:
        """Draw one feature on `ax`."""
        names = self.categories[feature] if feature < len(self.categories) else None
        shown = self.probabilities[:, feature, : None if names is None else len(names)]
        canvas.heat_map(ax, shown, colour, "category", names)


@dataclass(frozen=True)
class Words(Emissions):
    """Parameters in words, where columns are not described."""

    lines: Sequence[str]
    width = 2.6
    heading = "what it emits"

    @property
    def n_features(self) -> int:
        """Number of panels: all words are in one."""
        return 1

    def plot(self, ax: Any, feature: int, colour: Any) -> None:
        """Write on `ax`."""
        for state, line in enumerate(self.lines):
            short = line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1]}…"
            ax.text(0.02, state, short, va="center", fontsize="small")
        ax.set_xticks([])


def emissions_of(
    states: Sequence[Description], categories: Sequence[Sequence[Any] | None] = ()
) -> Emissions:
    """Return the drawing of what states emit, by the descriptions of their columns.

    Parameters
    ----------
    states : sequence of Description
    categories : sequence of sequences or None
        Names of the categories of each column, where its values are codes.
    """
    columns = [column for state in states for column in state.columns]
    widths = {len(state.columns) for state in states}
    if len(widths) == 1 and columns:
        shape = (len(states), widths.pop())
        if all(column.probabilities is not None for column in columns):
            padded = _padded([column.probabilities for column in columns], shape)
            return Chances(padded, categories)
        if all(column.centre is not None for column in columns):
            return _intervals(columns, shape)
    return Words([describe_parameters(state.parameters) for state in states])


def _intervals(columns: Sequence[ColumnDescription], shape: tuple[int, int]) -> Intervals:
    """Return centres, with spreads where all columns have one."""
    centres = np.reshape([column.centre for column in columns], shape)
    spreads = [column.spread for column in columns if column.spread is not None]
    if len(spreads) < len(columns):
        return Intervals(centres, None, "mean")
    return Intervals(centres, np.reshape(spreads, shape), "mean ± sd")


def _padded(rows: Sequence[Any], shape: tuple[int, int]) -> FloatArray:
    """Return probabilities (S, d, C), zero for categories that a column does not have."""
    table = np.zeros((len(rows), max(map(len, rows))))
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return table.reshape(*shape, -1)
