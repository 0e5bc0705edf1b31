"""Components, a background and a gate joined into joint log densities."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.special import softmax
from scipy.stats import norm

from boltzmix import Mixture
from boltzmix.data import Soft, without_covariates
from boltzmix.families import Gaussian, StudentT

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(-3, 1, (40, 1)), RNG.normal(3, 1, (40, 1)), [[40.0]]])
AGE = pd.DataFrame({"age": X[:, 0] + RNG.normal(0, 3, len(X))})


@pytest.mark.parametrize("noise", [False, True])
@pytest.mark.parametrize("membership", [None, "age"])
def test_joint_log_densities_are_those_of_components_background_and_gate(noise, membership):
    covariates = None if membership is None else AGE
    model = Mixture(Gaussian(), 2, noise=noise, membership=membership, random_state=0)
    model.fit(X, covariates=covariates)
    states = []
    model.set_params(verbose=states.append).fit(X, covariates=covariates)
    state, data = states[-1], model.read(X, covariates=covariates)
    found = state.evaluate(data, is_rounded=False)
    assert found.log_densities.shape == (len(X), 2 + noise)
    expected = np.column_stack(
        [norm(one.mean[0], np.sqrt(one.covariance_matrix[0, 0])).pdf(X[:, 0])
         for one in state.components]
    )  # fmt: skip
    if membership is None:
        weights = np.broadcast_to(state.weights, expected.shape)
    else:
        matrix = np.column_stack([np.ones(len(X)), AGE])
        weights = softmax(matrix @ state.gate.coefficients, axis=1) * (1 - state.noise_weight)
        assert_allclose(state.weights.sum(), 1 - state.noise_weight)
    expected = expected * weights
    if noise:
        density = np.exp(state.background.log_prob(without_covariates(data)))
        expected = np.column_stack([expected, state.noise_weight * density])
    joint = np.exp(found.log_densities + found.log_weights)
    assert_allclose(joint, expected, rtol=1e-8, atol=1e-300)
    assert_allclose(np.log(joint.sum(axis=1)), model.score_samples(X, covariates=covariates))


def test_what_is_reused_does_not_depend_on_the_gate():
    states = []
    model = Mixture(StudentT(), 2, membership="age", random_state=0, verbose=states.append)
    state, data = states_of(model, states)[-1], model.read(X, covariates=AGE)
    membership = Soft(RNG.dirichlet([1, 1], len(X)))
    reused, _ = state.summarise(data, membership, state.evaluate(data))
    anew, _ = state.summarise(data, membership)
    assert_allclose(reused.pulls, anew.pulls)
    assert_allclose(reused.moments.means, anew.moments.means)


def states_of(model, states):
    """Fit a mixture with covariates, and return the states of the fit."""
    model.fit(X, covariates=AGE)
    return states


def test_components_are_fitted_without_the_members_of_the_background():
    states = []
    Mixture(Gaussian(), 2, noise=True, random_state=0, verbose=states.append).fit(X)
    state, table = states[-1], Gaussian().observe(X)
    membership = Soft(np.full((len(X), 3), 1 / 3))
    statistics, rows = state.summarise(table, membership)
    own = state.bank.summarise(table, Soft(membership.responsibilities[:, :2]))
    assert_allclose(statistics.counts, own.counts)
    assert rows == []
