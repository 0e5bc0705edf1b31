"""The covariance of the estimates of a mixture, from the observed information.

The second derivatives of the log-likelihood of a mixture follow from those of its components
(Louis 1982). With responsibilities r, the derivative by parameter i of component k is the sum over
observations of r_k g_ki, where g are derivatives of the component's log density; that by parameters
i of k and j of l is the sum of [k = l] r_k (h_kij + g_ki g_kj) - r_k r_l g_ki g_lj. The derivatives
g and h are taken numerically, so that any component will do which says what its parameters are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..data import Data, FloatArray, without_covariates
from ..families.contract.base import Family
from ..learning import MixtureState
from ..learning.parts.assignment import responsibilities

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


SMALL = 1e-5  # change of a coefficient of mixing weights, in numeric derivatives
LOADING = 0.01  # of a value on directions without information, above which it is not known
SINGULAR = 1e-10  # eigenvalues of the scaled information, relative to the largest


@dataclass(frozen=True, eq=False)
class Information:
    """The observed information of all parameters of a mixture.

    Parameters
    ----------
    mixture : MixtureState
    components : list of ComponentScores
    mixing : array, shape (n, q)
        Covariates of membership with an intercept; ones, if there are none.
    matrix : array, shape (P, P)
        Those of the components in turn, then coefficients of mixing weights: by component, without
        the first, then by covariate.
    """

    mixture: MixtureState
    components: list[ComponentScores]
    mixing: FloatArray
    matrix: FloatArray

    @property
    def has_known(self) -> bool:
        """Whether parameters are taken as known, because they are at a bound or shared."""
        return any(len(one.directions) < _n_parameters(one.component) for one in self.components)

    def covariance_of(self, function: Callable[[MixtureState], FloatArray]) -> FloatArray:
        """Return the covariance of some values (V,) of the mixture, by the delta method.

        It is NaN for values that depend on parameters about which the data say nothing.
        """
        scale = np.sqrt(np.maximum(np.diagonal(self.matrix), np.finfo(float).tiny))
        values, vectors = np.linalg.eigh(self.matrix / np.outer(scale, scale))
        weak = values < SINGULAR * max(values.max(), 1.0)
        slopes = self._jacobian(function) / scale
        along = slopes @ vectors
        covariance = (along[:, ~weak] / values[~weak]) @ along[:, ~weak].T
        lengths = np.sqrt((along**2).sum(axis=1))
        unknown = np.sqrt((along[:, weak] ** 2).sum(axis=1)) > LOADING * lengths
        covariance[unknown] = covariance[:, unknown] = np.nan
        return covariance

    def _jacobian(self, function: Callable[[MixtureState], FloatArray]) -> FloatArray:
        """Return the derivatives of some values (V,) by all parameters, shape (V, P)."""

        def slope(moved: Callable[[float], MixtureState], step: float) -> FloatArray:
            return (function(moved(step)) - function(moved(-step))) / (2 * step)

        by_components = [
            slope(partial(self._with_parameter, k, one.place), one.step)
            for k, scores in enumerate(self.components)
            for one in scores.directions
        ]
        by_mixing = [
            slope(partial(self._with_coefficient, k, place), SMALL)
            for k in range(1, len(self.components))
            for place in range(self.mixing.shape[1])
        ]
        return np.column_stack([*by_components, *by_mixing])

    def _with_parameter(self, k: int, place: int, change: float) -> MixtureState:
        """Return the mixture with one parameter of a component changed."""
        other = moved(self.components[k].component, [(place, change)])
        return self.mixture.replaced({k: other})

    def _with_coefficient(self, k: int, place: int, change: float) -> MixtureState:
        """Return the mixture with one coefficient of the mixing weights changed."""
        gate, weights = self.mixture.gate, self.mixture.weights.copy()
        if gate is not None:
            coefficients = gate.coefficients.copy()
            coefficients[place, k] += change
            return self.mixture.with_gate(gate.with_coefficients(coefficients, self.mixing))
        total = weights.sum()
        weights[k] *= np.exp(change)
        weights *= total / weights.sum()
        return replace(self.mixture, weights=weights)


def observe_information(
    mixture: MixtureState, data: Data, sample_weight: FloatArray | None
) -> Information:
    """Return the observed information of a mixture in some data.

    Raises
    ------
    NotImplementedError
        If components do not say what their parameters are.
    """
    observations = without_covariates(data)
    weight = np.ones(len(data)) if sample_weight is None else sample_weight
    log_densities, log_weights, _ = mixture.evaluate(data, is_rounded=False)
    probabilities, _ = responsibilities(log_densities, log_weights)
    k = len(mixture.bank)
    components = [
        derivatives(one, observations, weight * probabilities[:, place])
        for place, one in enumerate(mixture.components)
    ]
    mixing = getattr(data, "covariates", np.ones((len(data), 1)))
    prior = _prior_weights(mixture, data)
    matrix = _assembled(components, probabilities[:, :k], weight, mixing, prior)
    return Information(mixture, components, mixing, matrix)


def _prior_weights(mixture: MixtureState, data: Any) -> FloatArray:
    """Return the mixing weights of components, among these, of each observation, shape (n, K)."""
    k, gate = len(mixture.bank), mixture.gate
    if gate is not None:
        return np.asarray(np.exp(gate.log_weights(data.covariates)))
    own = mixture.weights / mixture.weights.sum()
    return np.broadcast_to(own, (len(data), k))


def _assembled(
    components: Sequence[ComponentScores],
    probabilities: FloatArray,
    weight: FloatArray,
    mixing: FloatArray,
    prior: FloatArray,
) -> FloatArray:
    """Put the information together from components, responsibilities and mixing weights (n, K).

    Responsibilities may sum to less than one, where there is noise, whose weight is taken as known.
    """
    k = probabilities.shape[1]
    scores = [probabilities[:, [place]] * one.gradients for place, one in enumerate(components)]
    own = np.block(
        [
            [_between(components, scores, weight, probabilities, i, j) for j in range(k)]
            for i in range(k)
        ]
    )
    if k == 1:
        return -own
    absent = 1 - probabilities.sum(axis=1, keepdims=True)
    factors = weight[:, None] * (-probabilities - prior * absent)  # of r_k g_k, by each predictor

    def crossed(i: int, j: int) -> FloatArray:
        return (scores[i] * (factors[:, j] + weight * (i == j))[:, None]).T @ mixing

    def mixed(i: int, j: int) -> FloatArray:
        second = weight * _mixing_curvature(probabilities, prior, i, j)
        return mixing.T @ (mixing * second[:, None])

    others = range(1, k)
    cross = np.block([[crossed(i, j) for j in others] for i in range(k)])
    corner = np.block([[mixed(i, j) for j in others] for i in others])
    return -np.block([[own, cross], [cross.T, corner]])


def _between(
    components: Sequence[ComponentScores],
    scores: Sequence[FloatArray],
    weight: FloatArray,
    probabilities: FloatArray,
    one: int,
    other: int,
) -> FloatArray:
    """Return second derivatives by the parameters of two components."""
    found = -(scores[one] * weight[:, None]).T @ scores[other]
    if one == other:
        gradients = components[one].gradients
        own = weight * probabilities[:, one]
        found = found + components[one].curvature + (gradients * own[:, None]).T @ gradients
    return found


def _mixing_curvature(probabilities: FloatArray, prior: FloatArray, i: int, j: int) -> FloatArray:
    """Return second derivatives by two linear predictors of mixing weights, shape (n,)."""
    same, total = float(i == j), probabilities.sum(axis=1)
    of_own = probabilities[:, i] * (same - probabilities[:, j] - prior[:, j] * (1 - total))
    of_prior = prior[:, i] * (same - prior[:, j])
    of_total = (probabilities[:, j] - prior[:, j] * total) * (1 - total)
    return of_own - of_prior * total - prior[:, i] * of_total


def _n_parameters(component: Family) -> int:
    """Return the number of free parameters; those of its vector, if a family does not say."""
    try:
        return component.n_parameters
    except NotImplementedError:
        return len(component.parameter_vector)
