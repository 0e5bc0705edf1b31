"""A process whose fits are interrupted: it says when one begins, and how it ended."""

import hashlib
import json
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from boltzmix import Mixture
from boltzmix.datasets import load_chick_weights, make_data_association, make_mixture
from boltzmix.families import HMM, GaussianProcess, GrowthCurve, LinearRegression

PATIENCE = 10.0  # seconds that an interrupt may take to come after the end of a fit
ENOUGH = 4.0  # seconds until a thread that was left running counts as a failure


class Case(NamedTuple):
    """A mixture, and the data that it is fitted to."""

    model: Mixture
    X: Any
    y: Any = None

    def fit(self) -> str:
        """Fit the mixture; return a checksum of the result."""
        model = self.model.fit(self.X) if self.y is None else self.model.fit(self.X, self.y)
        found = hashlib.sha256()
        for numbers in (model.weights_, model.history_.score, np.asarray(model.labels_)):
            found.update(np.ascontiguousarray(numbers).tobytes())
        return found.hexdigest()


def points() -> Case:
    """Return points, by the default algorithm."""
    return Case(Mixture(n_components=3, random_state=0), make_mixture(150, 3, 2, random_state=0)[0])


def points_in_threads() -> Case:
    """Return points in several blocks, on which two threads work."""
    X = make_mixture(40_000, 4, 6, random_state=0)[0]
    return Case(Mixture(n_components=4, algorithm="beem", max_iter=20, n_jobs=2, random_state=0), X)


def mixed_tables() -> Case:
    """Return a table with columns of several kinds, and missing values."""
    rng = np.random.default_rng(0)
    group = rng.integers(2, size=120)
    columns = {
        "size": np.where(rng.random(120) < 0.1, np.nan, rng.normal(4.0 * group)),
        "colour": np.array(["red", "green", "blue"])[group + (rng.random(120) < 0.2)],
        "alive": rng.random(120) < 0.2 + 0.6 * group,
        "visits": rng.poisson(2 + 3 * group),
    }
    return Case(Mixture("auto", 2, random_state=0), pd.DataFrame(columns))


def sequences() -> Case:
    """Return sequences of different lengths, by hidden Markov models."""
    rng = np.random.default_rng(0)
    walks = [rng.normal(size=(n, 2)).cumsum(axis=0) for n in rng.integers(5, 25, size=24)]
    return Case(Mixture(HMM(2), 2, random_state=0), walks)


def curves() -> Case:
    """Return points of two curves, by Gaussian processes."""
    X, y, _ = make_data_association("crossing", random_state=0)
    return Case(Mixture(GaussianProcess(), 2, algorithm="em", random_state=0), X[::8], y[::8])


def trajectories() -> Case:
    """Return trajectories, by growth curves."""
    return Case(Mixture(GrowthCurve(), 2, random_state=0, max_iter=20), load_chick_weights()[0])


def regressions() -> Case:
    """Return points on two lines."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, size=(100, 1))
    y = np.where(rng.random(100) < 0.5, 3 * x[:, 0], -2 * x[:, 0]) + rng.normal(0, 0.1, 100)
    return Case(Mixture(LinearRegression(), 2, random_state=0), x, y)


KINDS: dict[str, Callable[[], Case]] = {
    one.__name__.replace("_", " "): one
    for one in (
        points,
        points_in_threads,
        mixed_tables,
        sequences,
        curves,
        trajectories,
        regressions,
    )
}


def interrupted(fit: Callable[[], Any]) -> str:
    """Return how a fit ended, to which an interrupt is sent."""
    ended = "interrupted"
    try:
        say(began=True)
        ended = _end_of(fit)
        time.sleep(PATIENCE)
    except KeyboardInterrupt:
        return ended
    return f"no KeyboardInterrupt; {ended}"


def _end_of(fit: Callable[[], Any]) -> str:
    try:
        fit()
    except Exception:
        return traceback.format_exc()
    return "after the fit"


def remaining_threads() -> list[str]:
    """Return the names of threads that go on beside this one."""
    until = time.monotonic() + ENOUGH
    while threading.active_count() > 1 and time.monotonic() < until:
        time.sleep(0.01)
    return [one.name for one in threading.enumerate() if one is not threading.current_thread()]


def say(**found: Any) -> None:
    """Print a line for the process that sends interrupts."""
    print(json.dumps(found), flush=True)


def main(kind: str) -> None:
    """Fit once for each line of standard input: disturbed, or not."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it in the background
    case = KINDS[kind]()
    warnings.simplefilter("ignore")
    for line in iter(sys.stdin.readline, ""):
        ended = interrupted(case.fit) if line.strip() == "interrupt" else ""
        threads, began = remaining_threads(), time.perf_counter()
        try:
            again = case.fit()
        except Exception:
            again = traceback.format_exc()
        say(ended=ended, threads=threads, again=again, seconds=time.perf_counter() - began)


if __name__ == "__main__":
    main(sys.argv[1])
