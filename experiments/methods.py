"""The methods that the paper's Gaussian-mixture tables compare."""

import warnings
from collections.abc import Callable
from typing import Any

from sklearn.cluster import HDBSCAN, AffinityPropagation
from sklearn.exceptions import ConvergenceWarning

from boltzmix import BEEM, DAEM, GaussianMixture, Mixture
from boltzmix.baselines import PowerKMeans

from .table import Found

Run = Callable[[Any, int], Found]


def beem(n_components: int, *, init: str = "points", weights: str = "uniform") -> Run:
    """BEEM as in the paper: a component with too few observations keeps its parameters."""
    recipe = BEEM(weights=weights, small="keep")

    def run(X: Any, seed: int) -> Found:
        model = Mixture(
            n_components=n_components, algorithm=recipe, init=init, random_state=seed
        ).fit(X)
        return Found(model.labels_, model.n_iter_ + 1)

    return run


def em(n_components: int, *, init: str = "random", n_init: int = 1) -> Run:
    """EM as in scikit-learn: from random responsibilities, or from K-means."""

    def run(X: Any, seed: int) -> Found:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = GaussianMixture(
                n_components, init_params=init, n_init=n_init, random_state=seed
            ).fit(X)
        return Found(model.labels_, model.n_iter_)

    return run


def daem(n_components: int) -> Run:
    """Deterministic annealing EM, from random points."""

    def run(X: Any, seed: int) -> Found:
        model = Mixture(
            n_components=n_components, algorithm=DAEM(), init="points", random_state=seed
        ).fit(X)
        return Found(model.labels_)

    return run


def power_kmeans(n_clusters: int, s0: float) -> Run:
    """Power k-means from random points."""
    return lambda X, seed: Found(PowerKMeans(n_clusters, s0=s0, random_state=seed).fit(X).labels_)


def affinity_propagation(X: Any, seed: int) -> Found:
    """Affinity propagation as in scikit-learn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return Found(AffinityPropagation(random_state=seed).fit(X).labels_)


def hdbscan(X: Any, seed: int) -> Found:
    """HDBSCAN as in scikit-learn; what it calls noise counts as one cluster."""
    return Found(HDBSCAN(copy=True).fit(X).labels_)
