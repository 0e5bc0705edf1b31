"""Which sequences or trajectories of each component are drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..data import FloatArray, IntArray, Sequences, Trajectories, evenly_spaced
from ..families.contract.description import Curve
from ..fitted import FittedMixture
from ..views import is_symbolic, picture_of
from ..views.facts import sizes

MOST_MEMBERS = 60  # drawn of each component
MOST_TANGLED = 15  # drawn of each component, where the mean explains little of the members
MOST_STEPS = 1000  # drawn of each sequence
MOST_COMPONENTS = 12
MOST_AVERAGED = 5000  # members of a component that the mean is taken of
MOMENTS = 100  # of relative time, at which members are averaged
LEAST_EXPLAINED = 0.25  # fraction of the variance that a mean path explains if it is drawn


@dataclass(frozen=True)
class Line:
    """One member as it is drawn: indices of its steps or times (t,), and values (t, d)."""

    steps: IntArray | FloatArray
    values: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> "Line":
        """Take all steps of a sequence, or of a long one every second, every third and so on."""
        steps = np.arange(0, len(values), -(-len(values) // MOST_STEPS))
        return cls(steps, values[steps])


@dataclass(frozen=True)
class Group:
    """The members of a component.

    Parameters
    ----------
    component : int
        Number of the component; -1 for noise.
    size : int
        Number of members.
    rows : array of int, shape (m,)
        Indices, among all observations, of the members that are drawn, evenly spaced where there
        are many.
    paths : sequence of Line
        The members that are drawn.
    mean : Line, optional
        The mean of all members, each stretched to their mean length. None where it explains little
        of their variance. For trajectories, the mean curve of the component.
    deviations : array, shape (t, d), optional
        Standard deviations around the mean curve.
    noun : str
        What a member is called.
    """

    component: int
    size: int
    rows: IntArray
    paths: Sequence[Line]
    mean: Line | None = None
    deviations: FloatArray | None = None
    noun: str = "sequence"

    @classmethod
    def of(
        cls, component: int, data: Sequences, labels: IntArray, symbolic: bool, most: int
    ) -> "Group":
        """Choose at most `most` members to draw, and take the mean where it explains enough."""
        rows = np.flatnonzero(labels == component)
        members, n = data.take(rows), len(rows)
        mean = None if symbolic or n < 2 else _mean_path(members)
        if mean is None and not symbolic:
            most = min(most, MOST_TANGLED)
        places = evenly_spaced(n, most)
        paths = [Line.of(members[place]) for place in places]
        return cls(component, n, rows[places], paths, mean)

    @classmethod
    def of_trajectories(
        cls,
        component: int,
        data: Trajectories,
        labels: IntArray,
        curve: Curve | None,
        grid: FloatArray,
        most: int,
    ) -> "Group":
        """Choose at most `most` members to draw, with the mean curve at times of a grid (t,)."""
        rows = np.flatnonzero(labels == component)
        members, places = data.take(rows), evenly_spaced(len(rows), most)
        paths = [Line(*_thinned(*members[place])) for place in places]
        mean, deviations = (None, None) if curve is None else curve.predict(grid[:, None])
        drawn = None if mean is None else Line(grid, mean)
        return cls(component, len(rows), rows[places], paths, drawn, deviations, "trajectory")

    @property
    def caption(self) -> list[str]:
        """The words that are written beside the group."""
        name = "noise" if self.component < 0 else f"component {self.component}"
        plural = "trajectories" if self.noun == "trajectory" else f"{self.noun}s"
        words = [name, f"{self.size} {self.noun if self.size == 1 else plural}"]
        return [*words, f"{len(self.paths)} drawn"] if len(self.paths) < self.size else words


def largest(labels: IntArray, n_components: int) -> list[int]:
    """Return the numbers of the largest components in order, and last -1 if there is noise."""
    order = np.argsort(-sizes(labels, n_components), kind="stable")
    shown = np.sort(order[:MOST_COMPONENTS]).tolist()
    return [*shown, -1] if (labels < 0).any() else shown


def groups_of_sequences(
    model: FittedMixture, data: Sequences, labels: IntArray, most: int = MOST_MEMBERS
) -> list[Group]:
    """Return the members of the largest components, at most `most` of each."""
    symbolic = is_symbolic(model.components_[0])
    shown = largest(labels, len(model.components_))
    return [Group.of(k, data, labels, symbolic, most) for k in shown]


def groups_of_trajectories(
    model: FittedMixture,
    data: Trajectories,
    labels: IntArray,
    n_times: int,
    most: int = MOST_MEMBERS,
) -> list[Group]:
    """Return the members of the largest components, with mean curves at so many times."""
    grid = np.linspace(data.times.min(), data.times.max(), n_times)
    curves = [*(picture_of(one, Curve) for one in model.components_), None]
    return [
        Group.of_trajectories(k, data, labels, curves[k], grid, most)
        for k in largest(labels, len(model.components_))
    ]


def _thinned(times: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return at most MOST_STEPS points of a trajectory, evenly spaced."""
    some = evenly_spaced(len(times), MOST_STEPS)
    return times[some], values[some]


def _mean_path(members: Sequences) -> Line | None:
    """Return the mean of members stretched to one length, if it explains enough variance."""
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
    if explained - by_chance < LEAST_EXPLAINED * (1 - by_chance):
        return None
    return Line(np.linspace(0, members.lengths.mean() - 1, MOMENTS), mean)
