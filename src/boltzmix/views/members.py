"""Who is shown of each component of sequences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import FloatArray, IntArray, Sequences
from .facts import sizes

MOST_MEMBERS = 60  # shown of each component
MOST_TANGLED = 15  # shown of each component, where lines have no common path
MOST_STEPS = 1000  # shown of each sequence
MOST_COMPONENTS = 12
MOST_AVERAGED = 5000  # of a component's members
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
    places : array of int, shape (m,)
        Which members are drawn, evenly chosen where there are many.
    paths : sequence of Path
        What they look like.
    mean : Path, optional
        The mean of all members, each stretched to their mean length. None where it says little.
    """

    component: int
    size: int
    places: IntArray
    paths: Sequence[Path]
    mean: Path | None = None

    @classmethod
    def of(
        cls, component: int, members: Sequences, symbolic: bool, most: int = MOST_MEMBERS
    ) -> "Group":
        """Choose who is drawn, at most so many, and see whether a mean is worth it."""
        n = len(members)
        mean = None if symbolic or n < 2 else _mean_path(members)
        if mean is None and not symbolic:
            most = min(most, MOST_TANGLED)
        places = np.linspace(0, n - 1, min(n, most)).round().astype(int)
        return cls(component, n, places, [Path.of(members[place]) for place in places], mean)

    @property
    def told(self) -> list[str]:
        """What is written beside the group."""
        name = "noise" if self.component < 0 else f"component {self.component}"
        told = [name, f"{self.size} sequence(s)"]
        return [*told, f"{len(self.paths)} drawn"] if len(self.paths) < self.size else told


def largest(labels: IntArray, n_components: int) -> list[int]:
    """Return the largest components in order, and last -1, if there is noise."""
    order = np.argsort(-sizes(labels, n_components), kind="stable")
    shown = np.sort(order[:MOST_COMPONENTS]).tolist()
    return [*shown, -1] if (labels < 0).any() else shown


def is_symbolic(component: Any) -> bool:
    """Return whether the steps of sequences are symbols, for this component."""
    return not getattr(component, "emission", component).distances


def _mean_path(members: Sequences) -> Path | None:
    """Return the mean of members stretched to one length, if it explains enough of their spread."""
    members = members.take(np.arange(0, len(members), -(-len(members) // MOST_AVERAGED)))
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
