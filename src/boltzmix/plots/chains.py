"""One chain: its initial and transition probabilities, and what its states emit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import FloatArray, as_array, shown
from ..families.contract.description import Chain
from ..views import PALETTE, Symbols, column_names, picture_of, symbols_by_column
from . import canvas
from .emissions import MOST_FEATURES, Emissions, emissions_of


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
    symbols: Sequence[Any] | None = None

    @property
    def n_shown(self) -> int:
        """Number of features drawn."""
        return 0 if self.emissions is None else min(self.emissions.n_features, MOST_FEATURES)

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

    def plot(self, ax: Any = None, title: str | None = None, colour: Any = PALETTE[0]) -> Any:
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

    def _draw_initial(self, ax: Any, colour: Any) -> None:
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
    component: Any,
    feature_names: Sequence[str] | None = None,
    symbols: Symbols | Sequence[Any] | None = None,
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
    given: Any = np.array([]) if feature_names is None else as_array(feature_names, "feature_names")
    if given.ndim != 1:
        raise ValueError(f"feature_names must be a list of names, not {shown(feature_names)}.")
    names = tuple(map(str, given))
    own = symbols_by_column(symbols, names)
    columns = names or column_names(None, 1)
    if not chain.states:
        return States(chain.initial, chain.transitions, None, names, own.get(columns[0]))
    emissions = emissions_of(chain.states, [own.get(name) for name in columns])
    return States(chain.initial, chain.transitions, emissions, names)
