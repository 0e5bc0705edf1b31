"""Time mixtures of Gaussian processes on curves with more and more points."""

import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from boltzmix import BEEM, Mixture
from boltzmix.families import GaussianProcess
from boltzmix.metrics import purity_score
from experiments.baselines import OMGP

from .contenders import time_of
from .memory import peak_during

SIZES, K = (250, 500, 1000, 2000, 10_000, 100_000), 3
MOST_OF_OMGP = 2000  # it has matrices of all points, and takes a time cubic in their number
UPDATES = 5
OMGP_UPDATES = 10  # only the last one learns hyper-parameters
NOISE = 0.1
Report = Callable[[str], None]


def draw(n: int) -> tuple[Any, Any, Any]:
    """Draw n points on three curves that cross, and their labels."""
    rng = np.random.default_rng(0)
    x, labels = np.sort(rng.uniform(0, 10, n)), rng.integers(K, size=n)
    heights = np.column_stack([np.sin(x), np.cos(0.8 * x) + 0.5, 0.3 * x - 1.5])
    return x[:, None], heights[np.arange(n), labels] + NOISE * rng.normal(size=n), labels


def update(n: int, frozen: bool) -> float:
    """Return the seconds of a BEEM update, with hyper-parameters frozen or learned."""
    X, y, _ = draw(n)

    def seconds(updates: int) -> float:
        recipe = BEEM(frozen=frozen, small="reseed", patience=UPDATES)
        model = Mixture(GaussianProcess(), K, algorithm=recipe, max_iter=updates, random_state=0)
        return time_of(lambda: _fit(model, X, y))

    return (seconds(UPDATES) - seconds(1)) / (UPDATES - 1)


def peer_update(n: int) -> float:
    """Return the mean seconds of ten OMGP updates, of which one learns hyper-parameters."""
    X, y, _ = draw(n)
    model = OMGP(K, max_iter=OMGP_UPDATES, interval=OMGP_UPDATES, random_state=0)
    return time_of(lambda: _fit(model, X, y)) / OMGP_UPDATES


def whole_fit(n: int) -> dict[str, float]:
    """Return seconds, peak memory in bytes and purity of a fit by "auto", in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_whole_fit, n).result()


def _whole_fit(n: int) -> dict[str, float]:
    _fit(Mixture(GaussianProcess(), K, random_state=0), *draw(SIZES[0])[:2])  # load the kernels
    X, y, labels = draw(n)
    model = Mixture(GaussianProcess(), K, random_state=0)
    memory, seconds = peak_during(lambda: _fit(model, X, y))
    return {"seconds": seconds, "bytes": memory, "purity": purity_score(labels, model.labels_)}


def _fit(model: Any, X: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of updates is fixed
        return model.fit(X, y)


def curves(report: Report) -> list[dict[str, Any]]:
    """Time updates and whole fits at every size."""
    update(SIZES[0], frozen=True)  # compile the kernels before timing
    found = []
    for n in SIZES:
        report(f"curves, {n} points")
        found.append(
            {
                "n": n,
                "k": K,
                "frozen": update(n, frozen=True),
                "learning": update(n, frozen=False),
                "OMGP": peer_update(n) if n <= MOST_OF_OMGP else None,
                "auto": whole_fit(n),
            }
        )
    return found
