"""The methods that the paper's Gaussian-mixture tables compare, and their starts.

Start A: every observation is shared out at random (scikit-learn's "random").
Start B: K-means labels. EM takes them from one K-means run, as scikit-learn's GaussianMixture does;
BEEM from the best of ten, which was the default of scikit-learn's KMeans when the paper appeared.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.cluster import HDBSCAN, AffinityPropagation, KMeans
from sklearn.exceptions import ConvergenceWarning

from boltzmix import BEEM, DAEM, GaussianMixture, Mixture
from boltzmix.baselines import PowerKMeans

from .table import Found

Run = Callable[[Any, int], Found]


def start_a(data: Any, n_components: int, rng: np.random.Generator) -> Any:
    """Share every observation out at random."""
    return rng.random((len(data), n_components))


def start_b(data: Any, n_components: int, rng: np.random.Generator) -> Any:
    """Label every observation by the best of ten K-means runs."""
    seed = int(rng.integers(2**31))
    return KMeans(n_components, n_init=10, random_state=seed).fit(np.asarray(data)).labels_


def beem(n_components: int, *, init: Any = start_a, weights: str = "uniform") -> Run:
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
    """Deterministic annealing EM."""

    def run(X: Any, seed: int) -> Found:
        model = Mixture(
            n_components=n_components, algorithm=DAEM(), init=start_a, random_state=seed
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
