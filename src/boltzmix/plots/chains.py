"""One chain: its initial and transition probabilities, and what its states emit."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data import FloatArray, as_array, shown
from ..families import Family
from ..families.contract.description import Chain, ColumnDescription, Description
from ..look import PALETTE
from ..views import Symbols, column_names, describe_parameters, picture_of, symbols_by_column
from . import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.typing import ColorType


MOST_EMITTED, MOST_LETTERS_EMITTED = 4, 34


class Emissions(ABC):
    """The emissions of states, in one panel for each feature."""

    width: float = 1.3
    heading: str | None = None  # replaces the name of the feature

    @property
    @abstractmethod
    def n_features(self) -> int:
        """Number of features, each with a panel."""

    @abstractmethod
    def plot(self, ax: "Axes", feature: int, colour: "ColorType") -> None:
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

    def plot(self, ax: "Axes", feature: int, colour: "ColorType") -> None:
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
    categories: Sequence[Sequence[object] | None] = ()

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.probabilities.shape[1]

    def plot(self, ax: "Axes", feature: int, colour: "ColorType") -> None:
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

    def plot(self, ax: "Axes", feature: int, colour: "ColorType") -> None:
        """Write on `ax`."""
        for state, line in enumerate(self.lines):
            short = (
                line
                if len(line) <= MOST_LETTERS_EMITTED
                else f"{line[: MOST_LETTERS_EMITTED - 1]}…"
            )
            ax.text(0.02, state, short, va="center", fontsize="small")
        ax.set_xticks([])


def emissions_of(
    states: Sequence[Description], categories: Sequence[Sequence[object] | None] = ()
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
        rows = [one.probabilities for one in columns if one.probabilities is not None]
        if len(rows) == len(columns):
            return Chances(_padded(rows, shape), categories)
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


def _padded(rows: Sequence[FloatArray], shape: tuple[int, int]) -> FloatArray:
    """Return probabilities (S, d, C), zero for categories that a column does not have."""
    table = np.zeros((len(rows), max(map(len, rows))))
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return table.reshape(*shape, -1)


@dataclass(frozen=True)
class States:
    """The parameters of a chain, in panels with one row for each state.

    Parameters
    ----------
    initial : array, shape (S,)
        Probabilities of the first state.
    transitions : array, shape (S, S)
        Probabilities from row to column.
    emissions : Emissions, optional
        What the states emit; None if the states are the observed symbols.
    feature_names : tuple of str
    symbols : sequence of str, optional
        Names of the states, where these are the observed symbols.
    """

    initial: FloatArray
    transitions: FloatArray
    emissions: Emissions | None = None
    feature_names: tuple[str, ...] = ()
    symbols: Sequence[object] | None = None

    @property
    def n_shown(self) -> int:
        """Number of features drawn."""
        return 0 if self.emissions is None else min(self.emissions.n_features, MOST_EMITTED)

    @property
    def widths(self) -> list[float]:
        """Widths of the panels in inches: start, transitions, emissions."""
        square = float(np.clip(0.4 * len(self.initial), 1.6, 5.0))
        each = 0.0 if self.emissions is None else self.emissions.width
        return [0.6, square] + [each] * self.n_shown

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches."""
        widths = self.widths
        return sum(widths) + 0.25 * len(widths) + 0.6, widths[1] + 1.2

    def plot(
        self, ax: "Axes | None" = None, title: str | None = None, colour: "ColorType" = PALETTE[0]
    ) -> Any:
        """Draw on a new figure, or in place of `ax`; return the axes."""
        widths = self.widths
        figure = canvas.panel(ax, self.size)
        axes = figure.subplots(1, len(widths), sharey=True, width_ratios=widths)
        self._draw_initial(axes[0], colour)
        canvas.mark_each(axes[0].yaxis, len(self.initial), self.symbols)
        canvas.heat_map(axes[1], self.transitions, colour, f"next {self._noun}", self.symbols)
        axes[1].set_title("transitions", fontsize="medium")
        names = column_names(self.feature_names, self.n_shown, letters=10)
        for feature, panel in enumerate(axes[2:]):
            assert self.emissions is not None
            self.emissions.plot(panel, feature, colour)
            if feature != (self.n_shown - 1) // 2:  # there is room for one label below them
                panel.set_xlabel("")
            panel.set_title(self.emissions.heading or names[feature], fontsize="medium")
        for panel in axes[1:]:
            panel.tick_params(axis="y", left=False)
        figure.suptitle(title or self._title())
        return axes

    @property
    def _noun(self) -> str:
        return "symbol" if self.emissions is None else "state"

    def _draw_initial(self, ax: "Axes", colour: "ColorType") -> None:
        ax.barh(np.arange(len(self.initial)), self.initial, color=colour, height=0.7)
        end = 1.0 if self.initial.max() > 0.25 else np.ceil(20 * self.initial.max()) / 20
        ax.set_xlim(0, end)
        ax.set_xticks([0, end], ["0", f"{end:g}"])
        ax.set_xlabel("chance")
        ax.set_ylabel(self._noun)
        ax.set_title("first", fontsize="medium")
        ax.spines[["top", "right"]].set_visible(False)

    def _title(self) -> str:
        title = "States and transitions" if self.emissions else "Symbols and transitions"
        if self.emissions and self.n_shown < self.emissions.n_features:
            title += f" (the first {self.n_shown} of {self.emissions.n_features} features)"
        return title


def states(
    component: Family,
    feature_names: Sequence[str] | None = None,
    symbols: Symbols | Sequence[object] | None = None,
) -> States:
    """Show the states of one fitted chain, and what each of them emits.

    Parameters
    ----------
    component : fitted HMM or MarkovChain
    feature_names : sequence of str, optional
    symbols : sequence of str, or mapping of column names to such, optional
        What the codes 0, 1, … stand for: the symbols of a Markov chain, or the categories that
        hidden states emit.

    Examples
    --------
    >>> from boltzmix.families import MarkovChain
    >>> chain = MarkovChain().fit(MarkovChain().observe([[[0], [1], [1]], [[1], [0]]]))
    >>> axes = states(chain, symbols=["rain", "sun"]).plot()
    """
    try:
        chain = picture_of(component, Chain)
    except (ValueError, AttributeError, TypeError):  # it has no parameters yet, or is no family
        chain = None
    if chain is None:
        raise ValueError(
            f"states draws a fitted chain such as an HMM, not {type(component).__name__}."
        )
    given = np.array([]) if feature_names is None else as_array(feature_names, "feature_names")
    if given.ndim != 1:
        raise ValueError(f"feature_names must be a list of names, not {shown(feature_names)}.")
    names = tuple(map(str, given))
    own = symbols_by_column(symbols, names)
    columns = names or column_names(None, 1)
    if not chain.states:
        return States(chain.initial, chain.transitions, None, names, own.get(columns[0]))
    emissions = emissions_of(chain.states, [own.get(name) for name in columns])
    return States(chain.initial, chain.transitions, emissions, names)
