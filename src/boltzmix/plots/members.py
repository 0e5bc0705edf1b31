"""The sequences of each component, in panels of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import FloatArray, IntArray, Sequences
from . import canvas
from .panels import MOST_SYMBOLS, draw_lines, draw_symbols, explain_symbols

MOST_MEMBERS = 60  # drawn of each component
MOST_TANGLED = 15  # drawn of each component, where lines have no common path
MOST_STEPS = 1000  # drawn of each sequence
MOST_COMPONENTS, MOST_FEATURES = 12, 4
MOMENTS = 100  # of relative time, at which members are averaged
TELLING = 0.25  # share of the spread that a mean path has to explain to be drawn


@dataclass(frozen=True)
class Path:
    """One sequence as it is drawn: where its steps are, shape (t,), and values, shape (t, d)."""

    steps: IntArray
    values: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> "Path":
        """Take all steps of a sequence, or every so many of a long one."""
        steps = np.arange(0, len(values), -(-len(values) // MOST_STEPS))
        return cls(steps, values[steps])


@dataclass(frozen=True)
class Group:
    """The members of a component.

    Parameters
    ----------
    component : int
        -1 for noise.
    size : int
        Number of members.
    paths : sequence of Path
        Members to draw, evenly chosen where there are many.
    mean : Path, optional
        The mean of all members, each stretched to their mean length. None where it says little.
    """

    component: int
    size: int
    paths: Sequence[Path]
    mean: Path | None = None

    @classmethod
    def of(cls, component: int, members: Sequences, symbolic: bool) -> "Group":
        """Choose who is drawn, and see whether a mean is worth it."""
        n = len(members)
        mean = None if symbolic or n < 2 else _mean_path(members)
        most = MOST_TANGLED if mean is None and not symbolic else MOST_MEMBERS
        chosen = np.linspace(0, n - 1, min(n, most)).round().astype(int)
        return cls(component, n, [Path.of(members[int(place)]) for place in chosen], mean)

    @property
    def told(self) -> list[str]:
        """What is written beside the group."""
        name = "noise" if self.component < 0 else f"component {self.component}"
        told = [name, f"{self.size} sequence(s)"]
        return [*told, f"{len(self.paths)} drawn"] if len(self.paths) < self.size else told


@dataclass(frozen=True)
class Members:
    """Sequences against their steps, one group for each component.

    Parameters
    ----------
    groups : sequence of Group
    n_components : int
        Of the mixture; the groups are those of its largest components where there are many, and
        of noise if there is any, in grey.
    feature_names : tuple of str
    n_symbols : int, optional
        Where values are codes of symbols: how many there are. These are told apart by colour.
    """

    groups: Sequence[Group]
    n_components: int
    feature_names: tuple[str, ...]
    n_symbols: int | None = None

    @property
    def n_shown(self) -> int:
        """Number of features drawn."""
        return min(len(self.feature_names), MOST_FEATURES)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns: components by features, or components alone, at most four rows."""
        n_groups = len(self.groups)
        if self.n_shown > 1:
            return n_groups, self.n_shown
        columns = -(-n_groups // 4)
        return -(-n_groups // columns), columns

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches."""
        rows, columns = self.shape
        return max(6.4, 3.2 * columns), max(3.0, (1.5 if rows <= 4 else 1.15) * rows + 0.8)

    def plot(self, ax: Any = None) -> Any:
        """Draw on a new figure, or in place of `ax`; return the axes, components by features."""
        figure = canvas.panel(ax, self.size)
        cells = self._make_axes(figure)
        colours = canvas.label_colours(self.n_components)
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

    def _make_axes(self, figure: Any) -> Any:
        """Return axes, components by features; those at the bottom have their steps named."""
        rows, columns = self.shape
        share_y = "none" if self.n_symbols else "all" if self.n_shown == 1 else "col"
        cells = figure.subplots(rows, columns, sharex=True, sharey=share_y, squeeze=False)
        for unused in cells.ravel()[len(self.groups) * self.n_shown :]:
            unused.remove()
        cells = cells.ravel()[: len(self.groups) * self.n_shown].reshape(-1, self.n_shown)
        for axes in cells.ravel()[-columns:]:
            axes.set_xlabel("step")
            axes.tick_params(labelbottom=True)
            axes.locator_params(axis="x", integer=True)
        return cells

    def _write(self, figure: Any, cells: Any) -> None:
        for row, group in zip(cells, self.groups, strict=True):
            if self.n_shown == 1:
                row[0].set_title(", ".join(group.told), fontsize="medium")
            else:
                row[0].set_ylabel("\n".join(group.told), fontsize="small")
        if self.n_shown > 1:
            for axes, name in zip(cells[0], self.feature_names, strict=False):
                axes.set_title(name, fontsize="medium")
        figure.suptitle(self._title())
        if self.n_symbols and self.n_symbols <= MOST_SYMBOLS:
            explain_symbols(figure, self.n_symbols)

    def _title(self) -> str:
        title = "Sequences of each component"
        n_shown = sum(group.component >= 0 for group in self.groups)
        if n_shown < self.n_components:
            title += f", the {n_shown} largest of {self.n_components}"
        if self.n_shown < len(self.feature_names):
            title += f" (the first {self.n_shown} of {len(self.feature_names)} features)"
        if self.n_symbols and self.n_symbols > MOST_SYMBOLS:
            title += f"; symbols 0 to {self.n_symbols - 1}, from dark to light"
        return title


def sequences(model: Any, X: Any) -> Members:
    """Show which sequences each component has.

    Every sequence is a line against its steps, or a row of colours where its values are symbols.
    Where it says something about them, the mean of all members is drawn too, each of them
    stretched to the same length; where it does not, only a few members are drawn.

    Parameters
    ----------
    model : fitted mixture of a family on sequences
    X : list of arrays, shapes (T_i, d), or Sequences
    """
    data = canvas.observed(model, X)
    if not isinstance(data, Sequences):
        raise ValueError("sequences draws sequences: use plots.clusters for the rows of a table.")
    labels = model.predict(data)
    n_components = len(model.components_)
    sizes = np.bincount(labels[labels >= 0], minlength=n_components)
    shown = np.sort(np.argsort(-sizes, kind="stable")[:MOST_COMPONENTS]).tolist()
    if (labels < 0).any():
        shown.append(-1)
    symbolic = not getattr(model.components_[0], "emission", model.components_[0]).distances
    return Members(
        [Group.of(k, data.take(labels == k), symbolic) for k in shown],
        n_components,
        canvas.column_names(data.feature_names, data.n_features),
        int(data.values.max()) + 1 if symbolic else None,
    )


def _mean_path(members: Sequences) -> Path | None:
    """Return the mean of members stretched to one length, if it explains enough of their spread."""
    n, (total, squares) = len(members), np.zeros((2, MOMENTS, members.n_features))
    for values in members:
        moments = np.linspace(0, len(values) - 1, MOMENTS)
        columns = [np.interp(moments, np.arange(len(values)), column) for column in values.T]
        total += np.transpose(columns)
        squares += np.transpose(columns) ** 2
    mean = total / n
    spread = np.maximum(squares.mean(axis=0) / n - mean.mean(axis=0) ** 2, np.finfo(float).tiny)
    explained, by_chance = (mean.var(axis=0) / spread).mean(), 1 / n
    if explained - by_chance < TELLING * (1 - by_chance):
        return None
    return Path(np.linspace(0, members.lengths.mean() - 1, MOMENTS), mean)
