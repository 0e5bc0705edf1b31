"""The methods that are compared on sets with known classes."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.mixture import BayesianGaussianMixture, GaussianMixture

from boltzmix import Mixture
from boltzmix.families import Family, Gaussian, RobustGaussian
from boltzmix.learning import EM

from . import mclust
from .contenders import time_of
from .labelled_sets import Labelled

OWN, PEER = "boltzmix", "scikit-learn"  # the default, and the method it is compared with
SAME_OBJECTIVE = "EM from K-means"  # of the default
FROM_CLASSES = "EM from the classes"  # the same objective, from the known classes

# The family of each method; None is the default of `Mixture`.
FAMILIES: dict[str, Callable[[], Family | None]] = {
    OWN: lambda: None,
    "without prior": lambda: RobustGaussian(prior=0),
    "without tails": lambda: Gaussian(),
    "without resolution": lambda: RobustGaussian(resolution=None),
    "Gaussian without prior": lambda: Gaussian(prior=0, resolution=None),
    "without outliers": lambda: RobustGaussian(outliers=0),
    "prior=8": lambda: RobustGaussian(prior=8),
    "prior=40": lambda: RobustGaussian(prior=40),
    SAME_OBJECTIVE: lambda: None,
    "Gaussian EM from K-means": lambda: Gaussian(prior=0, resolution=None),
}


class Fit(NamedTuple):
    """The result of a fit.

    Parameters
    ----------
    seconds : float
    labels : array of int, shape (n,)
    objective : float, optional
        What the method maximises, per row, where it says so.
    converged : bool, optional
        Absent where the method does not say.
    n_warnings : int
    """

    seconds: float
    labels: Any
    objective: float | None = None
    converged: bool | None = None
    n_warnings: int = 0


@dataclass(frozen=True)
class Method:
    """A function that clusters a set.

    Parameters
    ----------
    solve : function
        Its arguments are the data, the seed and the number of threads.
    random : bool
        Whether it is fitted with every seed. If not, it is fitted once to each table.
    is_installed : function
    source : str
        How to install it.
    """

    solve: Callable[[Any, int, int], Fit]
    random: bool = True
    is_installed: Callable[[], bool] = lambda: True
    source: str = ""

    @property
    def installed(self) -> bool:
        """Whether what it needs is installed."""
        return self.is_installed()

    def suits(self, problem: Any) -> bool:
        """Whether it can fit these data: every method can."""
        return True


def estimator(
    make: Callable[[int, int, int], Any],
    random: bool = True,
    rows: Callable[[Any], Any] = attrgetter("rows"),
) -> Method:
    """Return the method that fits an estimator, made from K, the seed and the threads.

    `rows` returns what is fitted, from the data of a set.
    """

    def solve(data: Any, seed: int, threads: int) -> Fit:
        model, fitted = make(data.k, seed, threads), rows(data)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            seconds = time_of(partial(model.fit, fitted))
        labels = model.labels_ if hasattr(model, "labels_") else model.predict(fitted)
        objective = getattr(model, "lower_bound_", None)
        converged = getattr(model, "converged_", None)
        return Fit(
            seconds,
            labels,
            None if objective is None else float(objective),
            None if converged is None else bool(converged),
            len(caught),
        )

    return Method(solve, random)


def boltzmix(name: str, **options: Any) -> Method:
    """Return the method that fits `Mixture` with the family of this name."""

    def make(k: int, seed: int, threads: int) -> Mixture:
        return Mixture(FAMILIES[name](), k, random_state=seed, n_jobs=threads, **options)

    return estimator(make)


def scikit_learn(kind: Any, **options: Any) -> Method:
    """Return the method that fits one of scikit-learn's mixtures with a seed."""
    return estimator(lambda k, seed, threads: kind(n_components=k, random_state=seed, **options))


def solve_from_classes(data: Labelled, seed: int, threads: int) -> Fit:
    """Climb the objective of the default by EM, from the known classes."""
    make = estimator(
        lambda k, seed, threads: Mixture(
            n_components=k, algorithm=EM(1e-5), init=data.labels, n_jobs=threads
        )
    )
    return make.solve(data, seed, threads)


def solve_mclust(data: Labelled, seed: int, threads: int) -> Fit:
    """Cluster by mclust."""
    found = mclust.run_mclust(data.rows, data.k, seed, threads)
    return Fit(found.seconds, found.labels, found.likelihood)


FROM_K_MEANS = {"algorithm": "em", "init": "kmeans"}
METHODS: dict[str, Method] = {
    OWN: boltzmix(OWN),
    SAME_OBJECTIVE: boltzmix(SAME_OBJECTIVE, **FROM_K_MEANS),
    "Gaussian EM from K-means": boltzmix("Gaussian EM from K-means", **FROM_K_MEANS),
    PEER: scikit_learn(GaussianMixture),
    "scikit-learn 10 runs": scikit_learn(GaussianMixture, n_init=10),
    "scikit-learn Bayesian": scikit_learn(BayesianGaussianMixture),
    "K-means": estimator(lambda k, seed, threads: KMeans(k, n_init=10, random_state=seed)),
    "Ward": estimator(lambda k, seed, threads: AgglomerativeClustering(k), random=False),
    "mclust": Method(solve_mclust, False, mclust.installed, "Debian: r-cran-mclust"),
}

# Not a rival: it is given the classes that the others have to find.
REFERENCES: dict[str, Method] = {FROM_CLASSES: Method(solve_from_classes)}

# The default without one of its parts, or with another strength of the prior.
WITHOUT = (
    "without prior",
    "without tails",
    "without resolution",
    "without outliers",
    "Gaussian without prior",
    "prior=8",
    "prior=40",
)
ABLATIONS: dict[str, Method] = {name: boltzmix(name) for name in WITHOUT}
