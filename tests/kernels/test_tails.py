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
    values = np.array([[-np.inf, -1.0, -1e300]])
    log_densities = np.empty((1, 3))
    kernels.tails.log_densities(values, np.zeros(1), 3.0, 2.0, log_densities)
    assert log_densities[0, 0] == -np.inf
    assert np.isfinite(log_densities[0, 1:]).all()
    rows, found = np.array([[1e200, 0.0], [1.0, 2.0], [1e150, 0.0]]), np.array([[0.0, 0.5, 0.0]])
    all_rows = moments_of(rows, values, log_densities, found)
    only_one = moments_of(rows[1:2], *(one[:, 1:2] for one in (values, log_densities, found)))
    for one, other in zip(all_rows, only_one, strict=True):
        np.testing.assert_array_equal(one, other)
    assert all_rows[0] == 0.5 * 5 / 5


def moments_of(rows, values, log_densities, found, peaks=None, degrees=3.0):
    """Return counts, means, scatters, totals and pulls by the kernel."""
    (k, _), d = values.shape, rows.shape[1]
    arrays = np.empty(k), np.empty((k, d)), np.empty((k, d, d)), np.empty(k), np.empty(k)
    given = map(np.ascontiguousarray, (rows, found, values, log_densities))
    peaks = np.zeros(k) if peaks is None else peaks
    kernels.tails.soft_moments(*given, peaks, degrees, *arrays)
    return arrays


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


@given(sizes, degrees_of_freedom, st.integers(0, 2**32))
def test_weighted_moments_and_pulls_are_those_of_numpy(size, degrees, seed):
    (k, n, d), (_, values) = size, whitened(*size, seed)
    rng = np.random.default_rng(seed)
    rows, peaks = rng.normal(size=(n, d)), rng.normal(size=k)
    responsibilities = rng.random((k, n)) * (rng.random((k, n)) < rng.random())
    responsibilities[:, 0] = 1.0
    log_densities = np.empty((k, n))
    kernels.tails.log_densities(values, peaks, degrees, float(d), log_densities)
    counts, means, scatters, totals, pulls = moments_of(
        rows, values, log_densities, responsibilities, peaks, degrees
    )
    precisions = (degrees + d) / (degrees - 2 * values)
    weights = responsibilities * precisions
    np.testing.assert_allclose(counts, weights.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(totals, responsibilities.sum(axis=1), rtol=1e-12)
    expected = weights @ rows / counts[:, None]
    np.testing.assert_allclose(means, expected, rtol=1e-10, atol=1e-10)
    centred = rows - expected[:, None]
    products = np.einsum("kn,kni,knj->kij", weights, centred, centred)
    np.testing.assert_allclose(scatters, products, rtol=1e-10, atol=1e-10)
    logarithms = psi((degrees + d) / 2) - np.log(degrees / 2 - values)
    constant = psi((degrees + d) / 2) - np.log(degrees / 2)
    expected = (responsibilities * (logarithms - precisions)).sum(axis=1)
    np.testing.assert_allclose(pulls + constant * totals, expected, rtol=1e-10, atol=1e-10)
