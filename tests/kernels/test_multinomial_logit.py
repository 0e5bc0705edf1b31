"""Multinomial logit against statsmodels, and where the maximum is at infinity."""

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.testing import assert_allclose

from boltzmix.kernels.multinomial_logit import fit_logit, information, log_probabilities


@pytest.fixture
def sample():
    rng = np.random.default_rng(0)
    matrix = np.column_stack([np.ones(400), rng.normal(size=(400, 2))])
    coefficients = np.array([[0, 0.5, -0.5], [0, 1.0, -1.0], [0, 0.3, 2.0]])
    probabilities = np.exp(log_probabilities(matrix, coefficients))
    labels = (rng.random((400, 1)) > probabilities.cumsum(axis=1)).sum(axis=1)
    return matrix, labels


def test_agrees_with_statsmodels(sample):
    matrix, labels = sample
    oracle = sm.MNLogit(labels, matrix).fit(disp=0)
    found = fit_logit(matrix, np.eye(3)[labels])
    assert_allclose(found[:, 1:], oracle.params, rtol=1e-5)
    probabilities = np.exp(log_probabilities(matrix, found))
    covariance = np.linalg.inv(information(matrix, probabilities, np.ones(400)))
    assert_allclose(np.sqrt(np.diag(covariance)), oracle.bse.T.ravel(), rtol=1e-4)


def test_weights_count_as_copies_and_the_start_does_not_matter(sample):
    matrix, labels = sample
    weights = np.random.default_rng(1).integers(0, 4, 400)
    found = fit_logit(matrix, np.eye(3)[labels] * weights[:, None])
    copied = fit_logit(np.repeat(matrix, weights, axis=0), np.eye(3)[np.repeat(labels, weights)])
    assert_allclose(found, copied, atol=1e-6)
    elsewhere = fit_logit(matrix, np.eye(3)[labels] * weights[:, None], np.full((3, 3), 2.0))
    assert_allclose(found, elsewhere, atol=1e-5)


def test_separation_and_collinear_covariates_have_a_finite_solution(sample):
    matrix, labels = sample
    separated = np.column_stack([matrix, labels == 1])
    found = fit_logit(separated, np.eye(3)[labels])
    assert np.isfinite(found).all()
    probabilities = np.exp(log_probabilities(separated, found))
    assert_allclose(probabilities[labels == 1, 1], 1, atol=1e-4)
    twice = fit_logit(np.column_stack([matrix, matrix[:, 1]]), np.eye(3)[labels])
    once = fit_logit(matrix, np.eye(3)[labels])
    assert_allclose(twice[1] + twice[3], once[1], atol=1e-4)
