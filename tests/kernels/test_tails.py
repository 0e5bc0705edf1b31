"""The kernels of heavy tails, and the logarithm they use, against NumPy and SciPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import psi
from scipy.stats import multivariate_t

from boltzmix import kernels
from boltzmix.kernels.logarithm import logarithm

LARGEST, SMALLEST = np.finfo(float).max, np.finfo(float).tiny


@given(st.floats(SMALLEST, LARGEST))
def test_the_logarithm_is_that_of_numpy(x):
    np.testing.assert_allclose(logarithm(x), np.log(x), rtol=1e-15, atol=1e-16)


@given(st.floats(-1e-3, 1e-3))
def test_the_logarithm_is_exact_close_to_one(shift):
    x = 1.0 + shift
    np.testing.assert_allclose(logarithm(x), np.log(x), rtol=1e-15, atol=0)


def test_the_logarithm_of_powers_of_two_and_of_one():
    assert logarithm(1.0) == 0.0
    for power in (-1022, -52, -1, 1, 10, 1023):
        assert logarithm(2.0**power) == pytest.approx(power * np.log(2.0), rel=1e-15)


def test_rows_too_far_away_are_impossible_and_change_no_sum():
    assert logarithm(np.inf) == np.inf
    values, peaks = np.array([[-np.inf, -1.0, -1e300]]), np.zeros(1)
    log_densities, weighted = np.empty((2, 1, 3))
    kernels.tails.log_densities(values, peaks, 3.0, 2.0, log_densities)
    assert log_densities[0, 0] == -np.inf
    assert np.isfinite(log_densities[0, 1:]).all()
    pulls, only = np.empty((2, 1))
    found = np.array([[0.0, 0.5, 0.0]])
    kernels.tails.weigh(values, log_densities, peaks, 3.0, 2.0, found, weighted, pulls)
    assert np.array_equal(weighted, [[0.0, 0.5 * 5 / 5, 0.0]])
    some = [one[:, 1:2].copy() for one in (values, log_densities, found, weighted)]
    kernels.tails.weigh(some[0], some[1], peaks, 3.0, 2.0, some[2], some[3], only)
    assert pulls == only


def whitened(k, n, d, seed):
    """Return whitened rows (K, n, d), and minus half their squared lengths (K, n)."""
    rows = np.random.default_rng(seed).normal(size=(k, n, d)) * 3
    return rows, -0.5 * (rows**2).sum(axis=2)


sizes = st.tuples(st.integers(1, 5), st.integers(1, 100), st.integers(1, 8))
degrees_of_freedom = st.floats(0.5, 200)


@given(sizes, degrees_of_freedom, st.integers(0, 2**32))
def test_log_densities_are_those_of_scipy(size, degrees, seed):
    (k, n, d), (rows, values) = size, whitened(*size, seed)
    standard = multivariate_t(np.zeros(d), np.eye(d), df=degrees)
    peaks = np.full(k, standard.logpdf(np.zeros(d))) + np.arange(k)
    found = np.empty((k, n))
    kernels.tails.log_densities(values, peaks, degrees, float(d), found)
    expected = standard.logpdf(rows).reshape(k, n) + np.arange(k)[:, None]
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)
    kernels.tails.log_densities(values, peaks, degrees, float(d), values)
    np.testing.assert_array_equal(values, found)


@given(sizes, degrees_of_freedom, st.integers(0, 2**32))
def test_weights_and_pulls_are_those_of_numpy(size, degrees, seed):
    (k, n, d), (_, values) = size, whitened(*size, seed)
    rng = np.random.default_rng(seed)
    peaks, responsibilities = rng.normal(size=k), rng.random((k, n))
    log_densities, weighted = np.empty((2, k, n))
    kernels.tails.log_densities(values, peaks, degrees, float(d), log_densities)
    pulls = np.empty(k)
    kernels.tails.weigh(
        values, log_densities, peaks, degrees, float(d), responsibilities, weighted, pulls
    )
    precisions = (degrees + d) / (degrees - 2 * values)
    logarithms = psi((degrees + d) / 2) - np.log(degrees / 2 - values)
    constant = psi((degrees + d) / 2) - np.log(degrees / 2)
    expected = (responsibilities * (logarithms - precisions)).sum(axis=1)
    np.testing.assert_allclose(weighted, responsibilities * precisions, rtol=1e-12)
    np.testing.assert_allclose(
        pulls + constant * responsibilities.sum(axis=1), expected, rtol=1e-10, atol=1e-10
    )
