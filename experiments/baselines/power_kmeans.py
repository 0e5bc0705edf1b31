"""Power k-means: K-means by annealing through smoother objectives."""

from typing import Any, Self

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils.validation import check_is_fitted

from boltzmix.data import FloatArray, IntArray, Table, check_count, check_number, check_tolerance
from boltzmix.inputs import as_seed


class PowerKMeans(ClusterMixin, BaseEstimator):
    """Power k-means clustering (Xu & Lange 2019).

    K-means minimises the sum of the squared distances of points to their nearest centres. Power
    k-means replaces the smallest squared distance of a point by the power mean of order s of its
    squared distances to all centres, which tends to the smallest one as s tends to minus infinity.
    Every iteration makes one majorisation–minimisation step, and multiplies s by `growth`.

    Parameters
    ----------
    n_clusters : int, default=8
    s0 : float, default=-1
        Initial order of the power mean, below zero.
    growth : float, default=1.05
        Factor by which s is multiplied at each iteration.
    max_iter : int, default=500
    tolerance : float, default=1e-6
        The run has converged when no centre moves by more than this times the standard deviation
        of the data.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    cluster_centers_ : array, shape (n_clusters, d)
    labels_ : array of int, shape (n,)
    n_iter_ : int

    Examples
    --------
    >>> from boltzmix.datasets import make_square
    >>> X, _ = make_square((50, 50, 50, 50), random_state=0)
    >>> sorted(PowerKMeans(4, random_state=0).fit(X).cluster_centers_.round().tolist())
    [[-5.0, -5.0], [-5.0, 5.0], [5.0, -5.0], [5.0, 5.0]]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        s0: float = -1.0,
        growth: float = 1.05,
        max_iter: int = 500,
        tolerance: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.s0 = s0
        self.growth = growth
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the centres to X (n, d)."""
        check_count("n_clusters", self.n_clusters)
        check_count("max_iter", self.max_iter)
        check_number("s0", self.s0, "below 0", lambda value: -1e6 <= value < 0)
        check_number("growth", self.growth, "above 1", lambda value: 1 < value <= 1e6)
        check_tolerance(self.tolerance)
        points = Table.of(X).values.astype(float)
        if self.n_clusters > len(points):
            raise ValueError(
                f"n_clusters={self.n_clusters} is more than the {len(points)} points there are."
            )
        rng = np.random.default_rng(as_seed(self.random_state))
        centres = points[rng.choice(len(points), self.n_clusters, replace=False)]
        spread = float(points.std()) or 1.0
        s = float(self.s0)
        step, self.n_iter_ = np.inf, 0
        while step > float(self.tolerance) * spread and self.n_iter_ < self.max_iter:
            moved = _move(points, centres, s)
            step = float(np.abs(moved - centres).max())
            centres = moved
            s *= float(self.growth)
            self.n_iter_ += 1
        self.cluster_centers_ = centres
        self.labels_ = self.predict(points)
        return self

    def predict(self, X: Any) -> IntArray:
        """Return the nearest centre of each point, shape (n,)."""
        check_is_fitted(self)
        return pairwise_distances_argmin(Table.of(X).values, self.cluster_centers_)


def _move(points: FloatArray, centres: FloatArray, s: float) -> FloatArray:
    """Return the centres (k, d) after one majorisation–minimisation step at order s."""
    squared = ((points[:, None, :] - centres) ** 2).sum(axis=2)
    logs = np.log(np.maximum(squared, np.finfo(float).tiny))
    mean = logsumexp(s * logs, axis=1, keepdims=True) - np.log(len(centres))
    log_weights = (s - 1) * logs - (1 - 1 / s) * mean
    weights = np.exp(log_weights - log_weights.max(axis=0))
    return weights.T @ points / weights.sum(axis=0)[:, None]
