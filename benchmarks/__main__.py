"""Print how an iteration compares with scikit-learn's, on several sizes."""

import warnings
from time import perf_counter
from typing import Any

from sklearn import mixture as peer
from sklearn.exceptions import ConvergenceWarning

from boltzmix import BEEM, GaussianMixture
from boltzmix.datasets import make_mixture

SIZES = (
    (1_000_000, 2, 8),
    (200_000, 8, 16),
    (100_000, 16, 32),
    (100_000, 50, 10),
    (50_000, 100, 20),
)
ITERATIONS = 10


def seconds_per_iteration(model: Any, X: Any) -> float:
    """Time a fit of a fixed number of iterations, the start not counted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        times = []
        for iterations in (1, 1 + ITERATIONS):
            model.set_params(max_iter=iterations)
            started = perf_counter()
            model.fit(X)
            times.append(perf_counter() - started)
    return (times[1] - times[0]) / ITERATIONS


def main() -> None:
    """Time EM and BEEM iterations, and print them as ratios to scikit-learn's EM."""
    print(f"{'N':>8} {'D':>4} {'K':>4}  {'scikit-learn':>12}  {'EM':>6}  {'BEEM':>6}")
    for n, d, k in SIZES:
        X, _ = make_mixture(n, k, d, random_state=0)
        start: dict[str, Any] = {"init_params": "random_from_data", "random_state": 0, "tol": 0.0}
        theirs = seconds_per_iteration(peer.GaussianMixture(k, **start), X)
        em = seconds_per_iteration(GaussianMixture(k, **start), X)
        recipe = BEEM(patience=10_000)
        beem = seconds_per_iteration(GaussianMixture(k, algorithm=recipe, **start), X)
        print(
            f"{n:8} {d:4} {k:4}  {theirs * 1e3:9.1f} ms  {theirs / em:5.1f}x  {theirs / beem:5.1f}x"
        )


if __name__ == "__main__":
    main()
