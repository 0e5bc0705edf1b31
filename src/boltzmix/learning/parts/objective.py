"""The objective that fits maximise, by which they are compared."""

from operator import add
from typing import Any

import numpy as np

from ...data import FloatArray, without_covariates
from ...families.contract.base import Family
from ...families.contract.capabilities import JointFamily
from ..engine.known_labels import confined
from ..engine.state import MixtureState
from ..engine.training_data import TrainingData
from ..engine.workers import Workers
from .assignment import argmax, log_likelihood, soft


def mean_objective(data: TrainingData, mixture: MixtureState, workers: Workers) -> float:
    """Return the log-likelihood of all observations plus the log prior, per observation.

    Known labels are part of the likelihood.
    """
    if mixture.family.joint:
        return _mean_joint_objective(data, mixture)

    def total(block: TrainingData, place: slice) -> float:
        found = mixture.evaluate(block.observations)
        log_probs = confined(found.log_densities, block.known_labels)
        return block.weighted_sum(log_likelihood(log_probs, found.log_weights))

    return (workers.fold(total, data, mixture, add) + mixture.log_prior) / data.total_weight


def _mean_joint_objective(data: TrainingData, mixture: MixtureState) -> float:
    """Return the joint log-likelihood of a mixture whose observations depend on each other.

    Log densities of single observations do not add up then. It is the joint log-likelihood of
    observations and their best labels; or, where the family takes weights, the variational bound
    on the joint log-likelihood of the observations. Best labels favour curves that stay apart only
    because every point is assigned to the nearer one; the bound does not.
    """
    found, log_weights = mixture.evaluate(data.observations), mixture.log_weights
    assign = soft if mixture.family.weighted else argmax
    log_probs = confined(found.log_densities, data.known_labels)
    membership, _ = assign(log_probs, log_weights, 1.0, _no_draw, data.sample_weight)
    total = membership.entropy + float(membership.counts @ log_weights + mixture.log_prior)
    for k in np.flatnonzero(membership.counts):
        indices, own = membership.members(int(k))
        total += _log_marginal(mixture, int(k), data.observations.take(indices), own)
    return total / data.total_weight


def log_marginal(component: Family, data: Any, weights: FloatArray | None) -> float:
    """Return the joint log-likelihood of observations, if they are assigned to a component.

    Where observations are independent, it is that of a component fitted to them.
    """
    if isinstance(component, JointFamily):
        return component.log_marginal(data, weights)
    log_densities = component.fit(data, weights=weights).log_prob(data)
    return float(log_densities.sum() if weights is None else weights @ log_densities)


def _log_marginal(mixture: MixtureState, k: int, data: Any, weights: FloatArray | None) -> float:
    """Return the joint log-likelihood of observations that are assigned to one source."""
    observations = without_covariates(data)
    if mixture.background is not None and k == len(mixture.bank):
        return mixture.background.log_marginal(observations, weights)
    own = log_marginal(mixture.components[k], observations, weights)
    if mixture.gate is None:
        return own
    odds = mixture.gate.log_odds(data.covariates)[:, k]
    return own + float(odds.sum() if weights is None else weights @ odds)


def _no_draw() -> np.ndarray:
    return np.empty(0)
