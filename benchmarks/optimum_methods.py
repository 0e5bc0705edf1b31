"""The methods that are compared, and the reference: EM from the true labels."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from sklearn.mixture import GaussianMixture
from threadpoolctl import threadpool_limits

from boltzmix import BEEM, EM, SMEM, Mixture, Moves, Swaps

from .contenders import no_convergence_warnings, time_of
from .optimum_sets import Chains, Curves, Evaluation, Points, Problem

TOLERANCE, MAX_ITERATIONS = 1e-5, 1000  # of every EM; a larger tolerance stops too early
REFERENCE_TOLERANCE, REFERENCE_ITERATIONS = 1e-7, 20_000  # of EM from the true labels


class Solution(NamedTuple):
    """The seconds of a fit, and the evaluation of its result."""

    seconds: float
    evaluation: Evaluation


Solve = Callable[[Any, int, int], Solution]  # arguments: problem, seed, number of threads
Kinds = tuple[type[Problem], ...]


@dataclass(frozen=True)
class Method:
    """A function that fits a mixture, and the kinds of problems it can fit."""

    solve: Solve
    kinds: Kinds
    package: str = "boltzmix"
    source: str = "pip install 'boltzmix[bench]'"
    random: bool = True

    @property
    def installed(self) -> bool:
        """Whether the package it needs is installed."""
        return find_spec(self.package) is not None

    def suits(self, problem: Problem) -> bool:
        """Whether it can fit this problem."""
        return isinstance(problem, self.kinds)


ALL_KINDS: Kinds = (Points, Chains, Curves)


def boltzmix(algorithm: Any, kinds: Kinds = ALL_KINDS, init: str = "random") -> Method:
    """Return the method that fits `Mixture` once, by default from a random partition.

    The algorithm may be a function of the problem.
    """

    def solve(problem: Problem, seed: int, threads: int) -> Solution:
        chosen = algorithm(problem) if callable(algorithm) else algorithm
        model = Mixture(
            problem.family, problem.k, algorithm=chosen, init=init,
            max_iter=MAX_ITERATIONS, random_state=seed, n_jobs=threads,
        )  # fmt: skip
        with no_convergence_warnings():
            seconds = time_of(partial(model.fit, *problem.data))
        return Solution(seconds, problem.evaluate(model))

    return Method(solve, kinds)


def scikit_learn(init: str, n_init: int, tolerance: float = TOLERANCE) -> Method:
    """Return the method that fits scikit-learn's GaussianMixture, with the ridge of `Gaussian`."""

    def solve(problem: Points, seed: int, threads: int) -> Solution:
        model = GaussianMixture(
            problem.k, init_params=init, n_init=n_init, tol=tolerance, max_iter=MAX_ITERATIONS,
            reg_covar=problem.ridge, random_state=seed,
        )  # fmt: skip
        with no_convergence_warnings():
            seconds = time_of(partial(model.fit, problem.rows))
        found = (model.weights_, model.means_, model.covariances_)
        return Solution(seconds, problem.evaluate_gaussians(*found))

    return Method(solve, (Points,))


def pomegranate(problem: Points, seed: int, threads: int) -> Solution:
    """Fit by pomegranate; it has no ridge, so ours is added to the covariances it found."""
    import torch
    from pomegranate.distributions import Normal
    from pomegranate.gmm import GeneralMixtureModel

    torch.set_num_threads(threads)
    rows = torch.tensor(problem.rows)
    model = GeneralMixtureModel(
        [Normal(covariance_type="full") for _ in range(problem.k)],
        max_iter=MAX_ITERATIONS, tol=TOLERANCE * len(rows), random_state=seed,
    )  # fmt: skip
    try:
        seconds = time_of(partial(model.fit, rows))
    except (IndexError, AttributeError) as error:  # a component lost all its observations
        raise RuntimeError(f"{type(error).__name__}, {error}") from error
    ridge = problem.ridge * np.eye(rows.shape[1])
    means = [one.means.numpy() for one in model.distributions]
    covariances = [one.covs.numpy() + ridge for one in model.distributions]
    return Solution(seconds, problem.evaluate_gaussians(model.priors.numpy(), means, covariances))


POLISH = EM(tolerance=TOLERANCE)
PEER = "sklearn-kmeans-10"  # other times are relative to its time

METHODS: dict[str, Method] = {
    "auto": boltzmix("auto"),
    "auto-by-distance": boltzmix("auto", (Points,), init="auto"),  # the start of a user's fit
    "beem": boltzmix("beem"),
    "beem+em": boltzmix([BEEM(), POLISH]),
    "beem+swaps": boltzmix(
        [BEEM(patience=20, small="reseed", frozen=True), Swaps(soft=True)], (Curves,)
    ),
    "sklearn-kmeans-1": scikit_learn("kmeans", 1),
    PEER: scikit_learn("kmeans", 10),
    "sklearn-kmeans-10-loose": scikit_learn("kmeans", 10, tolerance=1e-3),  # its own default
    "sklearn-kmeans++-1": scikit_learn("k-means++", 1),
    "sklearn-kmeans++-10": scikit_learn("k-means++", 10),
    "pomegranate": Method(pomegranate, (Points,), "pomegranate"),
}

EXPLORE = BEEM("auto", small="reseed")


def moves(problem: Problem) -> Moves:
    """Return the moves of "auto": sequences are always compared with the baseline."""
    return Moves(always_compare=isinstance(problem, Chains))


# "auto" without one of its parts, or with another part in its place.
ABLATIONS: dict[str, Method] = {
    name: boltzmix(algorithm, (Points, Chains))
    for name, algorithm in {
        "without-self-regulation": lambda problem: [
            BEEM(patience=20, small="reseed"), moves(problem), POLISH,
        ],
        "without-moves": [EXPLORE, POLISH],
        "without-beem-start": lambda problem: [moves(problem), POLISH],
        "without-polish": lambda problem: [EXPLORE, moves(problem)],
        "smem-for-moves": [EXPLORE, SMEM(), POLISH],
    }.items()
}  # fmt: skip


def reference(problem: Problem, threads: int) -> Evaluation:
    """Evaluate the result of our EM from the true labels."""
    model = Mixture(
        problem.family, problem.k, algorithm=EM(tolerance=REFERENCE_TOLERANCE), init=problem.labels,
        max_iter=REFERENCE_ITERATIONS, random_state=0, n_jobs=threads,
    )  # fmt: skip
    with no_convergence_warnings():
        return problem.evaluate(model.fit(*problem.data))


def peer_reference(problem: Points) -> Evaluation:
    """Evaluate the result of scikit-learn's EM from the true labels."""
    X, labels, k = problem.rows, problem.labels, problem.k
    ridge = problem.ridge * np.eye(X.shape[1])
    covariances = [np.cov(X[labels == one].T, bias=True) + ridge for one in range(k)]
    model = GaussianMixture(
        k, tol=REFERENCE_TOLERANCE, max_iter=REFERENCE_ITERATIONS, reg_covar=problem.ridge,
        init_params="random", random_state=0,
        weights_init=np.bincount(labels) / len(labels),
        means_init=[X[labels == one].mean(axis=0) for one in range(k)],
        precisions_init=np.linalg.inv(covariances),
    )  # fmt: skip
    with no_convergence_warnings(), threadpool_limits(1):  # faster for small matrices
        model.fit(X)
    return problem.evaluate_gaussians(model.weights_, model.means_, model.covariances_)
