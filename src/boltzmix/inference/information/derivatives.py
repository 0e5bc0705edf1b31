"""Numeric derivatives of the log density of a component by its parameters."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...data import Data, FloatArray
from ...families.base import Family

REACH = 0.05  # steps of numeric derivatives, in standard errors of a component that is alone
TRIES = 12  # by which a step of that length is found


@dataclass(frozen=True, eq=False)
class Direction:
    """One parameter of the vector of a component, and the step of its numeric derivatives.

    Parameters
    ----------
    place : int
        Its place in the vector.
    step : float
    """

    place: int
    step: float


@dataclass(frozen=True, eq=False)
class ComponentScores:
    """The derivatives of the log density of one component.

    Parameters
    ----------
    component : Family
    directions : list of Direction
        The parameters that have derivatives; others are at a bound.
    gradients : array, shape (n, p)
        Of the log density of each observation.
    curvature : array, shape (p, p)
        Second derivatives of the log-likelihood, weighted by responsibilities.
    """

    component: Family
    directions: list[Direction]
    gradients: FloatArray
    curvature: FloatArray


def derivatives(component: Family, data: Data, weights: FloatArray) -> ComponentScores:
    """Return the derivatives of a component's log density.

    Parameters
    ----------
    component : Family
    data : Data
    weights : array, shape (n,)
        Responsibilities times sample weights.
    """
    vector = component.parameter_vector
    directions = [
        found
        for place in range(len(vector))
        if (found := _direction(component, place, data, weights)) is not None
    ]
    gradients = np.empty((len(data), len(directions)))
    curvature = np.empty((len(directions), len(directions)))
    for i, one in enumerate(directions):
        up, down = (
            moved(component, [(one.place, sign * one.step)]).log_prob(data) for sign in (1, -1)
        )
        possible = np.isfinite(up) & np.isfinite(down)
        gradients[:, i] = np.subtract(up, down, out=np.zeros(len(up)), where=possible)
        gradients[:, i] /= 2 * one.step
    for i, one in enumerate(directions):
        for j, other in enumerate(directions[: i + 1]):
            curvature[i, j] = curvature[j, i] = _second(component, one, other, data, weights)
    return ComponentScores(component, directions, gradients, curvature)


def _second(
    component: Family, one: Direction, other: Direction, data: Data, weights: FloatArray
) -> float:
    """Return a second derivative of the weighted log-likelihood of a component."""

    def at(i: float, j: float) -> float:
        moves = [(one.place, i * one.step), (other.place, j * other.step)]
        return _total(moved(component, moves), data, weights)

    if one is other:
        return (at(1, 0) - 2 * at(0, 0) + at(-1, 0)) / one.step**2
    return (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * one.step * other.step)


def _direction(component: Family, place: int, data: Data, weights: FloatArray) -> Direction | None:
    """Find a step that is a fraction of a standard error; None if there is no curvature."""
    here = _total(component, data, weights)
    step = 1e-3 * max(abs(component.parameter_vector[place]), 1e-3)
    for _ in range(TRIES):
        try:
            ends = [
                _total(moved(component, [(place, sign * step)]), data, weights) for sign in (1, -1)
            ]
        except (ValueError, FloatingPointError):
            step /= 8
            continue
        fall = 2 * here - sum(ends)  # of the log-likelihood: the squared step in standard errors
        if not np.isfinite(fall):
            step /= 8
        elif fall < REACH**2 / 16:
            step *= 8
        elif fall > 16 * REACH**2:
            step /= 4
        else:
            return Direction(place, step)
    return None


def _total(component: Family, data: Data, weights: FloatArray) -> float:
    """Return the weighted log-likelihood; observations without weight may be impossible."""
    log_densities = component.log_prob(data)
    return float(np.where(weights > 0, log_densities, 0.0) @ weights)


def moved(component: Family, moves: Sequence[tuple[int, float]]) -> Family:
    """Return a component with some parameters of its vector changed."""
    vector = component.parameter_vector.copy()
    for place, change in moves:
        vector[place] += change
    return component.with_parameter_vector(vector)
