"""An EM iteration of the default family, compared with one of `Gaussian`, on one thread."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.metrics import pairwise_distances_argmin

from boltzmix import Mixture
from boltzmix.datasets import make_mixture
from boltzmix.families import Family, Gaussian, RobustGaussian
from boltzmix.learning import EM

from .contenders import no_convergence_warnings, time_of

SIZES = ((1_000_000, 2, 8), (100_000, 16, 32))
FAMILIES: dict[str, Callable[[], Family]] = {
    "Gaussian": Gaussian,
    "RobustGaussian": RobustGaussian,
}
ITERATIONS, ROUNDS = 5, 5
Report = Callable[[str], None]


def starts(X: Any, clusters: Any, k: int) -> dict[str, Any]:
    """Return first labels: where all components overlap, and where EM has nearly converged."""
    chosen = np.random.default_rng(0).choice(len(X), k, replace=False)
    return {"nearest of K rows": pairwise_distances_argmin(X, X[chosen]), "clusters": clusters}


def seconds_per_iteration(family: Family, X: Any, k: int, labels: Any) -> float:
    """Return the seconds of an EM iteration: a long fit minus a short fit, per iteration."""
    seconds = []
    for max_iter in (1, 1 + ITERATIONS):
        model = Mixture(
            family, k, algorithm=EM(tolerance=0.0), init=labels, max_iter=max_iter, n_jobs=1
        )
        with no_convergence_warnings():
            seconds.append(time_of(partial(model.fit, X)))
    return (seconds[1] - seconds[0]) / ITERATIONS


def robust(report: Report) -> list[dict[str, Any]]:
    """Time both families in turn, at every size and start; keep the best of several rounds."""
    found = []
    for n, d, k in SIZES:
        X, clusters = make_mixture(n, k, d, random_state=0)
        order = np.random.default_rng(0).permutation(n)
        X, clusters = X[order], clusters[order]
        for start, labels in starts(X, clusters, k).items():
            report(f"iteration of the default family, {n} x {d}, from {start}")
            found.append({"n": n, "d": d, "k": k, "start": start, **best_of(X, k, labels)})
    return found


def best_of(X: Any, k: int, labels: Any) -> dict[str, float]:
    """Return the seconds of the best round of each family."""
    for make in FAMILIES.values():  # compile the kernels before timing
        seconds_per_iteration(make(), X[:5_000], k, labels[:5_000])
    rounds = [
        {name: seconds_per_iteration(make(), X, k, labels) for name, make in FAMILIES.items()}
        for _ in range(ROUNDS)
    ]
    return {name: min(one[name] for one in rounds) for name in FAMILIES}
