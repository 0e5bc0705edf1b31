"""EM from many starts or data sets that are much alike, by what is known of its steps.

Close to an optimum, EM is a linear map of the statistics that its M-step takes: a step that
differs by δ leads to statistics that differ by J δ, and what is left to go from a change f in one
step is (I - J)⁻¹ f. J is nearly the same for data sets that are much alike, as those of a bootstrap
are. So it is learned from the first steps of a few of them, for all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any, Self

import numpy as np

from ...data import FloatArray
from ..engine.expectation import Expectation

RIDGE = 0.03  # of changes that have length one, for their noise
LEAST_DIFFERENCE = 1e-3  # of the changes of a run, relative to the largest
LARGEST_FALL = 1e-3  # of the objective, in a step that is kept
LONGEST_LEAP = 4.0  # in units of the spread
LEAST_RATIO = 0.5  # of two steps: fast directions, which come first, hide slow ones
STATIC = (bool, int, str, Enum, type(None))


def flatten(statistics: Any) -> FloatArray:
    """Return all numbers in statistics that are made of arrays, sequences and dataclasses.

    Raises
    ------
    TypeError
        When there is anything else in them.
    """
    found: list[FloatArray] = []
    _map_arrays(statistics, found.append)
    return np.concatenate([one.ravel() for one in found]) if found else np.empty(0)


def unflatten(statistics: Any, numbers: FloatArray) -> Any:
    """Return the same statistics with other numbers (P,)."""
    rest = numbers

    def take(array: FloatArray) -> FloatArray:
        nonlocal rest
        own, rest = rest[: array.size], rest[array.size :]
        return own.reshape(array.shape).astype(array.dtype)

    return _map_arrays(statistics, take)


def _map_arrays(value: Any, function: Any) -> Any:
    """Return a value with each array of numbers in it replaced by a function of it."""
    if isinstance(value, np.ndarray | np.floating | float) and np.asarray(value).dtype.kind == "f":
        return function(np.asarray(value))
    if isinstance(value, list | tuple):
        return type(value)(_map_arrays(one, function) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        own = {one.name: getattr(value, one.name) for one in fields(value) if one.init}
        changed = {name: _map_arrays(one, function) for name, one in own.items()}
        return replace(value, **changed)
    if isinstance(value, STATIC):
        return value
    if type(value).__module__ != "builtins" and hasattr(value, "__dict__"):
        for one in vars(value).values():
            _map_arrays(one, _no_array)
        return value
    raise TypeError(f"statistics hold a {type(value).__name__}, which is no array")


def _no_array(array: FloatArray) -> None:
    raise TypeError("statistics hold an object with arrays, which is no dataclass")


def position(found: Expectation) -> FloatArray:
    """Return all that the M-step takes from an E-step as numbers (P,)."""
    return np.concatenate([found.counts, flatten(found.statistics)])


@dataclass(frozen=True, eq=False)
class StepMap:
    """The linear map that steps of EM follow close to an optimum.

    Parameters
    ----------
    origin : array, shape (P,)
        The position at the optimum.
    scale : array, shape (P,)
        How far a step goes in each direction.
    known : array, shape (P, m)
        Directions by which J is known, as (Y'Y + λ)⁻¹ Y' for changes Y.
    reached : array, shape (P, m)
        The change of a step for each of them, to go all the way.
    spread : array, shape (P,)
        How far the optima of different data sets lie apart.
    """

    origin: FloatArray
    scale: FloatArray
    known: FloatArray
    reached: FloatArray
    spread: FloatArray

    @classmethod
    def learned(cls, origin: FloatArray, paths: Sequence[Sequence[FloatArray]]) -> Self:
        """Learn from the positions after the first steps of EM on several data sets."""
        firsts = np.array([path[0] - origin for path in paths])
        scale = np.sqrt((firsts**2).mean(axis=0))
        scale[scale == 0] = 1.0
        before, after = [], []
        for path in paths:
            changes = np.diff([origin, *path], axis=0) / scale
            lengths = np.linalg.norm(changes[:-1], axis=1, keepdims=True)
            good = lengths[:, 0] > 0
            before.append(changes[:-1][good] / lengths[good])
            after.append(changes[1:][good] / lengths[good])
        start, end = np.concatenate(before), np.concatenate(after)
        gram = start @ start.T + RIDGE * np.eye(len(start))
        known = np.linalg.solve(gram, start)
        reached = np.linalg.solve(np.eye(len(start)) - end @ known.T, end)
        made = cls(origin, scale, known.T, reached.T, np.ones_like(scale))
        ways = np.array([made.way(first) for first in firsts])
        return replace(made, spread=np.maximum(np.sqrt((ways**2).mean(axis=0)), 1e-12 * scale))

    def way(self, change: FloatArray) -> FloatArray:
        """Return how far it is to the optimum, after one step has made a change (P,)."""
        scaled = change / self.scale
        return (scaled + self.reached @ (self.known.T @ scaled)) * self.scale


class Recorded:
    """The positions of a run of EM, which it does not change.

    As `Parts.extrapolation` of a run, it notes the position at every step in `path`.
    """

    def __init__(self) -> None:
        self.path: list[FloatArray] = []

    def __call__(self, found: Expectation) -> Expectation:
        self.path.append(position(found))
        return found


class Leap:
    """Steps of EM that go all the way, as far as that is known.

    As `Parts.extrapolation` of a run that starts at the optimum of a step map, it replaces what the
    M-step takes. What the run shows about its own steps is used besides the map, as in Anderson's
    acceleration (1965). After a step that lowers the objective, the run goes back and trusts both
    less. It is for one run.

    Parameters
    ----------
    steps : StepMap
    """

    def __init__(self, steps: StepMap) -> None:
        self.map = steps
        self.place = steps.origin
        self.lengths: list[float] = []
        self._best, self._next = -np.inf, steps.origin
        self._trust = 1.0
        self._forget()

    def _forget(self) -> None:
        """Forget what the run showed about its own steps."""
        self._before: tuple[FloatArray, FloatArray] | None = None
        self._moves: list[FloatArray] = []
        self._changes: list[FloatArray] = []

    @property
    def left(self) -> float:
        """How far the optimum is, relative to the spread, if steps go on to shrink as they did."""
        if len(self.lengths) < 2 or not self.lengths[-1] < self.lengths[-2]:
            return np.inf
        last, before = self.lengths[-1], self.lengths[-2]
        ratio = max(last / before, LEAST_RATIO)
        return last * ratio / (1 - ratio)

    def __call__(self, found: Expectation) -> Expectation:
        reached, k = position(found), len(found.counts)
        objective = float(found.total_score + found.e_step.mixture.log_prior)
        if not objective >= self._best - LARGEST_FALL:
            place = self._next
            self._trust /= 2
            self._forget()
        else:
            place = self.place + self._way(reached)
            if not (place[:k] > 0).all() or not np.isfinite(place).all():
                place = reached
            self._best, self._next = objective, reached
        self.lengths.append(float(np.abs((place - self.place) / self.map.spread).max()))
        self.place = place
        return replace(
            found,
            counts=place[:k],
            sizes=place[:k],
            statistics=unflatten(found.statistics, place[k:]),
        )

    def _way(self, reached: FloatArray) -> FloatArray:
        """Return how far it is to the optimum, given where one step from here leads."""
        step = (reached - self.place) / self.map.spread
        way = self.map.way(reached - self.place) / self.map.spread
        here = self.place / self.map.spread
        if self._before is not None:
            self._moves.append(here - self._before[0])
            self._changes.append(way - self._before[1])
        self._before = here, way
        if self._moves:
            changes = np.array(self._changes).T
            parts = np.linalg.lstsq(changes, -way, rcond=LEAST_DIFFERENCE)[0]
            way = way + (np.array(self._moves).T + changes) @ parts
        way = step + self._trust * (way - step)
        return way * self.map.spread * min(1.0, LONGEST_LEAP / np.abs(way).max())
