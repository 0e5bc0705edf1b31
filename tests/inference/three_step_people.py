"""People of three kinds: answers, from which a mixture is fitted, and facts outside it."""

import numpy as np

from boltzmix import EM, Mixture
from boltzmix.families import Bernoulli

COEFFICIENTS = np.array([[0.0, 0.0, 0.0], [0.3, 1.0, -0.5], [-0.4, -0.8, 0.6]])
ANSWER_RATES = np.array([[0.9] * 6, [0.9] * 3 + [0.1] * 3, [0.1] * 6])
INCOMES, SPREADS = np.array([0.0, 1.0, 3.0]), np.array([1.0, 1.5, 0.7])
VISITS = np.array([1.0, 3.0, 6.0])
TOWNS = np.array([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]])

rng = np.random.default_rng(21)
COVARIATES = rng.normal(size=(500, 2))
odds = np.exp(np.column_stack([np.ones(500), COVARIATES]) @ COEFFICIENTS.T)
chances = np.cumsum(odds / odds.sum(axis=1, keepdims=True), axis=1)
KINDS = (rng.random((500, 1)) > chances).sum(axis=1)
ANSWERS = (rng.random((500, 6)) < ANSWER_RATES[KINDS]).astype(float)
INCOME = rng.normal(INCOMES[KINDS], SPREADS[KINDS])
TOWN = (rng.random((500, 1)) > np.cumsum(TOWNS[KINDS], axis=1)).sum(axis=1)
VISIT = rng.poisson(VISITS[KINDS])


def fitted():
    """Return the likeliest mixture of the answers."""
    family = Bernoulli(prior=0)
    return Mixture(family, 3, algorithm=EM(1e-14), n_init=3, random_state=0, max_iter=5000).fit(
        ANSWERS
    )
