"""Which observations are drawn, where there are too many to draw all."""

import numpy as np

from ..data import IntArray, evenly_spaced

MOST_POINTS = 5000


def sample_of_groups(groups: IntArray, n_groups: int, most: int = MOST_POINTS) -> IntArray:
    """Return the indices of at most `most` observations, with many of every small group.

    Half of the places are shared equally by all groups, and the rest in proportion to what is left
    of each group.

    Parameters
    ----------
    groups : array of int, shape (n,)
        The group of each observation, from 0 to `n_groups` - 1.
    n_groups : int
    most : int
    """
    if len(groups) <= most:
        return np.arange(len(groups))
    sizes = np.bincount(groups, minlength=n_groups)
    fair = most // (2 * n_groups)
    left = np.maximum(sizes - fair, 0)
    spare = most - np.minimum(sizes, fair).sum()
    quota = np.minimum(sizes, fair) + (spare * (left / max(left.sum(), 1))).astype(int)
    order = np.argsort(groups, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
    chosen = [
        order[start + evenly_spaced(size, n)]
        for start, size, n in zip(starts[:-1], sizes.tolist(), quota.tolist(), strict=True)
    ]
    return np.sort(np.concatenate(chosen))
