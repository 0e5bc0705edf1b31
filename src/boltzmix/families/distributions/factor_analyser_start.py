"""The first parameters of a factor analyser, from which EM starts."""

import numpy as np
from sklearn.utils.extmath import randomized_svd

from ...data import FloatArray

LEAST_EXPLAINED = 1e-2  # of the noise, by a factor at the start: EM leaves a zero loading at zero


def first_loadings(
    rows: FloatArray,
    weights: FloatArray,
    least_variance: FloatArray,
    n_factors: int,
    strength: float,
) -> tuple[FloatArray, FloatArray]:
    """Return loadings (d, q) and noise (d,), from the principal components of scaled columns.

    Columns are scaled to unit variance. Noise is the variance that the loadings leave over.

    Parameters
    ----------
    rows : array, shape (n, d)
        Centred rows.
    weights : array, shape (n,)
        They sum to one.
    least_variance : array, shape (d,)
    n_factors : int
    strength : float, at most 1
        By which loadings are multiplied.
    """
    variances = np.maximum(weights @ rows**2, least_variance)
    widths = np.sqrt(variances)
    rows = rows / widths * np.sqrt(weights)[:, None]
    q = min(n_factors, len(rows))
    _, singular, axes = randomized_svd(rows, q, random_state=0)
    rest = max(1 - float((singular**2).sum()) / len(widths), LEAST_EXPLAINED)
    loadings = np.zeros((len(widths), n_factors))
    loadings[:, :q] = axes.T * np.sqrt(np.maximum(singular**2 - rest, LEAST_EXPLAINED * rest))
    loadings *= strength * widths[:, None]
    return loadings, np.maximum(variances - (loadings**2).sum(axis=1), least_variance)
