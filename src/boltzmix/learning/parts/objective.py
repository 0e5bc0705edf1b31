"""The objective that fits maximise, by which they are compared."""

from operator import add

import numpy as np

from ..engine.known_labels import confined
from ..engine.state import MixtureState
from ..engine.training_data import TrainingData
from ..engine.workers import Workers
from .assignment import argmax, log_likelihood, soft


def mean_objective(data: TrainingData, mixture: MixtureState, workers: Workers) -> float:
    """Return the log-likelihood of all observations plus the log prior, per observation.

    Known labels are part of the likelihood.
    """
    if mixture.bank.family.joint:
        return _mean_joint_objective(data, mixture)
    bank, log_weights = mixture.bank, np.log(mixture.weights)

    def total(block: TrainingData, place: slice) -> float:
        log_probs = confined(bank.log_objective(block.observations), block.known_labels)
        return block.weighted_sum(log_likelihood(log_probs, log_weights))

    log_prior = float(bank.log_prior.sum())
    return (workers.fold(total, data, bank, add) + log_prior) / data.total_weight


def _mean_joint_objective(data: TrainingData, mixture: MixtureState) -> float:
    """Return the joint log-likelihood of a mixture whose observations depend on each other.

    Log densities of single observations do not add up then. It is the joint log-likelihood of
    observations and their best labels; or, where the family takes weights, the variational bound
    on the joint log-likelihood of the observations. Best labels favour curves that stay apart only
    because every point is assigned to the nearer one; the bound does not.
    """
    bank, log_weights = mixture.bank, np.log(mixture.weights)
    assign = soft if bank.family.weighted else argmax
    log_probs = confined(bank.log_objective(data.observations), data.known_labels)
    membership, _ = assign(log_probs, log_weights, 1.0, _no_draw, data.sample_weight)
    total = membership.entropy + float(membership.counts @ log_weights + bank.log_prior.sum())
    for k in np.flatnonzero(membership.counts):
        indices, own = membership.members(int(k))
        total += bank.log_marginal(int(k), data.observations.take(indices), own)
    return total / data.total_weight


def _no_draw() -> np.ndarray:
    return np.empty(0)
