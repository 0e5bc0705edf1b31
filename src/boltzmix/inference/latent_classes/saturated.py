"""The saturated model of categorical columns: any probability for each cell of their table."""

from collections.abc import Sequence

import numpy as np

from ...data import FloatArray, IntArray

MOST_CELLS = 2**18  # of a table that is filled where values are missing
MOST_ITERATIONS = 5000
TOLERANCE = 1e-8  # gain in log-likelihood of all rows at which EM stops


def saturated_log_likelihood(
    patterns: IntArray, counts: IntArray, sizes: Sequence[int]
) -> float | None:
    """Return the greatest log-likelihood of any distribution over the cells of a table.

    Without missing values, the probability of a cell is its frequency. With missing values, it is
    found by EM, which divides a row among all cells that it may belong to (Fuchs 1982).

    Parameters
    ----------
    patterns : array of int, shape (m, d)
        Different rows of codes, in which -1 means missing.
    counts : array, shape (m,)
        How many rows have each pattern.
    sizes : sequence of d ints
        Number of categories of each column.

    Returns
    -------
    float, or None if values are missing and the table has too many cells
    """
    there, total = patterns >= 0, counts.sum()
    n_there = there.sum(axis=1)
    if np.isin(n_there, (0, there.shape[1])).all():
        own = counts[n_there > 0]
        return float((own * np.log(own / own.sum())).sum()) if len(own) else 0.0
    if np.prod(np.array(sizes, dtype=float)) > MOST_CELLS:
        return None
    places = [tuple(slice(None) if one < 0 else one for one in row) for row in patterns.tolist()]
    return _maximise(places, counts, np.full(tuple(sizes), 1 / np.prod(sizes)), float(total))


def _maximise(
    places: Sequence[tuple[int | slice, ...]],
    counts: IntArray,
    cells: FloatArray,
    total: float,
) -> float:
    """Return the log-likelihood at which EM over the probabilities of cells converges."""
    before = -np.inf
    for _ in range(MOST_ITERATIONS):
        expected, log_likelihood = np.zeros_like(cells), 0.0
        for place, count in zip(places, counts, strict=True):
            probability = cells[place].sum()
            expected[place] += count * cells[place] / probability
            log_likelihood += count * float(np.log(probability))
        if log_likelihood - before < TOLERANCE:
            break
        before, cells = log_likelihood, expected / total
    return log_likelihood
