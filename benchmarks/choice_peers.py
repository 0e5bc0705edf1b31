"""The methods of others that choose a number of clusters, on tables of numbers."""

from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture

from . import mclust
from .choice_sets import ChoiceData
from .contenders import time_of

MOST = 20  # clusters, where a method needs a largest number and there are fewer classes
MOST_OF_MCLUST = 9  # the same of mclust: its own default, as it fits 14 shapes of each number
THRESHOLD, SPLITS = 0.8, 5  # of prediction strength
RUNS = 10  # of K-means
FEW_RUNS = 3  # of K-means in halves


class Choice(NamedTuple):
    """A clustering.

    Parameters
    ----------
    seconds : float
    k : int
    labels : array of int, shape (n,)
    components : int, optional
        The components that the clusters are made of, where these can be more.
    """

    seconds: float
    k: int
    labels: Any
    components: int | None = None


def most_clusters(data: ChoiceData, least: int = MOST) -> int:
    """Return the largest number of clusters that a method may choose which needs one."""
    return min(max(least, ceil(1.4 * data.k) + 4), len(data.rows) - 1)


def k_means_by_silhouette(data: ChoiceData, seed: int, threads: int) -> Choice:
    """Choose the number of clusters of K-means with the highest silhouette."""
    found = []

    def run() -> None:
        for k in range(2, most_clusters(data) + 1):
            labels = KMeans(k, n_init=RUNS, random_state=seed).fit_predict(data.encoded)
            found.append((silhouette_score(data.encoded, labels), -k, labels))

    seconds = time_of(run)
    _, k, labels = max(found, key=lambda one: one[:2])
    return Choice(seconds, -k, labels)


def scikit_learn_by_bic(data: ChoiceData, seed: int, threads: int) -> Choice:
    """Choose the `GaussianMixture` with the lowest BIC."""
    found: list[Any] = []

    def run() -> None:
        for k in range(1, most_clusters(data) + 1):
            model = GaussianMixture(k, random_state=seed).fit(data.encoded)
            found.append((model.bic(data.encoded), k, model))

    seconds = time_of(run)
    _, k, model = min(found, key=lambda one: one[:2])
    return Choice(seconds, k, model.predict(data.encoded))


def hdbscan(data: ChoiceData, seed: int, threads: int) -> Choice:
    """Cluster by HDBSCAN; noise has its own label, and is not counted as a cluster."""
    model = HDBSCAN(copy=True, n_jobs=threads)
    seconds = time_of(lambda: model.fit(data.encoded))
    return Choice(seconds, max(int(model.labels_.max()) + 1, 1), model.labels_)


def by_prediction_strength(data: ChoiceData, seed: int, threads: int) -> Choice:
    """Choose the largest number of clusters of K-means whose prediction strength is enough."""
    rng, n = np.random.default_rng(seed), len(data.encoded)
    splits = [np.array_split(rng.permutation(n), 2) for _ in range(SPLITS)]
    chosen, labels = 1, np.zeros(n, dtype=int)

    def run() -> None:
        nonlocal chosen, labels
        for k in range(2, min(most_clusters(data), n // 4) + 1):
            strengths = [prediction_strength(data.encoded, one, k, seed) for one in splits]
            if np.mean(strengths) >= THRESHOLD:
                chosen = k
        if chosen > 1:
            labels = KMeans(chosen, n_init=RUNS, random_state=seed).fit_predict(data.encoded)

    return Choice(time_of(run), chosen, labels)


def prediction_strength(rows: Any, halves: Any, k: int, seed: int) -> float:
    """Return the prediction strength of K-means in two halves, the mean of both directions.

    It is the lowest share, over the clusters of a half, of pairs of its rows that the clusters of
    the other half put together as well.
    """
    models = [KMeans(k, n_init=FEW_RUNS, random_state=seed).fit(rows[half]) for half in halves]
    found = []
    for half, own, other in zip(halves, models, reversed(models), strict=True):
        counts = np.zeros((k, k))
        np.add.at(counts, (own.labels_, other.predict(rows[half])), 1)
        sizes = counts.sum(axis=1)
        several = sizes > 1
        together = (counts * (counts - 1)).sum(axis=1)[several]
        found.append(np.min(together / (sizes * (sizes - 1))[several]))
    return float(np.mean(found))


@lru_cache(maxsize=1)
def _attempted(data: ChoiceData, seed: int, threads: int) -> mclust.Combined | Exception:
    try:
        return mclust.run_combined(data.encoded, most_clusters(data, MOST_OF_MCLUST), seed, threads)
    except (RuntimeError, TimeoutError) as error:
        return error


def _combined(data: ChoiceData, seed: int, threads: int) -> mclust.Combined:
    """Return the one fit of mclust that two methods need, or raise its error again."""
    found = _attempted(data, seed, threads)
    if isinstance(found, Exception):
        raise found
    return found


def mclust_by_bic(data: ChoiceData, seed: int, threads: int) -> Choice:
    """Choose by the BIC of mclust: 14 shapes of covariance."""
    found = _combined(data, seed, threads)
    return Choice(found.seconds, len(np.unique(found.labels)), found.labels)


def cluster_by_combi(data: ChoiceData, seed: int, threads: int) -> Choice:
    """Merge the components of `mclust_by_bic` by `clustCombi`; its time includes mclust's."""
    found = _combined(data, seed, threads)
    k, components = (len(np.unique(one)) for one in (found.merged, found.labels))
    return Choice(found.seconds + found.merging, k, found.merged, components)
