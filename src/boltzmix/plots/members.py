"""The sequences or trajectories of each component, in panels of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..data import IntArray, Sequences, Trajectories
from ..fitted import FittedMixture
from ..pictures import Group, groups_of_sequences, groups_of_trajectories
from ..views import Symbols, column_names, is_symbolic, namer, symbols_by_column
from . import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.typing import ColorType


MOST_SYMBOLS = 12  # for which the legend names every colour


def draw_lines(ax: "Axes", group: Group, feature: int, colour: "ColorType") -> None:
    """Draw a thin line for each member, or a dot if it has one step, and their mean and band."""
    least = 0.15 if group.deviations is None else 0.4
    alpha = float(np.clip(5 / max(len(group.paths), 1), least, 0.8))
    for path in group.paths:
        there = ~np.isnan(path.values[:, feature])
        steps, line = path.steps[there], path.values[there, feature]
        marker = "o" if len(steps) == 1 else None
        ax.plot(steps, line, color=colour, lw=0.8, alpha=alpha, marker=marker, ms=3)
    if group.mean is not None and group.deviations is not None:
        middle, spread = group.mean.values[:, feature], 2 * group.deviations[:, feature]
        ax.fill_between(
            group.mean.steps, middle - spread, middle + spread, color=colour, alpha=0.15, lw=0
        )
    if group.mean is not None:
        ax.plot(group.mean.steps, group.mean.values[:, feature], color="white", lw=3.2)
        ax.plot(group.mean.steps, group.mean.values[:, feature], color="0.1", lw=1.6)


def draw_symbols(ax: "Axes", group: Group, feature: int, n_symbols: int) -> None:
    """Draw a row of colours for each member, sorted by their symbols."""
    from matplotlib.colors import ListedColormap

    rows = sorted(path.values[:, feature].tolist() for path in group.paths)
    image = np.full((max(len(rows), 1), max(map(len, rows), default=1)), np.nan)
    for place, row in enumerate(rows):
        image[place, : len(row)] = row
    last = max((path.steps[-1] for path in group.paths), default=0)
    ax.imshow(
        image, cmap=ListedColormap(_symbol_colours(n_symbols)), vmin=-0.5, vmax=n_symbols - 0.5,
        aspect="auto", interpolation="nearest", extent=(-0.5, last + 0.5, len(image), 0),
    )  # fmt: skip
    ax.set_yticks([])


def explain_symbols(
    figure: "Figure | SubFigure", n_symbols: int, symbols: Sequence[object] | None
) -> None:
    """Add a legend that names the symbol of each colour."""
    from matplotlib.patches import Patch

    name = namer(symbols)
    patches = [
        Patch(color=colour, label=canvas.short_name(name(code)))
        for code, colour in enumerate(_symbol_colours(n_symbols))
    ]
    figure.legend(handles=patches, title="symbol", loc="outside right upper", frameon=False)


def _symbol_colours(n: int) -> list["ColorType"]:
    """Return colours that no component has."""
    return list(canvas.matplotlib().colormaps["viridis"](np.linspace(0, 1, n)))


MOST_FEATURES = 4
MOST_ACROSS = 4


@dataclass(frozen=True)
class Members:
    """Sequences against their steps, or trajectories against time, one group for each component.

    Parameters
    ----------
    groups : sequence of Group
    n_components : int
        Number of components of the mixture. Where there are many, the groups are those of the
        largest; the group of noise is grey.
    feature_names : tuple of str
    n_symbols : int, optional
        Number of symbols, where values are codes of symbols. Each symbol has a colour.
    symbols : sequence of str, optional
        Names of these symbols; they are numbered if absent.
    step_name : str
        Name of the horizontal axis.
    are_dates : bool
        Whether steps are days since 1970-01-01, to be written as dates.
    in_rows : bool
        Whether the components of one feature lie side by side, so that their heights compare.
    clusters : array of int, shape (K,), optional
        The cluster of each component, where components are merged: it has one colour.
    """

    groups: Sequence[Group]
    n_components: int
    feature_names: tuple[str, ...]
    n_symbols: int | None = None
    symbols: Sequence[object] | None = None
    step_name: str = "step"
    are_dates: bool = False
    in_rows: bool = False
    clusters: IntArray | None = None

    @property
    def n_shown(self) -> int:
        """Number of features drawn."""
        return min(len(self.feature_names), MOST_FEATURES)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of panels: components by features.

        One feature has at most four rows, or four columns if they lie side by side.
        """
        n_groups = len(self.groups)
        if self.n_shown > 1:
            return n_groups, self.n_shown
        columns = min(n_groups, MOST_ACROSS) if self.in_rows else -(-n_groups // 4)
        return -(-n_groups // columns), columns

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches."""
        rows, columns = self.shape
        height = 2.4 if self.in_rows else 1.5 if rows <= 4 else 1.15
        return max(6.4, 3.2 * columns), max(3.0, height * rows + 0.8)

    def plot(self, ax: "Axes | None" = None) -> Any:
        """Draw on a new figure, or in place of `ax`; return the axes, components by features."""
        figure = canvas.panel(ax, self.size)
        cells = self._make_axes(figure)
        colours = canvas.component_colours(self.n_components, self.clusters)
        for row, group in zip(cells, self.groups, strict=True):
            for feature, axes in enumerate(row):
                if self.n_symbols:
                    draw_symbols(axes, group, feature, self.n_symbols)
                else:
                    draw_lines(axes, group, feature, colours[group.component])
                axes.spines[["top", "right"]].set_visible(False)
                axes.spines["left"].set(color=colours[group.component], linewidth=4)
        self._write(figure, cells)
        return cells

    def _make_axes(self, figure: "Figure | SubFigure") -> Any:
        """Return the axes, components by features; those at the bottom have labels."""
        rows, columns = self.shape
        share_y: Literal["none", "all", "col"] = (
            "none" if self.n_symbols else "all" if self.n_shown == 1 else "col"
        )
        cells = figure.subplots(rows, columns, sharex=True, sharey=share_y, squeeze=False)
        for unused in cells.ravel()[len(self.groups) * self.n_shown :]:
            unused.remove()
        cells = cells.ravel()[: len(self.groups) * self.n_shown].reshape(-1, self.n_shown)
        for axes in cells.ravel()[-columns:]:
            axes.set_xlabel(self.step_name)
            axes.tick_params(labelbottom=True)
            if self.step_name == "step":
                axes.locator_params(axis="x", integer=True)
            if self.are_dates:
                axes.xaxis_date()
                axes.tick_params(axis="x", rotation=30)
        return cells

    def _write(self, figure: "Figure | SubFigure", cells: Any) -> None:
        for row, group in zip(cells, self.groups, strict=True):
            if self.n_shown == 1:
                row[0].set_title(", ".join(self._caption(group)), fontsize="medium")
            else:
                row[0].set_ylabel("\n".join(self._caption(group)), fontsize="small")
        if self.n_shown > 1:
            for axes, name in zip(cells[0], self.feature_names, strict=False):
                axes.set_title(name, fontsize="medium")
        if self.in_rows and self.n_shown == 1:
            cells[0][0].set_ylabel(self.feature_names[0])
        figure.suptitle(self._title())
        if self.n_symbols and self.n_symbols <= MOST_SYMBOLS:
            explain_symbols(figure, self.n_symbols, self.symbols)

    def _caption(self, group: Group) -> list[str]:
        """Return what is written beside a group, with its cluster where components are merged."""
        first, *rest = group.caption
        if self.clusters is None or group.component < 0:
            return [first, *rest]
        return [f"{first} of cluster {self.clusters[group.component]}", *rest]

    def _title(self) -> str:
        noun = "Trajectories" if self.groups[0].noun == "trajectory" else "Sequences"
        title = f"{noun} of each component"
        n_shown = sum(group.component >= 0 for group in self.groups)
        if n_shown < self.n_components:
            title += f", the {n_shown} largest of {self.n_components}"
        if self.n_shown < len(self.feature_names):
            title += f" (the first {self.n_shown} of {len(self.feature_names)} features)"
        if self.n_symbols and self.n_symbols > MOST_SYMBOLS:
            title += f"; symbols 0 to {self.n_symbols - 1}, from dark to light"
        return title


def sequences(
    model: FittedMixture, X: object, symbols: Symbols | Sequence[object] | None = None
) -> Members:
    """Show the sequences that are assigned to each component.

    Every sequence is a line against its steps, or a row of colours where its values are symbols.
    The mean of all members, each stretched to the same length, is drawn too where it explains
    enough of their variance; where it does not, only a few members are drawn.

    Parameters
    ----------
    model : fitted mixture of a family on sequences
    X : list of arrays, shapes (T_i, d), or Sequences
    symbols : sequence of str, or mapping of column names to such, optional
        What the codes 0, 1, … stand for, where values are codes of symbols.
    """
    canvas.check_mixture(model)
    data = canvas.observed(model, X)
    if not isinstance(data, Sequences):
        raise ValueError("sequences draws sequences: use plots.clusters for the rows of a table.")
    labels = model.predict_components(X)
    symbolic = is_symbolic(model.components_[0])
    names = data.feature_names or column_names(None, data.n_features)
    return Members(
        groups_of_sequences(model, data, labels),
        len(model.components_),
        column_names(names, len(names)),
        int(data.values.max()) + 1 if symbolic else None,
        _common_symbols(symbols_by_column(symbols, names), names),
        clusters=canvas.merged_clusters(model),
    )


def _common_symbols(symbols: Symbols, names: Sequence[str]) -> Sequence[object] | None:
    """Return the symbols of all columns, if these have the same ones; the legend is theirs."""
    first, *others = (symbols.get(name) for name in names)
    return first if all(one == first for one in others) else None


GRID = 200


def trajectories(model: FittedMixture, X: object) -> Members:
    """Show the trajectories that are assigned to each component.

    Every trajectory is a thin line through its points. The dark line is the mean curve of the
    component, with a band of two standard deviations of the values around it.

    Parameters
    ----------
    model : fitted mixture of a family on trajectories
    X : Trajectories, or list of pairs (times, values)
    """
    canvas.check_mixture(model)
    data = canvas.observed(model, X)
    if not isinstance(data, Trajectories):
        raise ValueError(
            "trajectories draws trajectories: use plots.sequences for sequences, and plots.clusters"
            " for the rows of a table."
        )
    labels = model.predict_components(X)
    return Members(
        groups_of_trajectories(model, data, labels, GRID),
        len(model.components_),
        column_names(data.feature_names, data.n_features),
        step_name=data.time_name or "time",
        are_dates=data.has_dates,
        in_rows=True,
        clusters=canvas.merged_clusters(model),
    )
