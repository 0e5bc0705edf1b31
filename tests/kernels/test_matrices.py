"""Kernels on stacks of small matrices agree with NumPy."""

import numpy as np
import pytest

from boltzmix import kernels


@pytest.fixture(params=(1, 2, 7, 20))
def covariances(request):
    d = request.param
    roots = np.random.default_rng(d).normal(size=(4, d, 2 * d + 3))
    return roots @ roots.transpose(0, 2, 1)


def whitening_of(covariances):
    factors = np.empty(covariances.shape)
    assert kernels.gaussian.whiten(covariances, factors)
    return factors


def test_log_determinants_and_volumes(covariances):
    expected = np.linalg.slogdet(covariances)[1]
    found, volumes = np.empty((2, len(covariances)))
    kernels.matrices.log_determinants(whitening_of(covariances), found)
    kernels.matrices.log_volumes(covariances, volumes)
    np.testing.assert_allclose(found, -expected / 2)
    np.testing.assert_allclose(volumes, expected)


def test_the_volume_of_a_matrix_that_is_not_positive_definite_is_not_a_number(covariances):
    volumes = np.empty(2)
    kernels.matrices.log_volumes(np.stack([-covariances[0], covariances[1]]), volumes)
    assert np.isnan(volumes[0])
    assert np.isfinite(volumes[1])


def test_harmonic_mean(covariances):
    mean = np.empty(covariances.shape[1:])
    assert kernels.matrices.harmonic_mean(covariances, mean)
    expected = np.linalg.inv(np.linalg.inv(covariances).mean(axis=0))
    np.testing.assert_allclose(mean, expected)
    np.testing.assert_array_equal(mean, mean.T)
    assert not kernels.matrices.harmonic_mean(-covariances, mean)


def test_traces(covariances):
    inverses, whitening = np.linalg.inv(covariances), whitening_of(covariances)
    variances, found = np.arange(1.0, len(covariances[0]) + 1), np.empty(len(covariances))
    kernels.matrices.traces(whitening, covariances[0], found)
    np.testing.assert_allclose(found, np.einsum("kij,ij->k", inverses, covariances[0]))
    kernels.matrices.traces_of_columns(whitening, variances, found)
    np.testing.assert_allclose(found, np.einsum("kii,i->k", inverses, variances))
