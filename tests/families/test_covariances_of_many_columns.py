"""Full covariances of few columns, by loops, and of many, by LAPACK, against NumPy."""

import numpy as np
import pytest

from boltzmix.families.covariance.covariance import COVARIANCES

FULL = COVARIANCES["full"]


def covariances(d, k=3):
    rng = np.random.default_rng(d)
    rows = rng.normal(size=(k, 3 * d, d)) * rng.uniform(0.1, 10, d)
    return rows.transpose(0, 2, 1) @ rows / (3 * d)


@pytest.mark.parametrize("d", [1, 2, 32, 33, 80])
def test_factors_determinants_and_means_are_those_of_numpy(d):
    variances = covariances(d)
    inverses, whitening = np.linalg.inv(variances), FULL.whitening(variances)
    np.testing.assert_allclose(
        whitening, np.linalg.inv(np.linalg.cholesky(variances)).transpose(0, 2, 1), atol=1e-10
    )
    volumes = np.linalg.slogdet(variances)[1]
    np.testing.assert_allclose(FULL.log_volumes(variances), volumes, rtol=1e-10)
    np.testing.assert_allclose(FULL.log_determinants(whitening, d), -volumes / 2, rtol=1e-10)
    mean = FULL.harmonic_mean(variances)
    np.testing.assert_allclose(mean, mean.T, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(mean, np.linalg.inv(inverses.mean(axis=0)), rtol=1e-8, atol=1e-10)
    added = np.linspace(1, 2, d)
    traces = np.trace(inverses @ np.diag(added), axis1=1, axis2=2)
    np.testing.assert_allclose(FULL.traces_of_columns(whitening, added), traces, rtol=1e-10)


@pytest.mark.parametrize("d", [3, 40])
def test_what_is_not_positive_definite_has_no_determinant_and_no_factor(d):
    variances = covariances(d)
    variances[1] = np.diag(np.r_[-1.0, np.ones(d - 1)])
    assert np.isnan(FULL.log_volumes(variances)).tolist() == [False, True, False]
    with pytest.raises(np.linalg.LinAlgError):
        FULL.whitening(variances)
