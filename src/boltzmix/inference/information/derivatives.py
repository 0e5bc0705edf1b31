"""Numeric derivatives of the log density of a component by its parameters."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...data import Data, FloatArray
from ...families.contract.base import Family

REACH = 0.05  # steps of numeric derivatives, in standard errors of a component that is alone
TRIES = 12  # by which a step of that length is found
NEGLIGIBLE = 1e-8  # weight of an observation, relative to the largest


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

    Observations with hardly any weight are left out: their derivatives are zero.

    Parameters
    ----------
    component : Family
    data : Data
    weights : array, shape (n,)
        Responsibilities times sample weights.
    """
    members = np.flatnonzero(weights > NEGLIGIBLE * weights.max())
    likelihood = _Likelihood(component, data.take(members), weights[members])
    places = range(len(component.parameter_vector))
    directions = [found for k in places if (found := likelihood.direction(k)) is not None]
    gradients = np.zeros((len(data), len(directions)))
    for i, one in enumerate(directions):
        gradients[members, i] = likelihood.gradient(one)
    return ComponentScores(component, directions, gradients, likelihood.curvature(directions))


@dataclass(frozen=True, eq=False)
class _Likelihood:
    """The weighted log-likelihood of a component, as a function of its parameters."""

    component: Family
    data: Data
    weights: FloatArray

    def at(self, *moves: tuple[int, float]) -> float:
        """Return the log-likelihood with some parameters changed."""
        return float(self.weights @ moved(self.component, moves).log_prob(self.data))

    def direction(self, place: int) -> Direction | None:
        """Find a step that is a fraction of a standard error; None if there is no curvature."""
        here = self.at()
        step = 1e-3 * max(abs(self.component.parameter_vector[place]), 1e-3)
        for _ in range(TRIES):
            try:
                fall = 2 * here - self.at((place, step)) - self.at((place, -step))
            except (ValueError, FloatingPointError):
                fall = np.nan
            if not np.isfinite(fall):
                step /= 8
            elif fall < REACH**2 / 16:  # the fall is the square of the step in standard errors
                step *= 8
            elif fall > 16 * REACH**2:
                step /= 4
            else:
                return Direction(place, step)
        return None

    def gradient(self, along: Direction) -> FloatArray:
        """Return the derivatives of all log densities by one parameter, shape (n,)."""
        up, down = (
            moved(self.component, [(along.place, sign * along.step)]).log_prob(self.data)
            for sign in (1, -1)
        )
        return np.asarray((up - down) / (2 * along.step))

    def curvature(self, directions: Sequence[Direction]) -> FloatArray:
        """Return the second derivatives, shape (p, p), from two values for each pair."""
        here, p = self.at(), len(directions)
        falls = np.array(
            [
                self.at((one.place, one.step)) + self.at((one.place, -one.step)) - 2 * here
                for one in directions
            ]
        )
        steps = np.array([one.step for one in directions])
        found = np.diag(falls / steps**2).reshape(p, p)
        for i, one in enumerate(directions):
            for j, other in enumerate(directions[:i]):
                both = [
                    self.at((one.place, sign * one.step), (other.place, sign * other.step))
                    for sign in (1, -1)
                ]
                mixed = (sum(both) - 2 * here - falls[i] - falls[j]) / 2
                found[i, j] = found[j, i] = mixed / (steps[i] * steps[j])
        return found


def moved(component: Family, moves: Sequence[tuple[int, float]]) -> Family:
    """Return a component with some parameters of its vector changed."""
    vector = component.parameter_vector.copy()
    for place, change in moves:
        vector[place] += change
    return component.with_parameter_vector(vector)
