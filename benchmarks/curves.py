"""Curves: how the cost of a mixture of Gaussian processes grows with the number of points."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from boltzmix import BEEM, Mixture
from boltzmix.baselines import OMGP
from boltzmix.families import GaussianProcess
from boltzmix.metrics import purity_score

from .contenders import time_of
from .memory import peak_during

SIZES, K = (250, 500, 1000, 2000), 3
UPDATES = 5
OMGP_UPDATES = 10  # of which the last one learns hyper-parameters
NOISE = 0.1
Tell = Callable[[str], None]


def draw(n: int) -> tuple[Any, Any, Any]:
    """Draw points on three waves that cross."""
    rng = np.random.default_rng(0)
    x, labels = np.sort(rng.uniform(0, 10, n)), rng.integers(K, size=n)
    waves = np.column_stack([np.sin(x), np.cos(0.8 * x) + 0.5, 0.3 * x - 1.5])
    return x[:, None], waves[np.arange(n), labels] + NOISE * rng.normal(size=n), labels


def update(n: int, frozen: bool) -> float:
    """Return the seconds of an update of BEEM; frozen ones learn no hyper-parameters."""
    X, y, _ = draw(n)

    def seconds(updates: int) -> float:
        recipe = BEEM(frozen=frozen, small="reseed", patience=UPDATES)
        model = Mixture(GaussianProcess(), K, algorithm=recipe, max_iter=updates, random_state=0)
        return time_of(lambda: _fit(model, X, y))

    return (seconds(UPDATES) - seconds(1)) / (UPDATES - 1)


def peer_update(n: int) -> float:
    """Return the seconds of an update of OMGP, learning hyper-parameters every tenth time."""
    X, y, _ = draw(n)
    model = OMGP(K, max_iter=OMGP_UPDATES, interval=OMGP_UPDATES, random_state=0)
    return time_of(lambda: _fit(model, X, y)) / OMGP_UPDATES


def whole_fit(n: int) -> dict[str, float]:
    """Return seconds, peak memory in bytes and purity of a fit by "auto"."""
    X, y, labels = draw(n)
    model = Mixture(GaussianProcess(), K, random_state=0)
    memory, seconds = peak_during(lambda: _fit(model, X, y))
    return {"seconds": seconds, "bytes": memory, "purity": purity_score(labels, model.labels_)}


def _fit(model: Any, X: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # so many updates, and no more
        return model.fit(X, y)


def curves(tell: Tell) -> list[dict[str, Any]]:
    """Time updates and whole fits at every size."""
    update(SIZES[0], frozen=True)  # compiles
    found = []
    for n in SIZES:
        tell(f"curves, {n} points")
        found.append(
            {
                "n": n,
                "k": K,
                "frozen": update(n, frozen=True),
                "learning": update(n, frozen=False),
                "OMGP": peer_update(n),
                "auto": whole_fit(n),
            }
        )
    return found
