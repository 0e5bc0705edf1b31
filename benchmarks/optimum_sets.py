"""What is clustered to see who finds the optimum: points, sequences and curves with known labels.

Columns of points are scaled so that the ridge of `Gaussian` is the same number in each, which
changes nothing for `Mixture`, and lets others add that number too: then all climb the same hill.
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


class Verdict(NamedTuple):
    """What a mixture is worth: mean log-likelihood of the data, and the labels it gives them."""

    likelihood: float
    labels: Any


@dataclass(frozen=True)
class Problem(ABC):
    """Data to be clustered, and the labels to be found.

    Parameters
    ----------
    data : tuple
        What `Mixture.fit` takes.
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
    def judge(self, model: Any) -> Verdict:
        """Say what a fitted `Mixture` is worth."""


class Points(Problem):
    """Rows of numbers."""

    @property
    def rows(self) -> Any:
        """The points, shape (n, d)."""
        return self.data[0]

    @property
    def ridge(self) -> float:
        """What is added to every variance, in these units."""
        assert isinstance(self.family, Gaussian)
        return self.family.ridge

    def judge(self, model: Any) -> Verdict:
        """Say what a mixture of Gaussians is worth."""
        means, covariances = zip(
            *((one.mean, one.covariance_matrix) for one in model.components_), strict=True
        )
        return self.judge_gaussians(model.weights_, means, covariances)

    def judge_gaussians(self, weights: Any, means: Any, covariances: Any) -> Verdict:
        """Say what Gaussians are worth, whoever found them."""
        return judge_joint(gaussian_joint(self.rows, weights, means, covariances))


class Chains(Problem):
    """Sequences."""

    def judge(self, model: Any) -> Verdict:
        """Say what a mixture of hidden Markov models is worth."""
        sequences = self.family.observe(*self.data)
        values = np.column_stack([one.log_prob(sequences) for one in model.components_])
        return judge_joint(values + np.log(model.weights_))


class Curves(Problem):
    """Points on curves; they depend on each other, so a bound stands for their likelihood."""

    def judge(self, model: Any) -> Verdict:
        """Say what a mixture of Gaussian processes is worth."""
        return Verdict(float(model.lower_bound_), model.labels_)


def gaussian_joint(X: Any, weights: Any, means: Any, covariances: Any) -> Any:
    """Return log weights and log densities together, of each row and Gaussian, shape (n, K)."""
    found = np.empty((len(X), len(weights)))
    for k, (mean, covariance) in enumerate(zip(means, covariances, strict=True)):
        root = np.linalg.cholesky(covariance)
        whitened = solve_triangular(root, (X - mean).T, lower=True)
        log_root = np.log(2 * np.pi) / 2 * len(root) + np.log(np.diag(root)).sum()
        found[:, k] = -(whitened**2).sum(axis=0) / 2 - log_root
    with np.errstate(divide="ignore"):  # a weight of zero is one
        return found + np.log(weights)


def judge_joint(joint: Any) -> Verdict:
    """Return the mean log-likelihood and the best labels."""
    return Verdict(float(logsumexp(joint, axis=1).mean()), joint.argmax(axis=1))


@dataclass(frozen=True)
class Set:
    """Where problems come from.

    Parameters
    ----------
    make : function of a seed, returning a Problem
    drawn : bool
        Whether every seed draws other data.
    """

    make: Callable[[int], Problem]
    kind: type[Problem]
    drawn: bool = True

    def draw(self, seed: int) -> int:
        """Return which of its data a seed stands for."""
        return seed if self.drawn else 0


def points(X: Any, labels: Any) -> Points:
    """Scale the columns so that the ridge is the same in each."""
    family = Gaussian()
    observed: Any = family.observe(X)
    prepared = family.prepare(observed, int(labels.max()) + 1)
    added = np.asarray(prepared.added_variance)
    return Points((X * np.sqrt(family.ridge / added),), labels, family)


def clustering_set(name: str) -> tuple[Any, Any]:
    """Read a set of points in the folder that BOLTZMIX_DATA names."""
    path = Path(os.environ.get("BOLTZMIX_DATA", "")) / "clustering" / f"{name.lower()}.data.gz"
    if not os.environ.get("BOLTZMIX_DATA") or not path.exists():
        raise FileNotFoundError(
            f"{name} needs BOLTZMIX_DATA to name the folder that has clustering/{path.name}."
        )
    labels = np.loadtxt(path.with_name(f"{name.lower()}.labels0.gz"), dtype=int)
    return np.loadtxt(path), labels - 1


def digits() -> tuple[Any, Any]:
    """Return the handwritten digits, in twenty principal components."""
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
    """Return a set of points that is what it is."""
    return Set(lambda seed: points(*load()), Points, drawn=False)


def simulated(n: int, k: int, d: int, separation: float, unbalance: float = 1.0) -> Set:
    """Return a set of points from random Gaussians."""

    def make(seed: int) -> Points:
        return points(
            *make_mixture(n, k, d, separation=separation, unbalance=unbalance, random_state=seed)
        )

    return Set(make, Points)


SETS: dict[str, Set] = {
    **{name: real(partial(clustering_set, name)) for name in ("S1", "S3", "A1")},
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

# small ones, to compile everything before any timing
FIRST: dict[type[Problem], Callable[[], list[Problem]]] = {
    Points: lambda: [points(*make_mixture(200, 3, d, random_state=0)) for d in (2, 5)],
    Chains: lambda: [chains(0, (5, 10))],
    Curves: lambda: [curves(0, every=10)],
}
