"""Principal components of rows, as the report and the plots draw them."""

from typing import Any

import numpy as np

from ..data import FloatArray, IntArray, evenly_spaced
from .reach import rows_in_range

MOST_ROWS = 50_000  # rows from which principal components are computed


def principal_components(data: Any, labels: IntArray, most: int) -> tuple[FloatArray, FloatArray]:
    """Return the first principal components of columns scaled to unit variance.

    The coordinates of rows (m, d) are ``rows @ directions.T - offsets``, which are zero at the mean
    of the rows. The largest weight of each direction is positive. Rows far from all
    components, such as noise, do not count.

    Parameters
    ----------
    data : Rows or Columns
    labels : array of int, shape (n,)
        The component of each row; -1 for noise.
    most : int
        Largest number of principal components.

    Returns
    -------
    directions : array, shape (q, d)
    offsets : array, shape (q,)
    """
    some = evenly_spaced(len(data), MOST_ROWS)
    rows = data.take(some).as_vectors().astype(float)
    rows = rows[rows_in_range(rows, labels[some])]
    if len(rows) < 2:
        return np.eye(rows.shape[1])[:most], np.zeros(min(most, rows.shape[1]))
    spread = rows.std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    centred = (rows - rows.mean(axis=0)) / scale
    if rows.shape[1] > len(rows):  # no matrix of columns by columns
        found = np.linalg.svd(centred, full_matrices=False)[2][:most]
    else:
        found = np.linalg.eigh(np.cov(centred, rowvar=False))[1][:, ::-1][:, :most].T
    largest = found[np.arange(len(found)), np.abs(found).argmax(axis=1)]
    directions = found * np.sign(largest)[:, None] / scale
    return directions, directions @ rows.mean(axis=0)
