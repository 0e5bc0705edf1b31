"""The posterior of factors given rows, and the statistics of rows and their factors."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from scipy.linalg import cho_solve, cholesky

from ...data import FloatArray
from ..columns.statistics import Sums


class Projector(NamedTuple):
    """The posterior of factors given a row.

    Parameters
    ----------
    weights : array, shape (d, q)
        A centred row times these weights is the mean of its factors.
    covariance : array, shape (q, q)
    log_determinant : float
        Of the covariance of rows.
    """

    weights: FloatArray
    covariance: FloatArray
    log_determinant: float

    @classmethod
    def of(cls, loadings: FloatArray, noise: FloatArray) -> Self:
        """Return the posterior, given loadings (d, q) and noise variances (d,)."""
        n_factors = loadings.shape[1]
        scaled = loadings / noise[:, None]
        root = cholesky(np.eye(n_factors) + loadings.T @ scaled, lower=True)
        covariance = cho_solve((root, True), np.eye(n_factors))
        log_determinant = np.log(noise).sum() + 2 * np.log(np.diag(root)).sum()
        return cls(scaled @ covariance, covariance, float(log_determinant))


@dataclass(frozen=True, eq=False)
class Projections(Sums):
    """Sums over rows and their expected factors, about a common centre.

    Parameters
    ----------
    weight : float
    rows, squares : arrays, shape (d,)
    factors : array, shape (q,)
    crossed : array, shape (d, q)
        Sums of rows times factors.
    second : array, shape (q, q)
        Sums of factors times factors, including their covariance.
    """

    weight: float
    rows: FloatArray
    squares: FloatArray
    factors: FloatArray
    crossed: FloatArray
    second: FloatArray
