"""The methods that choose a number of clusters, and those that are given it."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture

from boltzmix import Mixture

from . import mclust
from .choice_peers import (
    Choice,
    by_prediction_strength,
    cluster_by_combi,
    hdbscan,
    k_means_by_silhouette,
    mclust_by_bic,
    scikit_learn_by_bic,
)
from .choice_sets import ChoiceData
from .contenders import time_of

OWN, OWN_AT_K, OWN_CLUSTERS_AT_K = "boltzmix", "boltzmix at K", "boltzmix n_clusters=K"
R_SOURCE = "Debian: apt-get install r-base-core r-cran-mclust"


@dataclass(frozen=True)
class Chooser:
    """A function that clusters a table, with the number of clusters open or given.

    Parameters
    ----------
    choose : function
        Its arguments are the data, the seed and the number of threads, and after them, if `given`,
        the number of clusters.
    given : bool
        Whether the number of clusters is given.
    random : bool
        Whether it is fitted with every seed.
    own : bool
        Whether it is ours, so that its kernels are compiled before it is timed.
    is_installed : function
    source : str
        How to install it.
    """

    choose: Callable[..., Choice]
    given: bool = False
    random: bool = True
    own: bool = False
    is_installed: Callable[[], bool] = lambda: True
    source: str = ""

    @property
    def installed(self) -> bool:
        """Whether what it needs is installed."""
        return self.is_installed()

    def suits(self, problem: ChoiceData) -> bool:
        """Whether it is to fit these data."""
        return not self.given or problem.k > 1

    def solve(self, problem: ChoiceData, seed: int, threads: int) -> dict[int | None, Choice]:
        """Return its clustering for each number that is given, or for none."""
        numbers = sorted(set(problem.numbers)) if self.given else [None]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {
                k: self.choose(problem, seed, threads, *([] if k is None else [k])) for k in numbers
            }


def fit_own(data: ChoiceData, seed: int, threads: int, **numbers: Any) -> Choice:
    """Fit `Mixture`; `"auto"` is its family for mixed tables."""
    family = ("auto",) if data.mixed else ()
    model = Mixture(*family, random_state=seed, n_jobs=threads, **numbers)
    seconds = time_of(lambda: model.fit(data.rows))
    clusters = getattr(model, "n_clusters_", model.n_components_)
    return Choice(seconds, int(clusters), model.labels_, int(model.n_components_))


def own(data: ChoiceData, seed: int, threads: int) -> Choice:
    """Choose by `Mixture`."""
    return fit_own(data, seed, threads, n_components="auto")


def own_at_k(data: ChoiceData, seed: int, threads: int, k: int) -> Choice:
    """Fit `Mixture` with so many components."""
    return fit_own(data, seed, threads, n_components=k)


def own_clusters_at_k(data: ChoiceData, seed: int, threads: int, k: int) -> Choice:
    """Fit `Mixture` with so many clusters, each of one or several components."""
    return fit_own(data, seed, threads, n_components="auto", n_clusters=k)


def merges_components() -> bool:
    """Whether this version of boltzmix has clusters of several components."""
    return "n_clusters" in Mixture().get_params()


def scikit_learn_at_k(data: ChoiceData, seed: int, threads: int, k: int) -> Choice:
    """Fit `GaussianMixture` with so many components."""
    model = GaussianMixture(k, random_state=seed)
    seconds = time_of(lambda: model.fit(data.encoded))
    return Choice(seconds, k, model.predict(data.encoded))


def k_means_at_k(data: ChoiceData, seed: int, threads: int, k: int) -> Choice:
    """Cluster by K-means."""
    model = KMeans(k, n_init=10, random_state=seed)
    seconds = time_of(lambda: model.fit(data.encoded))
    return Choice(seconds, k, model.labels_)


def by_r(choose: Callable[..., Choice]) -> Chooser:
    """Return a method of R's mclust."""
    return Chooser(choose, random=False, is_installed=mclust.installed, source=R_SOURCE)


OPEN: dict[str, Chooser] = {
    OWN: Chooser(own, own=True),
    "K-means by silhouette": Chooser(k_means_by_silhouette),
    "scikit-learn by BIC": Chooser(scikit_learn_by_bic),
    "mclust by BIC": by_r(mclust_by_bic),
    "clustCombi": by_r(cluster_by_combi),
    "HDBSCAN": Chooser(hdbscan, random=False),
    "prediction strength": Chooser(by_prediction_strength),
}
GIVEN: dict[str, Chooser] = {
    OWN_AT_K: Chooser(own_at_k, given=True, own=True),
    OWN_CLUSTERS_AT_K: Chooser(
        own_clusters_at_k,
        given=True,
        own=True,
        is_installed=merges_components,
        source="a version of boltzmix whose Mixture has n_clusters",
    ),
    "scikit-learn at K": Chooser(scikit_learn_at_k, given=True),
    "K-means at K": Chooser(k_means_at_k, given=True),
}
CHOOSERS = OPEN | GIVEN
