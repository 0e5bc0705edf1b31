"""Columns of a table against each other, coloured by component."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data import Columns, FloatArray, IntArray, Rows, shown
from ..fitted import FittedMixture
from ..pictures import column_keys, column_values, densities, ellipses, shown_range
from ..views import column_names
from . import canvas
from .canvas import Window, histogram_edges
from .points import points_on_ellipse

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.typing import ColorType


MOST_COLUMNS, MOST_NAMED = 6, 12
INCHES = 1.9  # width of a panel


@dataclass(frozen=True)
class Pairs:
    """Chosen columns of a table, with the densities of each component.

    Parameters
    ----------
    values : array, shape (n, c)
        NaN where missing.
    labels : array of int, shape (n,)
        -1 for noise, which is grey.
    n_groups : int
        Number of components, or of clusters, where components are merged: each has a colour.
    names : tuple of str
        Names of the chosen columns.
    categories : tuple of tuples or None
        What the codes of each column stand for; None for numbers.
    means : array, shape (K, c), optional
        Centres of the components, where they have an ellipse.
    covariances : array, shape (K, c, c), optional
    densities : tuple of arrays (K + 1, g), or of None
        For each column, a grid and the weighted density of each component on it.
    ranges : tuple of pairs of float
        For each column, the range that is shown. Values beyond it are drawn at the edge, and are
        not in the histogram.
    n_columns : int
        Number of columns there are.
    clusters : array of int, shape (K,), optional
        The cluster of each component, where components are merged. Labels are then clusters.
    """

    values: FloatArray
    labels: IntArray
    n_groups: int
    names: tuple[str, ...]
    categories: tuple[tuple[object, ...] | None, ...]
    means: FloatArray | None
    covariances: FloatArray | None
    densities: tuple[FloatArray | None, ...]
    ranges: tuple[tuple[float, float], ...]
    n_columns: int
    clusters: IntArray | None = None

    def plot(self, ax: "Axes | None" = None) -> Any:
        """Draw on a new figure, or in place of `ax`; return the axes, None above the diagonal."""
        n = len(self.names)
        figure = canvas.panel(ax, (INCHES * n + 0.6, INCHES * n + 0.6))
        cells = figure.subplots(n, n, squeeze=False)
        colours = canvas.label_colours(self.n_groups)
        for row, column in np.ndindex(n, n):
            axes: Any = cells[row, column]
            if column > row:
                axes.remove()
                cells[row, column] = None
            elif column == row:
                self._draw_column(axes, column, colours)
            else:
                self._draw_pair(axes, column, row, colours)
        self._name_axes(cells)
        self._name_components(figure, colours)
        figure.suptitle(self._title())
        return cells

    def _draw_column(self, axes: Any, column: int, colours: Sequence["ColorType"]) -> None:
        """Draw a histogram of each component, and densities where they are known."""
        there = ~np.isnan(self.values[:, column])
        values, labels = self.values[there, column], self.labels[there]
        edges = histogram_edges(values, *self.ranges[column])
        each = 1 / (max(len(values), 1) * (edges[1] - edges[0]))
        for k, colour in zip([*range(self.n_groups), -1], colours, strict=True):
            counts = np.histogram(values[labels == k], edges)[0]
            axes.stairs(each * counts, edges, fill=True, color=colour, alpha=0.35)
        drawn = self.densities[column]
        if drawn is not None:
            style = "-" if self.categories[column] is None else "o"
            for colour, density in zip(self._own_colours, drawn[1:], strict=False):
                axes.plot(drawn[0], density, style, color=colour, lw=1.6)
        axes.set_yticks([])
        axes.set_ylim(bottom=0)
        axes.set_xlim(self._window.start[column], self._window.stop[column])
        axes.spines[["top", "right", "left"]].set_visible(False)

    def _draw_pair(self, axes: Any, x: int, y: int, colours: Sequence["ColorType"]) -> None:
        chosen = canvas.drawn_rows(len(self.values))
        window = self._window
        spread = window.place(self._spread(chosen))[:, [x, y]]
        shown = [colours[k] for k in self.labels[chosen]]
        axes.scatter(*spread.T, c=shown, s=7, alpha=0.55, lw=0, rasterized=True)
        if self.means is not None and self.covariances is not None:
            pair = np.array([x, y])
            for colour, mean, covariance in zip(
                self._own_colours, self.means, self.covariances, strict=False
            ):
                outline = points_on_ellipse(mean[pair], covariance[np.ix_(pair, pair)])
                axes.plot(*outline.T, color="white", lw=2.6)
                axes.plot(*outline.T, color=colour, lw=1.4)
        axes.set_ylim(window.start[y], window.stop[y])
        axes.spines[["top", "right"]].set_visible(False)

    @property
    def _own_colours(self) -> list["ColorType"]:
        """The colour of each component."""
        return canvas.component_colours(self.n_groups, self.clusters)

    @property
    def _window(self) -> Window:
        room = np.array([[0.0 if one is None else 0.5] for one in self.categories])
        ranges = np.array(self.ranges) + room * [-1, 1]
        if self.means is None or self.covariances is None:
            return Window.around(ranges)
        reach = 2 * np.sqrt(np.diagonal(self.covariances, axis1=1, axis2=2))
        return Window.around(ranges, (self.means - reach, self.means + reach))

    def _spread(self, chosen: IntArray) -> FloatArray:
        """Return the values of some rows, those of categories jittered."""
        jitter = np.random.default_rng(0).uniform(-0.25, 0.25, (len(chosen), len(self.names)))
        return self.values[chosen] + jitter * [one is not None for one in self.categories]

    def _name_axes(self, cells: Any) -> None:
        last = len(self.names) - 1
        for (row, column), axes in np.ndenumerate(cells):
            if axes is None:
                continue
            if row == last:
                axes.set_xlabel(self.names[column])
            if column == 0 and row > 0:
                axes.set_ylabel(self.names[row])
            _mark(axes.xaxis, self.categories[column], row == last)
            if row != column:
                _mark(axes.yaxis, self.categories[row], column == 0)
                axes.sharex(cells[column, column])

    def _name_components(
        self, figure: "Figure | SubFigure", colours: Sequence["ColorType"]
    ) -> None:
        from matplotlib.lines import Line2D

        if self.n_groups > MOST_NAMED or len(self.names) == 1:
            return
        named = [*range(self.n_groups)] + [-1] * bool((self.labels < 0).any())
        noun = canvas.noun_of(self.clusters)
        handles = [
            Line2D(
                [], [], color=colours[k], marker="o", ls="",
                label=f"{'noise' if k < 0 else f'{noun} {k}'} ({np.mean(self.labels == k):.0%})",
            )
            for k in named
        ]  # fmt: skip
        figure.legend(
            handles=handles, loc="upper right", bbox_to_anchor=(0.98, 0.93), frameon=False
        )

    def _title(self) -> str:
        title = "Pairs of columns"
        notes = []
        if len(self.names) < self.n_columns:
            notes.append(f"{len(self.names)} of {self.n_columns}")
        if len(self.values) > canvas.MOST_ROWS:
            notes.append(f"{canvas.MOST_ROWS:,} of {len(self.values):,} rows drawn")
        if n_far := self._window.n_beyond(self.values):
            notes.append(f"{n_far:,} far away, at the edge")
        return f"{title}\n({'; '.join(notes)})" if notes else title


def pairs(model: FittedMixture, X: object, columns: Sequence[str | int] | None = None) -> Pairs:
    """Show the columns of a table against each other, coloured by component.

    On the diagonal is the histogram of each column, with the density of each component where its
    family takes missing values (the density of one column is that of a row of which everything
    else is missing) or where there is one column. Components whose picture is an ellipse get
    ellipses of two standard deviations. Points of categories are jittered.

    Parameters
    ----------
    model : fitted mixture of a family on tables
    X : array or frame, shape (n, d)
    columns : sequence of str or int, optional
        The columns to show, by name or number; the first six unless given.
    """
    canvas.check_mixture(model)
    data = canvas.observed(model, X)
    if not isinstance(data, Rows | Columns):
        raise ValueError(
            "pairs draws the columns of a table: use plots.sequences for sequences, and"
            " plots.curves for curves."
        )
    values, names = column_values(data), column_keys(data)
    chosen = _choose(names, columns)
    wanted = np.array(chosen)
    components = model.components_
    means, covariances = ellipses(components, wanted)
    labels = model.predict(X)
    shown = column_names(names if isinstance(names[0], str) else None, len(names), 24)
    categories = [getattr(data, "categories", {}).get(names[place]) for place in chosen]
    ranges = [
        shown_range(values[:, place], labels) if known is None else (0.0, len(known) - 1.0)
        for place, known in zip(chosen, categories, strict=True)
    ]
    return Pairs(
        values[:, wanted],
        labels,
        model.n_clusters_,
        tuple(shown[place] for place in chosen),
        tuple(categories),
        means,
        covariances,
        tuple(
            densities(components, model.weights_, data, place, ends)
            for place, ends in zip(chosen, ranges, strict=True)
        ),
        tuple(ranges),
        len(names),
        canvas.merged_clusters(model),
    )


def _choose(names: Sequence[object], columns: Sequence[str | int] | None) -> list[int]:
    """Return the numbers of the columns asked for, or of the first six."""
    if columns is None:
        return list(range(min(len(names), MOST_COLUMNS)))
    places = []
    for column in columns if isinstance(columns, list | tuple | range) else [columns]:
        place = column if isinstance(column, int) else None
        if isinstance(column, str | int) and column in names:
            place = names.index(column)
        if place is None or not 0 <= place < len(names):
            raise ValueError(
                f"columns names {shown(column)}, which X does not have: choose from"
                f" {', '.join(map(repr, names[:10]))}{' …' if len(names) > 10 else ''}."
            )
        places.append(place)
    if not places:
        raise ValueError("columns is empty: name at least one column.")
    return places


def _mark(axis: "Axis", categories: Sequence[object] | None, written: bool) -> None:
    """Put ticks at categories, or a few at numbers, with or without their labels."""
    from matplotlib.ticker import MaxNLocator

    if categories is not None and len(categories) <= MOST_NAMED:
        axis.set_ticks(range(len(categories)), [str(one)[:10] for one in categories])
    else:
        axis.set_major_locator(MaxNLocator(4))
    if not written:
        axis.set_tick_params(labelbottom=False, labelleft=False)
