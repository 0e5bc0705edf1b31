"""The methods that are compared on sequences with known classes."""

from collections.abc import Callable
from importlib.util import find_spec
from operator import attrgetter
from typing import Any

from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline

from boltzmix import Mixture
from boltzmix.families import HMM, Family

from .labelled_methods import Method, estimator

OWN, PEER = "boltzmix", "k-Shape"  # the default, and the method it is compared with
PRINCIPAL = 10  # principal components that Gaussians are fitted to


def boltzmix(make: Callable[[], Family], rows: str = "with_slopes") -> Method:
    """Return the method that fits `Mixture` of a family."""
    return estimator(
        lambda k, seed, threads: Mixture(make(), k, random_state=seed, n_jobs=threads),
        rows=attrgetter(rows),
    )


def tslearn(make: Callable[..., Any]) -> Method:
    """Return the method that fits an estimator of tslearn, made from its module, K and the seed."""

    def build(k: int, seed: int, threads: int) -> Any:
        import tslearn.clustering

        return make(tslearn.clustering, k, seed)

    method = estimator(build, rows=attrgetter("resampled"))
    return Method(method.solve, True, lambda: find_spec("tslearn") is not None, "pip: tslearn")


def gaussians_on_principal_components(data: Any, seed: int, threads: int) -> Any:
    """Fit a mixture of Gaussians to the first principal components."""
    d = min(PRINCIPAL, *data.rows.shape)
    method = estimator(
        lambda k, seed, threads: make_pipeline(
            PCA(d, random_state=seed), GaussianMixture(k, random_state=seed)
        )
    )
    return method.solve(data, seed, threads)


METHODS: dict[str, Method] = {
    OWN: boltzmix(HMM),
    "boltzmix without slopes": boltzmix(HMM, rows="sequences"),
    "boltzmix HMM(5)": boltzmix(lambda: HMM(5)),
    PEER: tslearn(lambda module, k, seed: module.KShape(k, random_state=seed)),
    "DTW k-means": tslearn(
        lambda module, k, seed: module.TimeSeriesKMeans(k, metric="dtw", random_state=seed)
    ),
    "K-means": estimator(lambda k, seed, threads: KMeans(k, n_init=10, random_state=seed)),
    "GMM on PCA": Method(gaussians_on_principal_components),
}
