"""What a fitted mixture says of its training data, as numbers that criteria are made of."""

from dataclasses import dataclass
from operator import add

import numpy as np

from ..data import FloatArray
from ..learning import MixtureState, TrainingData, Workers
from ..learning.parts.assignment import responsibilities
from ..learning.parts.objective import mean_objective


@dataclass(frozen=True, eq=False)
class Measures:
    """What a fitted mixture says of its training data.

    Parameters
    ----------
    n_observations : float
        Their number, or the sum of their sample weights.
    log_likelihood : float
        Of all of them. For curves, whose points depend on each other, a bound on that of all of
        them together.
    certainty : float
        Sum of the logarithm of each observation's largest responsibility.
    entropy : float
        Mean entropy of an observation's responsibilities, in nats.
    sizes : array, shape (K,)
        Total responsibility of each component.
    smallest : float
        Number of observations, or sum of their weights, whose most probable component is the
        smallest one.
    """

    n_observations: float
    log_likelihood: float
    certainty: float
    entropy: float
    sizes: FloatArray
    smallest: float


def measure(mixture: MixtureState, data: TrainingData, workers: Workers) -> Measures:
    """Evaluate a mixture on its training data, in one pass."""
    bank, log_weights = mixture.bank, np.log(mixture.weights)
    k = len(bank.components)

    def measured(block: TrainingData, place: slice) -> FloatArray:
        found, scores = responsibilities(bank.log_prob(block.observations), log_weights)
        weight = np.ones(len(block)) if block.sample_weight is None else block.sample_weight
        logs = np.log(np.where(found > 0, found, 1.0))
        labels, surest = found.argmax(axis=1), np.log(found.max(axis=1))
        return np.concatenate(
            [
                [weight @ scores, weight @ surest, -weight @ (found * logs).sum(axis=1)],
                (weight @ found)[:k],
                np.bincount(labels, weight, len(bank))[:k],
            ]
        )

    total = workers.fold(measured, data, bank, add)
    n, likelihood = data.total_weight, total[0]
    if bank.family.joint:
        likelihood = n * mean_objective(data, mixture, workers)
    sizes, assigned = np.split(total[3:], 2)
    return Measures(
        n, float(likelihood), float(total[1]), float(total[2] / n), sizes, assigned.min()
    )
