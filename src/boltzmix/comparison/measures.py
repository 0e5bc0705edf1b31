"""What a fitted mixture says of its training data, as numbers that criteria are made of."""

from dataclasses import dataclass
from operator import add

import numpy as np

from ..data import FloatArray
from ..learning import MixtureState, TrainingData, Workers
from ..learning.parts.assignment import log_likelihood, responsibilities
from ..learning.parts.objective import mean_objective


@dataclass(frozen=True, eq=False)
class Measures:
    """What a fitted mixture says of its training data.

    Parameters
    ----------
    n_observations : float
        Their number, or the sum of their sample weights; for sequences, that of their steps.
    log_likelihood : float
        Of all of them. For curves, whose points depend on each other, a bound on that of all of
        them together.
    robust_log_likelihood : float
        The same with a background of outliers, if the mixture was learned with one.
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
    robust_log_likelihood: float
    certainty: float
    entropy: float
    sizes: FloatArray
    smallest: float


def measure(
    mixture: MixtureState,
    data: TrainingData,
    workers: Workers,
    shown: MixtureState | None = None,
) -> Measures:
    """Evaluate a mixture on its training data, in one pass.

    Parameters
    ----------
    mixture : MixtureState
    data : TrainingData
    workers : Workers
    shown : MixtureState, optional
        The first components of the mixture, if it has a background that is left out of all
        measures but the robust log-likelihood.
    """
    shown = mixture if shown is None else shown
    log_weights, robust_weights = shown.log_weights, mixture.log_weights
    k, n_shown = len(mixture.bank), len(log_weights)

    def measured(block: TrainingData, place: slice) -> FloatArray:
        log_probs = mixture.evaluate(block.observations, is_rounded=False).log_densities
        seen = log_probs[:, :n_shown]
        found, scores = responsibilities(seen, log_weights)
        robust = (
            scores if n_shown == len(robust_weights) else log_likelihood(log_probs, robust_weights)
        )
        weight = np.ones(len(block)) if block.sample_weight is None else block.sample_weight
        logs = np.where(found > 0, seen + log_weights - scores[:, None], 0.0)
        return np.concatenate(
            [
                [weight @ scores, weight @ robust],
                [weight @ np.log(found.max(axis=1)), -weight @ (found * logs).sum(axis=1)],
                (weight @ found)[:k],
                np.bincount(found.argmax(axis=1), weight, n_shown)[:k],
            ]
        )

    total = workers.fold(measured, data, mixture, add)
    n, likelihood, robust = data.total_weight, total[0], total[1]
    counted = n * data.observations.n_counted / len(data)
    if mixture.family.joint:
        likelihood = robust = n * mean_objective(data, mixture, workers)
    sizes, assigned = np.split(total[4:], 2)
    return Measures(
        counted,
        float(likelihood),
        float(robust),
        float(total[2]),
        float(total[3] / n),
        sizes,
        assigned.min(),
    )
