"""The log-likelihood of observations that are left out of a fit."""

import numpy as np

from ..learning import AUTO, CEM, EM, MixtureState, Randomness, Run, TrainingData, Workers
from ..learning.parts.assignment import log_likelihood

FOLDS = 5  # into which observations are divided, each left out once


def cross_validate(
    mixture: MixtureState, data: TrainingData, n_folds: int, workers: Workers, max_iter: int
) -> float:
    """Return the mean log-likelihood of observations that were left out of a fit.

    Observations are divided at random into folds, which are the same for all mixtures. For each
    fold, the mixture is fitted by EM to all others, beginning as it is, in at most `max_iter`
    iterations.
    """
    rng = np.random.default_rng(0)
    folds = rng.permutation(len(data)) % n_folds
    recipe = EM(AUTO.polish_tolerance) if mixture.bank.family.weighted else CEM("keep")
    total = 0.0
    for fold in range(n_folds):
        left_out = data.take(np.flatnonzero(folds == fold))
        if not len(left_out):
            continue
        others = data.take(np.flatnonzero(folds != fold))
        run = Run(others, Randomness.drawn_from(rng), workers, max_iter)
        *_, last = recipe.learn(run, mixture)
        found = last.evaluate(left_out.observations, is_rounded=False)
        total += left_out.weighted_sum(log_likelihood(found.log_densities, found.log_weights))
    return total / data.total_weight
