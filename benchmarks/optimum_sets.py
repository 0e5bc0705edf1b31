"""The data sets of the search for the optimum: points, sequences and curves with true labels.

`Gaussian` adds a ridge to every variance, in proportion to the variance of the column. The columns
are scaled so that the ridge is the same number in all of them. This does not change the fits of
`Mixture`, and other libraries can add the same number, so that all methods maximise the same
likelihood.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import logsumexp
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.decomposition import PCA

from boltzmix.datasets import make_data_association, make_mixture, make_random_hmms
from boltzmix.families import HMM, Family, Gaussian, GaussianProcess


class Evaluation(NamedTuple):
    """The mean log-likelihood of the data under a mixture, and the labels it assigns."""

    likelihood: float
    labels: Any


@dataclass(frozen=True)
class Problem(ABC):
    """Data to cluster, and their true labels.

    Parameters
    ----------
    data : tuple
        The arguments of `Mixture.fit`.
    labels : array of int, shape (n,)
    family : Family
    """

    data: tuple[Any, ...]
    labels: Any
    family: Family

    @property
    def k(self) -> int:
        """Number of clusters."""
        return int(self.labels.max()) + 1

    @abstractmethod
    def evaluate(self, model: Any) -> Evaluation:
        """Return the likelihood and the labels of a fitted `Mixture`."""


class Points(Problem):
    """Points in D dimensions."""

    @property
    def rows(self) -> Any:
        """The points, shape (n, d)."""
        return self.data[0]

    @property
    def ridge(self) -> float:
        """The number that is added to every variance."""
        assert isinstance(self.family, Gaussian)
        return self.family.ridge

    def evaluate(self, model: Any) -> Evaluation:
        """Return the likelihood and the labels of a fitted mixture of Gaussians."""
        means, covariances = zip(
            *((one.mean, one.covariance_matrix) for one in model.components_), strict=True
        )
        return self.evaluate_gaussians(model.weights_, means, covariances)

    def evaluate_gaussians(self, weights: Any, means: Any, covariances: Any) -> Evaluation:
        """Return the likelihood and the labels of any library's mixture of Gaussians."""
        return evaluate_joint(gaussian_joint(self.rows, weights, means, covariances))


class Chains(Problem):
    """Sequences."""

    def evaluate(self, model: Any) -> Evaluation:
        """Return the likelihood and the labels of a mixture of hidden Markov models."""
        sequences = self.family.observe(*self.data)
        log_densities = np.column_stack([one.log_prob(sequences) for one in model.components_])
        return evaluate_joint(log_densities + np.log(model.weights_))


class Curves(Problem):
    """Points on curves; they depend on each other, so a lower bound replaces the likelihood."""

    def evaluate(self, model: Any) -> Evaluation:
        """Return the lower bound and the labels of a mixture of Gaussian processes."""
        return Evaluation(float(model.lower_bound_), model.labels_)


def gaussian_joint(X: Any, weights: Any, means: Any, covariances: Any) -> Any:
    """Return log weight plus log density of each row and component, shape (n, K)."""
    found = np.empty((len(X), len(weights)))
    for k, (mean, covariance) in enumerate(zip(means, covariances, strict=True)):
        root = np.linalg.cholesky(covariance)
        whitened = solve_triangular(root, (X - mean).T, lower=True)
        log_root = np.log(2 * np.pi) / 2 * len(root) + np.log(np.diag(root)).sum()
        found[:, k] = -(whitened**2).sum(axis=0) / 2 - log_root
    with np.errstate(divide="ignore"):  # weights may be zero
        return found + np.log(weights)


def evaluate_joint(joint: Any) -> Evaluation:
    """Return the mean log-likelihood, and the most likely component of each row."""
    return Evaluation(float(logsumexp(joint, axis=1).mean()), joint.argmax(axis=1))


@dataclass(frozen=True)
class Set:
    """A data set: either one table, or a distribution to draw from.

    Parameters
    ----------
    make : function
        Returns the problem of a seed.
    kind : type
        The class of the problems.
    drawn : bool
        Whether each seed draws new data.
    """

    make: Callable[[int], Problem]
    kind: type[Problem]
    drawn: bool = True

    def data_number(self, seed: int) -> int:
        """Return the number of the data of a seed: always 0 if the data are fixed."""
        return seed if self.drawn else 0


def points(X: Any, labels: Any) -> Points:
    """Return the problem with columns scaled so that the ridge is the same in all."""
    family = Gaussian(prior=0, resolution=None)  # the likelihood alone, as scikit-learn's
    observed: Any = family.observe(X)
    prepared = family.prepare(observed, int(labels.max()) + 1)
    added = np.asarray(prepared.added_variance)
    return Points((X * np.sqrt(family.ridge / added),), labels, family)


def data_path(name: str) -> Path | None:
    """Return the path of a file or folder in BOLTZMIX_DATA, or None if it is absent."""
    folder = os.environ.get("BOLTZMIX_DATA")
    return Path(folder, name) if folder and Path(folder, name).exists() else None


def clustering_file(name: str) -> str:
    """Return the path of the points of a set inside the folder of the data."""
    return f"clustering/{name.lower()}.data.gz"


def clustering_set(name: str) -> tuple[Any, Any]:
    """Read points and labels from the folder given by BOLTZMIX_DATA."""
    path = data_path(clustering_file(name))
    if path is None:
        raise FileNotFoundError(
            f"{name} is absent: set BOLTZMIX_DATA to the folder that has {clustering_file(name)}."
        )
    labels = np.loadtxt(path.with_name(f"{name.lower()}.labels0.gz"), dtype=int)
    return np.loadtxt(path), labels - 1


def digits() -> tuple[Any, Any]:
    """Return the handwritten digits, reduced to twenty principal components."""
    X, labels = load_digits(return_X_y=True)
    return PCA(20, svd_solver="full").fit_transform(X), labels


def chains(seed: int, lengths: tuple[int, int] = (20, 50)) -> Chains:
    """Draw sequences from three random hidden Markov models."""
    X, labels = make_random_hmms(lengths, random_state=seed)
    return Chains((X,), labels, HMM(4))


def curves(seed: int, every: int = 1) -> Curves:
    """Draw points on two curves that cross."""
    X, y, labels = make_data_association("crossing", random_state=seed)
    return Curves((X[::every], y[::every]), labels[::every], GaussianProcess())


def real(load: Callable[[], tuple[Any, Any]]) -> Set:
    """Return a set of points that are the same for every seed."""
    return Set(lambda seed: points(*load()), Points, drawn=False)


def simulated(n: int, k: int, d: int, separation: float, unbalance: float = 1.0) -> Set:
    """Return a set of points that are drawn from random Gaussians for every seed."""

    def make(seed: int) -> Points:
        return points(
            *make_mixture(n, k, d, separation=separation, unbalance=unbalance, random_state=seed)
        )

    return Set(make, Points)


CLUSTERING = ("S1", "S3", "A1")
SETS: dict[str, Set] = {
    **{name: real(partial(clustering_set, name)) for name in CLUSTERING},
    "iris": real(lambda: load_iris(return_X_y=True)),
    "wine": real(lambda: load_wine(return_X_y=True)),
    "breast-cancer": real(lambda: load_breast_cancer(return_X_y=True)),
    "digits": real(digits),
    "K2-D2-separated": simulated(300, 2, 2, 9),
    "K5-D2-separated": simulated(1000, 5, 2, 6),
    "K15-D2-overlapping": simulated(1500, 15, 2, 2.5),
    "K15-D2-unbalanced": simulated(3000, 15, 2, 3, 20),
    "K30-D2": simulated(3000, 30, 2, 3.5),
    "K50-D2-separated-unbalanced": simulated(5000, 50, 2, 6, 10),
    "K100-D2": simulated(4000, 100, 2, 4),
    "K10-D5-overlapping": simulated(2000, 10, 5, 2),
    "K20-D5-unbalanced": simulated(3000, 20, 5, 3, 20),
    "K20-D10-unbalanced": simulated(3000, 20, 10, 3, 10),
    "K50-D10-separated": simulated(3000, 50, 10, 5),
    "K10-D20-overlapping": simulated(2000, 10, 20, 1),
    "K10-D50-separated": simulated(2500, 10, 50, 2),
    "K5-D50-unbalanced": simulated(2000, 5, 50, 0.7, 5),
    "sequences": Set(chains, Chains),
    "curves": Set(curves, Curves),
}

# small problems that compile all kernels before any fit is timed
WARM_UP_PROBLEMS: dict[type[Problem], Callable[[], list[Problem]]] = {
    Points: lambda: [points(*make_mixture(200, 3, d, random_state=0)) for d in (2, 5)],
    Chains: lambda: [chains(0, (5, 10))],
    Curves: lambda: [curves(0, every=10)],
}
