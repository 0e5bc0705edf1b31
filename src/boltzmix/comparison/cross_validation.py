"""The log-likelihood of observations that are left out of a fit."""

import numpy as np

from ..learning import AUTO, CEM, EM, MixtureState, Randomness, Run, TrainingData, Workers
from ..learning.parts.assignment import log_likelihood

FOLDS = 5  # into which observations are divided, each left out once


def cross_validate(
    mixture: MixtureState,
    data: TrainingData,
    n_folds: int,
    rng: np.random.Generator,
    workers: Workers,
) -> float:
    """Return the mean log-likelihood of observations that were left out of a fit.

    Observations are divided at random into folds. For each of these, the mixture is fitted by EM
    to all others, beginning as it is.
    """
    folds = rng.permutation(len(data)) % n_folds
    recipe = EM(AUTO.polish_tolerance) if mixture.bank.family.weighted else CEM("keep")
    total = 0.0
    for fold in range(n_folds):
        left_out = data.take(np.flatnonzero(folds == fold))
        if not len(left_out):
            continue
        others = data.take(np.flatnonzero(folds != fold))
        states = recipe.learn(Run(others, Randomness.drawn_from(rng), workers), mixture)
        while True:
            try:
                next(states)
            except StopIteration as end:
                fitted = end.value
                break
        log_probs = fitted.bank.log_prob(left_out.observations)
        total += left_out.weighted_sum(log_likelihood(log_probs, np.log(fitted.weights)))
    return total / data.total_weight
