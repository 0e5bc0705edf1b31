"""Least squares with a ridge, from the moments of features and targets."""

import numpy as np

from ....data import FloatArray, Regression
from ...regression.regression_scales import RegressionScales

RANK = 1e-14  # of the largest eigenvalue, below which directions of features count as constant


class RidgeSolver:
    """Coefficients for any ridge, by the eigenvectors of the covariance of standardised features.

    Parameters
    ----------
    within : array, shape (q, q)
        Covariance of the features.
    across : array, shape (q, m)
        Covariance of features and targets.
    scales : RegressionScales
    """

    def __init__(self, within: FloatArray, across: FloatArray, scales: RegressionScales) -> None:
        self.within, self.across, self.spreads = within, across, scales.features[:, None]
        self.values, self.vectors = np.linalg.eigh(within / self.spreads / self.spreads.T)
        self.rotated = self.vectors.T @ (across / self.spreads)

    def coefficients(self, ridge: FloatArray) -> FloatArray:
        """Return the coefficients (q, m), for a ridge (m,) that is added to the variances."""
        values = np.maximum(self.values, 0.0)[:, None] + ridge
        least = RANK * values.max(initial=0.0)
        solved = np.where(values > least, self.rotated / np.where(values > least, values, 1.0), 0.0)
        return self.vectors @ solved / self.spreads

    def residuals(self, coefficients: FloatArray, variances: FloatArray) -> FloatArray:
        """Return the noise variances (m,) that coefficients leave of those of the targets (m,)."""
        explained = (coefficients * (2 * self.across - self.within @ coefficients)).sum(axis=0)
        return np.asarray(np.maximum(variances - explained, 0.0))


def responses(data: Regression) -> FloatArray:
    """Return the targets (n, m) without the offset."""
    return data.targets if data.offset is None else data.targets - data.offset[:, None]
