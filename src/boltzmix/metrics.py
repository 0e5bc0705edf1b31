"""Agreement of clusters with known classes."""

from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score, homogeneity_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

__all__ = [
    "adjusted_rand_score",
    "homogeneity_score",
    "normalized_mutual_info_score",
    "purity_score",
]


def purity_score(labels_true: Any, labels_pred: Any) -> float:
    """Return the fraction of observations that belong to the most frequent class of their cluster.

    Parameters
    ----------
    labels_true : array, shape (n,)
        Known classes.
    labels_pred : array, shape (n,)
        Labels of the clusters; their names do not matter.

    Examples
    --------
    >>> purity_score([0, 0, 1, 1], [5, 5, 5, 7])
    0.75
    """
    table = contingency_matrix(labels_true, labels_pred)
    return float(np.max(table, axis=0).sum() / table.sum())
