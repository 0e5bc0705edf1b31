"""K-means of vectors, without warnings."""

import warnings
from typing import Any

from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from .data import FloatArray


def fitted_kmeans(
    vectors: FloatArray,
    n_clusters: int,
    n_init: int,
    random_state: Any,
    sample_weight: FloatArray | None,
) -> KMeans:
    """Return the best of several runs of K-means on vectors (n, p).

    Clusters may be empty if vectors differ by rounding errors only. scikit-learn warns of that, but
    here clusters are only where learning starts.
    """
    clusters = KMeans(n_clusters, n_init=n_init, random_state=random_state)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return clusters.fit(vectors, sample_weight=sample_weight)
