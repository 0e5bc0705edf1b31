"""The loss of a law's parameters in coordinates that may take any value, and its minimum."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logit

from ...data import FloatArray
from .laws import Law, Values

PROBES = (1.0, 0.5, 2.0, 2.5, -0.5)  # values that are tried, to see which a law allows


class Coordinate(NamedTuple):
    """A parameter as a number that may take any value, and back."""

    forth: Callable[[float], float]
    back: Callable[[float], float]


POSITIVE = Coordinate(lambda value: float(np.log(value)), lambda point: float(np.exp(point)))
UNIT = Coordinate(lambda value: float(logit(value)), lambda point: float(expit(point)))
LINE = Coordinate(lambda value: value, lambda point: point)


def line(centre: float, width: float) -> Coordinate:
    """Return the coordinate of a place on a line, in units of `width`."""
    return Coordinate(lambda value: (value - centre) / width, lambda point: centre + point * width)


def domain(law: Law, name: str, values: Values) -> Coordinate:
    """Return the coordinate for the values a shape may take while others are as given.

    Examples
    --------
    >>> from scipy import stats
    >>> from .laws import as_law
    >>> domain(as_law(stats.nbinom, ()), "p", {"n": 1, "p": 0.5, "loc": 0}) is UNIT
    True
    """

    def allows(*tried: float) -> bool:
        return all(law.allows({**values, name: one}) for one in tried)

    if allows(-1e-3):
        return LINE
    return UNIT if values[name] < 1 and not allows(1.001) else POSITIVE


def whole_only(law: Law) -> list[str]:
    """Return the names of shapes that have to be whole numbers.

    Examples
    --------
    >>> from scipy import stats
    >>> from .laws import as_law
    >>> whole_only(as_law(stats.binom, ()))
    ['n']
    """
    rest = {name: value for name, value in (("loc", 0.0), ("scale", 1.0)) if name in law.names}
    tried = [
        dict(zip(law.shapes, chosen, strict=True))
        for chosen in product(PROBES, repeat=len(law.shapes))
    ]
    allowed = [values for values in tried if law.allows({**values, **rest})]
    return [name for name in law.shapes if all(one[name].is_integer() for one in allowed)]


if TYPE_CHECKING:
    from .maximum_likelihood import Problem

FAR = 30.0  # how far coordinates may go
IMPOSSIBLE = 1e6  # loss that stands for infinity where an optimiser needs a number
STEP = 1e-5  # of a coordinate, by which slopes are measured
FLAT = 1e-4  # slopes of the mean loss of a number, at which L-BFGS has converged but for rounding
SIMPLEX_STEPS = 0.3  # of the steps: a simplex starts where slopes have led, and gains little


@dataclass
class LossOfPoints:
    """The loss of parameters that are given as a point of coordinates, shape (p,).

    Parameters
    ----------
    problem : Problem
    start : mapping of str to float
        Values of the parameters that do not move.
    coordinates : mapping of str to Coordinate
        One for each parameter that moves.
    found_impossible : bool
        Whether a point was asked for at which a number is impossible.
    """

    problem: Problem
    start: Values
    coordinates: Mapping[str, Coordinate]
    found_impossible: bool = False

    def values_at(self, point: FloatArray) -> Values:
        """Return the parameters at a point."""
        moved = {
            name: one.back(float(at))
            for (name, one), at in zip(self.coordinates.items(), point, strict=True)
        }
        return {**self.start, **moved}

    def __call__(self, point: FloatArray) -> float:
        """Return the loss at a point."""
        return float(self._at([point])[0])

    def with_slopes(
        self, point: FloatArray, bounds: Sequence[tuple[float, float]]
    ) -> tuple[float, FloatArray]:
        """Return the loss at a point, and its slopes, from one evaluation of the density."""
        lowest, highest = np.transpose(bounds)
        steps = np.diag(STEP * np.maximum(np.abs(point), 1.0))
        above, below = np.minimum(point + steps, highest), np.maximum(point - steps, lowest)
        losses = self._at([point, *above, *below])
        up, down = np.split(losses[1:], 2)
        return float(losses[0]), (up - down) / np.diag(above - below)

    def _at(self, points: Sequence[FloatArray]) -> FloatArray:
        losses = self.problem.losses([self.values_at(one) for one in points])
        self.found_impossible |= not (losses < IMPOSSIBLE).all()
        return np.minimum(losses, IMPOSSIBLE)


def descended(loss: LossOfPoints, n_steps: int) -> Values:
    """Return the likeliest parameters found from the start; never less likely ones than it.

    Parameters
    ----------
    loss : LossOfPoints
    n_steps : int
        Steps of the optimisers for each parameter, at most.
    """
    at = np.array([one.forth(loss.start[name]) for name, one in loss.coordinates.items()])
    bounds = [(min(-FAR, one), max(FAR, one)) for one in at]
    most = n_steps * len(at)
    slopes = minimize(
        loss.with_slopes, at, (bounds,), jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": most},
    )  # fmt: skip
    found = [at, slopes.x]
    is_flat = np.abs(cast(FloatArray, slopes.jac)).max() < FLAT
    if loss.found_impossible or not (slopes.success or is_flat):
        simplex = minimize(
            loss, min(found, key=loss), method="Nelder-Mead", bounds=bounds,
            options={"xatol": 1e-5, "fatol": 1e-9, "maxiter": int(SIMPLEX_STEPS * most)},
        )  # fmt: skip
        found.append(simplex.x)
    best = min(found, key=loss)
    return loss.values_at(best) if loss(best) < loss(at) else loss.start
