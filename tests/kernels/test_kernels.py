"""Every kernel against plain NumPy, to 1e-10."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boltzmix import kernels
from boltzmix.data import Hard, Soft
from boltzmix.families.covariance.covariance import COVARIANCES
from boltzmix.families.covariance.moments import Moments

sizes = st.tuples(st.integers(1, 200), st.integers(1, 40), st.integers(1, 6))
numpy_seeds = st.integers(0, 2**32)


def parameters(n, d, k, seed):
    rng = np.random.default_rng(seed)
    x, means = rng.normal(size=(n, d)), rng.normal(size=(k, d))
    factors = np.triu(rng.normal(size=(k, d, d)))
    return x, means, factors, rng.normal(size=k)


def plain_log_densities(x, means, factors, constants):
    white = np.einsum("nkd,kde->nke", x[:, None, :] - means, factors)
    return (constants - 0.5 * (white**2).sum(axis=2)).T


@given(sizes, numpy_seeds)
@pytest.mark.parametrize("kernel", ["full_log_densities", "full_log_densities_by_products"])
def test_full_log_densities_equal_those_of_numpy(kernel, size, seed):
    arguments = parameters(*size, seed)
    log_densities = np.empty((size[2], size[0]))
    getattr(kernels.gaussian, kernel)(*arguments, log_densities)
    np.testing.assert_allclose(
        log_densities, plain_log_densities(*arguments), rtol=1e-10, atol=1e-10
    )


@given(sizes, numpy_seeds)
def test_diagonal_log_densities_equal_those_of_numpy(size, seed):
    x, means, factors, constants = parameters(*size, seed)
    diagonals = np.diagonal(factors, axis1=1, axis2=2).copy()  # not read-only
    log_densities = np.empty((size[2], size[0]))
    kernels.gaussian.diagonal_log_densities(x, means, diagonals, constants, log_densities)
    expected = plain_log_densities(x, means, factors * np.eye(size[1]), constants)
    np.testing.assert_allclose(log_densities, expected, rtol=1e-10, atol=1e-10)


def test_log_densities_that_overflow_are_minus_infinity():
    far = np.array([[1e300, -1e300, 1e300]])
    means, factors = np.zeros((1, 3)), np.triu(np.ones((1, 3, 3))) * 1e10
    log_densities = np.empty((1, 1))
    kernels.gaussian.full_log_densities(far, means, factors, np.zeros(1), log_densities)
    assert log_densities[0, 0] == -np.inf
    kernels.gaussian.diagonal_log_densities(far, means, factors[:, 0], np.zeros(1), log_densities)
    assert log_densities[0, 0] == -np.inf


def plain_moments(x, responsibilities):
    counts = responsibilities.sum(axis=0)
    means = responsibilities.T @ x / np.where(counts > 0, counts, 1)[:, None]
    centred = x[:, None, :] - means
    return counts, means, np.einsum("nk,nki,nkj->kij", responsibilities, centred, centred)


@given(sizes, numpy_seeds, st.booleans())
def test_soft_moments_equal_those_of_numpy(size, seed, full):
    n, d, k = size
    rng = np.random.default_rng(seed)
    x, responsibilities = rng.normal(size=(n, d)), rng.dirichlet(np.ones(k), size=n)
    found = Moments.of(COVARIANCES["full" if full else "diag"], x, Soft(responsibilities))
    counts, means, scatters = plain_moments(x, responsibilities)
    np.testing.assert_allclose(found.counts, counts, rtol=1e-10)
    np.testing.assert_allclose(found.means, means, rtol=1e-10, atol=1e-10)
    expected = scatters if full else np.diagonal(scatters, axis1=1, axis2=2)
    np.testing.assert_allclose(found.scatters, expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("n", [511, 512, 1700])
@pytest.mark.parametrize("d", [1, 7, 30])
@pytest.mark.parametrize("full", [True, False])
def test_moments_of_several_chunks_of_rows_equal_those_of_numpy(n, d, full):
    rng = np.random.default_rng(n)
    x, responsibilities = rng.normal(1e3, size=(n, d)), rng.dirichlet(np.ones(3), size=n)
    responsibilities[:600, 0] = 0.0  # a chunk without weight
    responsibilities[100:, 1] = 0.0  # a component of few rows
    found = Moments.of(COVARIANCES["full" if full else "diag"], x, Soft(responsibilities))
    counts, means, scatters = plain_moments(x, responsibilities)
    expected = scatters if full else np.diagonal(scatters, axis1=1, axis2=2)
    some = counts > 0
    assert (found.means[~some] == 0).all()
    np.testing.assert_allclose(found.counts, counts, rtol=1e-12)
    np.testing.assert_allclose(found.means[some], means[some], rtol=1e-12)
    np.testing.assert_allclose(found.scatters[some], expected[some], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("distance", [0.0, 1e3, 1e6])
def test_scatters_of_many_rows_keep_their_digits_far_from_the_origin(distance):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5000, 3)) + distance
    found = Moments.of(COVARIANCES["full"], x, Hard(np.zeros(len(x), dtype=np.int32), 1))
    exact = x.astype(np.longdouble) - x.astype(np.longdouble).mean(axis=0)
    np.testing.assert_allclose(found.scatters[0], (exact.T @ exact).astype(float), rtol=1e-12)


@given(sizes, numpy_seeds, st.booleans(), st.booleans())
def test_hard_moments_are_soft_moments_of_one_hot_responsibilities(size, seed, full, weighted):
    n, d, k = size
    rng = np.random.default_rng(seed)
    x, labels = rng.normal(size=(n, d)), rng.integers(k, size=n)
    weights = rng.uniform(0.5, 2, size=n) if weighted else None
    shape = COVARIANCES["full" if full else "spherical"]
    responsibilities = np.eye(k)[labels] * (1 if weights is None else weights[:, None])
    hard = Moments.of(shape, x, Hard(labels, k, weights))
    soft = Moments.of(shape, x, Soft(responsibilities))
    for name in ("counts", "means", "scatters"):
        np.testing.assert_allclose(getattr(hard, name), getattr(soft, name), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("d", [2, 20])
@pytest.mark.parametrize("centres", [[1e8, 1e8 + 10], [-1e8, 1e8]])
def test_means_at_1e8_keep_a_unit_variance(d, centres):
    rng = np.random.default_rng(0)
    noise, labels = rng.normal(size=(4000, d)), rng.integers(2, size=4000)
    x = np.array(centres)[labels][:, None] + noise
    shape = COVARIANCES["full"]
    for membership in (Hard(labels, 2), Soft(np.eye(2)[labels])):
        halves = [
            Moments.of(shape, np.ascontiguousarray(x[half]), membership.take(half))
            for half in (slice(0, 1500), slice(1500, 4000))
        ]
        whole = halves[0] + halves[1]
        for k in range(2):
            expected = np.cov(noise[labels == k].T, bias=True)
            found = whole.scatters[k] / whole.counts[k]
            np.testing.assert_allclose(found, expected, atol=1e-6)


def test_importing_boltzmix_does_not_load_the_compiler():
    code = (
        "import sys, boltzmix, boltzmix.cli;"
        "assert not any(name.split('.')[0] in ('numba', 'llvmlite') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_there_is_no_other_kernel_module():
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        kernels.magic  # noqa: B018


@pytest.mark.parametrize("has_equal_volumes", [False, True])
def test_axes_are_rotated_with_their_covariances(has_equal_volumes):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(3, 4, 8))
    given, weights = rows @ rows.transpose(0, 2, 1), np.array([5.0, 20.0, 1.0])
    covariances, axes = given.copy(), np.eye(4)
    kernels.axes.rotate(covariances, axes, weights, has_equal_volumes, 50, 1e-12)
    np.testing.assert_allclose(axes.T @ axes, np.eye(4), atol=1e-12)
    np.testing.assert_allclose(axes.T @ given @ axes, covariances, rtol=1e-10, atol=1e-10)
    inverses = [1 / np.diag(one) for one in covariances]
    volumes = [np.diag(one).prod() ** 0.25 for one in covariances]
    factors = weights * (volumes if has_equal_volumes else 1.0)
    pull = sum(
        f * one * (u[:, None] - u) for f, one, u in zip(factors, covariances, inverses, strict=True)
    )
    np.testing.assert_allclose(pull, 0, atol=1e-9)  # no small rotation is better


def test_axes_of_covariances_that_commute_are_their_eigenvectors():
    rng = np.random.default_rng(1)
    turn = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    given = np.stack([turn @ np.diag(rng.gamma(2, size=5)) @ turn.T for _ in range(3)])
    covariances, axes = given.copy(), np.eye(5)
    kernels.axes.rotate(covariances, axes, np.ones(3), False, 50, 1e-12)
    diagonals = np.einsum("kii->ki", covariances)[:, None] * np.eye(5)
    np.testing.assert_allclose(covariances, diagonals, atol=1e-10)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("weight", [1e-308, 5e-324])
def test_moments_of_weights_without_finite_inverse_are_finite(full, weight):
    x = np.random.default_rng(0).normal(size=(40, 2))
    found = Moments.of(COVARIANCES["full" if full else "diag"], x, Soft(np.full((40, 1), weight)))
    both = found + Moments.of(found.shape, x, Soft(np.ones((40, 1))))
    for array in (found.means, found.scatters, both.means, both.scatters):
        assert np.isfinite(array).all()
    np.testing.assert_allclose(both.means[0], x.mean(axis=0))
