"""The libraries that are timed: iterations from the same start, and whole fits."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from sklearn import mixture as scikit_learn
from sklearn.exceptions import ConvergenceWarning

import boltzmix
from boltzmix import BEEM
from boltzmix.datasets import make_mixture

Seconds = Callable[[Any, int, str], float]

SIZES = (
    (1_000_000, 2, 8),
    (200_000, 8, 16),
    (100_000, 16, 32),
    (100_000, 50, 10),
    (50_000, 100, 20),
)
COVARIANCES = ("full", "diag")
ITERATIONS = 4
SCORED = 20_000  # number of rows on which whole fits are scored


def draw(n: int, d: int, k: int) -> Any:
    """Draw n rows from k random Gaussians, in random order."""
    X, _ = make_mixture(n, k, d, random_state=0)
    return X[np.random.default_rng(0).permutation(n)]


def start(X: Any, k: int, covariance: str) -> dict[str, Any]:
    """Return initial parameters: random rows as means, and the variance of the data."""
    rng = np.random.default_rng(0)
    precisions = np.broadcast_to(1 / X.var(axis=0), (k, X.shape[1]))
    if covariance == "full":
        precisions = np.stack([np.diag(row) for row in precisions])
    return {
        "means_init": X[rng.choice(len(X), k, replace=False)],
        "weights_init": np.full(k, 1 / k),
        "precisions_init": precisions,
    }


def per_iteration(make: Callable[..., Any], X: Any, k: int, covariance: str) -> float:
    """Return the seconds of one iteration: a long fit minus a short fit, per iteration."""
    seconds = []
    for iterations in (1, 1 + ITERATIONS):
        model = make(
            k, covariance_type=covariance, tol=0.0, max_iter=iterations, **start(X, k, covariance)
        )
        with no_convergence_warnings():
            seconds.append(time_of(partial(model.fit, X)))
    return (seconds[1] - seconds[0]) / ITERATIONS


def scikit_learn_em(X: Any, k: int, covariance: str) -> float:
    """Time an EM iteration of scikit-learn."""
    return per_iteration(scikit_learn.GaussianMixture, X, k, covariance)


def boltzmix_em(X: Any, k: int, covariance: str) -> float:
    """Time an EM iteration of boltzmix."""
    return per_iteration(boltzmix.GaussianMixture, X, k, covariance)


def boltzmix_beem(X: Any, k: int, covariance: str) -> float:
    """Time a BEEM iteration of boltzmix."""

    def make(*arguments: Any, **options: Any) -> Any:
        recipe = BEEM(patience=10**6, small="reseed")
        return boltzmix.GaussianMixture(*arguments, algorithm=recipe, random_state=0, **options)

    return per_iteration(make, X, k, covariance)


def pomegranate_em(X: Any, k: int, covariance: str) -> float:
    """Time an EM iteration of pomegranate."""
    import torch
    from pomegranate.distributions import Normal
    from pomegranate.gmm import GeneralMixtureModel

    given = start(X, k, covariance)
    variances = torch.tensor(X.var(axis=0))
    spread = torch.diag(variances) if covariance == "full" else variances
    components = [
        Normal(torch.tensor(mean), spread, covariance_type=covariance)
        for mean in given["means_init"]
    ]
    model, rows = GeneralMixtureModel(components), torch.tensor(X)

    def iterate() -> None:
        model.summarize(rows)
        model.from_summaries()

    iterate()
    return min(time_of(iterate) for _ in range(2))


CONTENDERS: dict[str, Seconds] = {
    "scikit-learn EM": scikit_learn_em,
    "pomegranate EM": pomegranate_em,
    "boltzmix EM": boltzmix_em,
    "boltzmix BEEM": boltzmix_beem,
}


def scikit_learn_fit(X: Any, k: int, covariance: str) -> tuple[float, float]:
    """Time a whole fit of scikit-learn, and score it."""
    model = scikit_learn.GaussianMixture(k, covariance_type=covariance, random_state=0)
    return time_of(partial(model.fit, X)), float(model.score(X[:SCORED]))


def boltzmix_fit(X: Any, k: int, covariance: str) -> tuple[float, float]:
    """Time a whole fit of boltzmix, and score it."""
    model = boltzmix.GaussianMixture(k, covariance_type=covariance, random_state=0)
    return time_of(partial(model.fit, X)), float(model.score(X[:SCORED]))


def pomegranate_fit(X: Any, k: int, covariance: str) -> tuple[float, float]:
    """Time a whole fit of pomegranate, and score it."""
    import torch
    from pomegranate.distributions import Normal
    from pomegranate.gmm import GeneralMixtureModel

    components = [Normal(covariance_type=covariance) for _ in range(k)]
    model = GeneralMixtureModel(components, max_iter=100, tol=1e-3 * len(X), random_state=0)
    rows = torch.tensor(X)
    return time_of(partial(model.fit, rows)), float(model.log_probability(rows[:SCORED]).mean())


SOLVERS: dict[str, Callable[[Any, int, str], tuple[float, float]]] = {
    "scikit-learn": scikit_learn_fit,
    "pomegranate": pomegranate_fit,
    "boltzmix": boltzmix_fit,
}


@contextmanager
def no_convergence_warnings() -> Iterator[None]:
    """Ignore the warning that a fit reached its maximum number of iterations."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def time_of(work: Callable[[], Any]) -> float:
    """Return the seconds that a function takes."""
    started = perf_counter()
    work()
    return perf_counter() - started
