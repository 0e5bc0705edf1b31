"""The steps of a fit, as an animation or as a strip of pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..data import Columns, Data, FloatArray, IntArray, Rows, check_count, shown
from ..fitted import FittedMixture
from ..learning import History, Move, State
from ..look import PALETTE
from ..views import describe_moves, describe_phase, moved_components
from . import canvas
from .points import Clusters, Plane, clusters
from .training import name_phases, plot_by_phase

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from PIL.Image import Image


SHORT, LONG, LONGEST = 120, 1600, 3000  # milliseconds of a step, around a move, of the last
IN_A_ROW, INCHES = 4, 2.4  # panels of a strip, and their width
SIZE, DOTS = (4.8, 5.6), 100  # inches of an animation, and dots per inch
COLOURS, NEARLY_WHITE = 64, 248  # few colours keep the file small


class Shot(NamedTuple):
    """One picture of a film.

    Parameters
    ----------
    frame : int
    title : str
    moves : tuple of Move
        Moves that are made just after or just before.
    """

    frame: int
    title: str
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Film:
    """A fit, one step after the other.

    Parameters
    ----------
    frames : sequence of Clusters
        The mixture at every step, and last, the fitted mixture.
    history : History
    """

    frames: Sequence[Clusters]
    history: History

    def plot(self, ax: "Axes | None" = None, n_frames: int = 8) -> Any:
        """Draw a strip of frames over the temperature, on a new figure or in place of `ax`.

        Parameters
        ----------
        ax : None, axes, figure or subfigure
        n_frames : int, default=8
            Number of frames; `save` says which are chosen.

        Returns
        -------
        array of axes
            The axes of the frames, and last, the axes of the temperature.
        """
        shots = self.shots(n_frames)
        columns = min(IN_A_ROW, len(shots))
        rows = -(-len(shots) // columns)
        figure = canvas.panel(ax, (INCHES * columns + 0.4, (INCHES + 0.4) * rows + 1.6))
        grid = figure.add_gridspec(rows + 1, columns, height_ratios=[1] * rows + [0.5])
        cells = [figure.add_subplot(grid[divmod(n, columns)]) for n in range(len(shots))]
        for cell, shot in zip(cells, shots, strict=True):
            self._draw(cell, shot)
            cell.set_title(fill(shot.title, 36), fontsize="small")
        below = figure.add_subplot(grid[rows, :])
        self._draw_temperature(below, [shot.frame for shot in shots])
        return np.array([*cells, below])

    def save(self, path: str | Path, n_frames: int = 100) -> None:
        """Write an animation.

        Parameters
        ----------
        path : str or Path
            The name must end in .gif.
        n_frames : int, default=100
            Largest number of frames. The first and the last are shown, those before and after
            moves (as many moves as fit into half of the frames), and others, evenly spaced.
        """
        if Path(path).suffix.lower() != ".gif":
            raise ValueError(f"path must end in .gif, not {shown(str(path))}.")
        shots = self.shots(n_frames)
        images = _with_one_palette([self._image(shot) for shot in shots])
        durations = [LONG if shot.moves else SHORT for shot in shots[:-1]] + [LONGEST]
        images[0].save(
            path, save_all=True, append_images=images[1:], duration=durations, loop=0, optimize=True
        )

    def shots(self, n_frames: int) -> list[Shot]:
        """Choose at most `n_frames` frames, and give each a title."""
        check_count("n_frames", n_frames)
        last = len(self.frames) - 1
        moves = self.history.moved[: n_frames // 4]
        chosen = {last, *([0] if n_frames > 1 else []), *(moves - 1), *moves}
        others = np.setdiff1d(np.arange(last), list(chosen))
        n_more = min(n_frames - len(chosen), len(others))
        evenly = np.linspace(-1, len(others), n_more + 2)[1:-1].round().astype(int)
        chosen |= {*others[evenly]}
        return [self._shot(int(frame), moves) for frame in sorted(chosen)]

    def _shot(self, frame: int, moves: IntArray) -> Shot:
        """Give a frame its title; `moves` are the steps whose moves are shown."""
        if frame == len(self.history):
            return Shot(frame, "The fitted mixture")
        for when, step in (("Before", frame + 1), ("After", frame)):
            if step in moves:
                made = self.history.moves[step]
                return Shot(frame, f"{when}: {describe_moves(made)}", made)
        phase = str(self.history.phase[frame])
        doing = describe_phase(phase) if len(self.history.phases) > 1 else phase
        return Shot(frame, f"{doing}, step {frame}")

    def _draw(self, ax: "Axes", shot: Shot) -> None:
        """Draw a frame without ticks; the components that moves change are marked."""
        frame = self.frames[shot.frame]
        frame.plot(ax, legend=False)
        for place, k in enumerate(moved_components(shot.moves)):
            for line in frame.outlines[k : k + 1]:
                ax.plot(*line.T, color="black", lw=2.6)
                _number(ax, k, line[line[:, 1].argmin() if place % 2 else line[:, 1].argmax()])
        ax.set(xticks=[], yticks=[], xlabel="", ylabel="", title=shot.title)

    def _draw_temperature(self, ax: "Axes", frames: Sequence[int]) -> None:
        """Draw the temperature of every step, with a dot for each of the frames shown."""
        temperature = self.history.temperature
        plot_by_phase(ax, self.history, temperature, color=PALETTE[5], lw=1.6, ls="--")
        shown = np.minimum(frames, len(temperature) - 1)
        ax.plot(shown, temperature[shown], "o", color=PALETTE[5])
        ax.set(xlabel="step", ylim=(0, 1.08 * temperature.max()))
        ax.set_ylabel("temperature", color=PALETTE[5])
        name_phases(ax, self.history)

    def _image(self, shot: Shot) -> "Image":
        """Draw one frame of an animation."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from PIL.Image import fromarray

        figure = canvas.matplotlib().figure.Figure(figsize=SIZE, dpi=DOTS)
        pixels: Any = FigureCanvasAgg(figure)
        upper, lower = figure.subplots(2, 1, height_ratios=(4, 1))
        figure.subplots_adjust(left=0.12, right=0.97, bottom=0.09, top=0.94, hspace=0.2)
        self._draw(upper, shot)
        self._draw_temperature(lower, [shot.frame])
        pixels.draw()
        return fromarray(np.asarray(pixels.buffer_rgba())).convert("RGB")


def _number(ax: "Axes", k: int, where: FloatArray) -> None:
    """Write the number of a component, at the edge if its place is outside the axes."""
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    x, y = np.clip(where, (left, bottom), (right, top))
    ax.annotate(
        str(k), (x, y), ha="center", va="center",
        fontsize="small", bbox={"boxstyle": "round,pad=0.2", "fc": "white"},
    )  # fmt: skip


def _with_one_palette(images: Sequence["Image"]) -> list["Image"]:
    """Give images the same few colours, which makes the file smaller."""
    from PIL.Image import Dither, fromarray

    some = images[:: max(1, len(images) // 8)]
    together = fromarray(np.hstack([np.asarray(one) for one in some]))
    palette = together.quantize(COLOURS)
    found = np.array(palette.getpalette())
    palette.putpalette(np.where(found >= NEARLY_WHITE, 255, found).tolist())
    return [one.quantize(palette=palette, dither=Dither.NONE) for one in images]


def film(model: FittedMixture, X: object, states: Sequence[State]) -> Film:
    """Show the steps by which a mixture was fitted.

    Rows are drawn as by `clusters`, with the most probable component of each at that step. At most
    3,000 rows are drawn, evenly spaced. Trials of a search are not shown.

    Parameters
    ----------
    model : fitted mixture of a family on tables
    X : array or frame, shape (n, d)
    states : sequence of State
        The states that ``verbose=states.append`` collected while the model was fitted. Of several
        runs, the best is shown.

    Examples
    --------
    >>> from boltzmix import Mixture
    >>> from boltzmix.datasets import make_square
    >>> X, _ = make_square(random_state=0)
    >>> states = []
    >>> model = Mixture(n_components=4, random_state=0, verbose=states.append).fit(X)
    >>> strip = film(model, X, states).plot()
    """
    canvas.check_mixture(model)
    data = canvas.observed(model, X)
    if not isinstance(data, Rows | Columns):
        raise ValueError("film draws the rows of a table, not sequences or curves.")
    data = data.take(canvas.drawn_rows(len(data)))
    kept = clusters(model, data)
    plane = Plane.of(data, kept.labels)
    shown = _shown(states, model.history_)
    frames = [_frame(state, model.history_.order, data, plane) for state in shown]
    drawn = [replace(frame, fixed_window=kept.window) for frame in (*frames, kept)]
    return Film(tuple(drawn), model.history_)


def _shown(states: Sequence[State], history: History) -> list[State]:
    """Return the states of the best run, without those of trials."""
    are_states = isinstance(states, list | tuple) and all(hasattr(one, "step") for one in states)
    runs: dict[int, dict[tuple[str, int, float], State]] = {}
    for one in states if are_states else ():
        if not (step := one.step).trial:
            runs.setdefault(step.run, {})[step.phase, step.iteration, step.score] = one
    wanted = list(zip(history.phase, history.iteration, history.score, strict=True))
    for known in runs.values():
        if known.keys() >= set(wanted):
            return [known[step] for step in wanted]
    raise ValueError(
        "states lacks steps of this fit: collect them in a list, states = [], with"
        " verbose=states.append, then fit."
    )


def _frame(state: State, order: IntArray | None, data: Data, plane: Plane) -> Clusters:
    mixture = state if order is None else state.in_order(order)
    components, found = mixture.components, mixture.evaluate(data, is_rounded=False)
    labels = (found.log_densities + found.log_weights).argmax(axis=1)
    labels = np.where(labels < len(components), labels, -1)
    outlines = plane.outlines(components, mixture.weights)
    return Clusters(plane.points, labels, outlines, plane.axis_names, len(components))
