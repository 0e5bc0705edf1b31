"""Agreement of clusters with known classes."""

from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score, homogeneity_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from .data import as_array, shown

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
    given = {"labels_true": labels_true, "labels_pred": labels_pred}
    true, found = (as_array(labels, name) for name, labels in given.items())
    if true.ndim != 1 or true.shape != found.shape or not true.size:
        raise ValueError(
            "labels_true and labels_pred must have one label for each of the same observations,"
            f" not the shapes {true.shape} and {found.shape}."
        )
    table = contingency_matrix(_codes(true), _codes(found))
    return float(np.max(table, axis=0).sum() / table.sum())


def _codes(labels: Any) -> list[int]:
    """Return a number for each label, the same where labels are equal."""
    numbers: dict[Any, int] = {}
    try:
        return [numbers.setdefault(label, len(numbers)) for label in labels.tolist()]
    except TypeError:
        raise TypeError(
            f"Labels must be numbers or text, and {shown(labels.tolist())} are not."
        ) from None
