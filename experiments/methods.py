"""The methods that the paper's Gaussian-mixture tables compare, and their initial assignments.

Initialisation A: random responsibilities (scikit-learn's "random").
Initialisation B: K-means labels. EM takes them from one K-means run, as scikit-learn's
GaussianMixture does; BEEM from the best of ten, which was the default of scikit-learn's KMeans when
the paper appeared.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.cluster import HDBSCAN, AffinityPropagation, KMeans
from sklearn.exceptions import ConvergenceWarning

from boltzmix import BEEM, DAEM, DegenerateMixtureWarning, GaussianMixture, Mixture
from boltzmix.families import Gaussian
from experiments.baselines import PowerKMeans

from .table import Found

Run = Callable[[Any, int], Found]


def random_responsibilities(data: Any, n_components: int, rng: np.random.Generator) -> Any:
    """Return random responsibilities, shape (n, K), up to a factor for each observation."""
    return rng.random((len(data), n_components))


def kmeans_labels(data: Any, n_components: int, rng: np.random.Generator) -> Any:
    """Return the labels (n,) of the best of ten K-means runs."""
    seed = int(rng.integers(2**31))
    return KMeans(n_components, n_init=10, random_state=seed).fit(np.asarray(data)).labels_


def fit_quietly(model: Any, *observations: Any) -> Any:
    """Fit a model without a warning if it does not converge or is degenerate, and return it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DegenerateMixtureWarning)
        return model.fit(*observations)


def most_probable(state: Any, data: Any) -> Any:
    """Return the most probable component (n,) of each observation in a state of the algorithm."""
    return (state.bank.log_prob(data) + np.log(state.weights)).argmax(axis=1)


def count_updates(model: Any) -> int:
    """Return the number of M-steps of a fit, without those of the trials of a search."""
    return int((model.history_.iteration > 0).sum())


GAUSSIAN = Gaussian(prior=0, resolution=None)  # the paper's: it maximises the likelihood alone


def beem(
    n_components: int, *, init: Any = random_responsibilities, weights: str = "uniform"
) -> Run:
    """BEEM as in the paper: a component with too few observations keeps its parameters."""
    recipe = BEEM(weights=weights)

    def run(X: Any, seed: int) -> Found:
        model = Mixture(GAUSSIAN, n_components, algorithm=recipe, init=init, random_state=seed)
        fit_quietly(model, X)
        return Found(model.labels_, model.n_iter_ + 1)

    return run


def em(n_components: int, *, init: str = "random", n_init: int = 1) -> Run:
    """EM as in scikit-learn: from random responsibilities, or from K-means."""

    def run(X: Any, seed: int) -> Found:
        model = GaussianMixture(n_components, init_params=init, n_init=n_init, random_state=seed)
        fit_quietly(model, X)
        return Found(model.labels_, model.n_iter_)

    return run


def daem(n_components: int) -> Run:
    """Deterministic annealing EM."""

    def run(X: Any, seed: int) -> Found:
        model = Mixture(
            GAUSSIAN,
            n_components,
            algorithm=DAEM(),
            init=random_responsibilities,
            random_state=seed,
        )
        fit_quietly(model, X)
        return Found(model.labels_)

    return run


def power_kmeans(n_clusters: int, s0: float) -> Run:
    """Power k-means from random points."""
    return lambda X, seed: Found(PowerKMeans(n_clusters, s0=s0, random_state=seed).fit(X).labels_)


def affinity_propagation(X: Any, seed: int) -> Found:
    """Affinity propagation as in scikit-learn."""
    return Found(fit_quietly(AffinityPropagation(random_state=seed), X).labels_)


def hdbscan(X: Any, seed: int) -> Found:
    """HDBSCAN as in scikit-learn; its noise counts as one cluster."""
    return Found(HDBSCAN(copy=True).fit(X).labels_)
