"""Simulated trajectories of three clusters, and the labels that the true parameters give them."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from scipy.stats import multivariate_normal
from sklearn.metrics import adjusted_rand_score

N_CLUSTERS, N_SUBJECTS = 3, 200
FEWEST, MOST = 5, 15
LEAST_ARI, MOST_ARI = 0.6, 0.95  # by the true parameters
LENGTH = 0.25  # over which simulated processes vary


@dataclass(frozen=True)
class Cluster:
    """A true cluster: mean curve, covariance of deviations, and variance of the noise."""

    mean: Callable[[Any], Any]
    covariance: Callable[[Any, Any], Any]
    noise: float
    weight: float

    def covariance_at(self, times: Any) -> Any:
        """Return the covariance of the values at times, shape (T, T)."""
        return self.covariance(times, times) + self.noise * np.eye(len(times))


@dataclass(frozen=True)
class Simulated:
    """Trajectories, their clusters, and the labels that the true parameters give them."""

    X: list[Any]
    labels: Any
    best: Any


def simulated(kind: str, shared_grid: bool, seed: int) -> Simulated:
    """Draw 200 trajectories of 3 clusters, of 5 to 15 points, at times of their own or shared.

    Clusters are drawn until they overlap: until labels by the true parameters have an ARI between
    0.6 and 0.95.
    """
    for attempt in count():
        rng = np.random.default_rng([seed, attempt, len(kind), shared_grid])
        drawn = _drawn(kind, shared_grid, rng)
        if LEAST_ARI <= adjusted_rand_score(drawn.labels, drawn.best) <= MOST_ARI:
            return drawn
    raise AssertionError("count() has no end")


def _drawn(kind: str, shared_grid: bool, rng: Any) -> Simulated:
    clusters = KINDS[kind](rng)
    labels = rng.choice(N_CLUSTERS, N_SUBJECTS, p=[one.weight for one in clusters])
    grid = np.linspace(0, 1, 10)
    X, best = [], []
    for label in labels:
        n = rng.integers(FEWEST, MOST + 1)
        times = grid if shared_grid else np.sort(rng.uniform(0, 1, n))
        own = clusters[label]
        values = rng.multivariate_normal(own.mean(times), own.covariance_at(times))
        X.append((times, values))
        scores = [
            np.log(one.weight)
            + multivariate_normal.logpdf(values, one.mean(times), one.covariance_at(times))
            for one in clusters
        ]
        best.append(int(np.argmax(scores)))
    return Simulated(X, labels, np.array(best))


def _growth(rng: Any) -> list[Cluster]:
    """Quadratic means, with a random intercept and slope (growth mixture models)."""
    return [
        Cluster(
            _polynomial(rng.normal(0, [1.0, 2.0, 2.0])),
            _line(_random_covariance(rng, [0.5, 0.8])),
            rng.uniform(0.1, 0.3) ** 2,
            weight,
        )
        for weight in _weights(rng)
    ]


def _process(rng: Any) -> list[Cluster]:
    """Means and deviations are draws of Gaussian processes (GPclust's model)."""
    return [
        Cluster(_smooth(rng, 0.7), _rbf(rng.uniform(0.4, 0.6) ** 2), 0.2**2, weight)
        for weight in _weights(rng)
    ]


def _noise(rng: Any) -> list[Cluster]:
    """Smooth means, and noise that is independent at all times."""
    return [
        Cluster(_smooth(rng, 0.5), lambda s, t: np.zeros((len(s), len(t))), 0.6**2, weight)
        for weight in _weights(rng)
    ]


KINDS: dict[str, Callable[[Any], list[Cluster]]] = {
    "growth": _growth,
    "process": _process,
    "noise": _noise,
}


def _weights(rng: Any) -> Any:
    return rng.dirichlet(np.full(N_CLUSTERS, 20.0))


def _polynomial(coefficients: Any) -> Callable[[Any], Any]:
    return lambda times: np.polynomial.polynomial.polyval(times - 0.5, coefficients)


def _random_covariance(rng: Any, deviations: Any) -> Any:
    correlation = rng.uniform(-0.5, 0.5)
    return np.outer(deviations, deviations) * np.array([[1, correlation], [correlation, 1]])


def _line(covariance: Any) -> Callable[[Any, Any], Any]:
    def between(one: Any, other: Any) -> Any:
        left, right = (np.stack([np.ones_like(t), t - 0.5]) for t in (one, other))
        return left.T @ covariance @ right

    return between


def _rbf(variance: float) -> Callable[[Any, Any], Any]:
    return lambda one, other: variance * np.exp(-0.5 * ((one[:, None] - other) / LENGTH) ** 2)


def _smooth(rng: Any, deviation: float) -> Callable[[Any], Any]:
    """Return a draw of a Gaussian process, as a weighted sum of its kernel at 30 places."""
    places = np.linspace(-0.3, 1.3, 30)
    kernel = _rbf(deviation**2)
    covariance = kernel(places, places) + 1e-8 * np.eye(30)
    values = np.linalg.cholesky(covariance) @ rng.standard_normal(30)
    weights = np.linalg.solve(covariance, values)
    return lambda times: kernel(times, places) @ weights
