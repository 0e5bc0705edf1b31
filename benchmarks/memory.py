"""Fit a memory-mapped table, and print the peak of allocated memory and the seconds.

Usage: python -m benchmarks.memory boltzmix|scikit-learn ROWS FOLDER
"""

import sys
from pathlib import Path
from threading import Event, Thread
from time import perf_counter
from typing import Any

import numpy as np
from sklearn import mixture as scikit_learn

import boltzmix
from boltzmix import BEEM, Mixture

from .contenders import draw, no_convergence_warnings, start

D, K, ITERATIONS = 8, 16, 10
PIECE = 500_000


def write_rows(rows: int, path: Path) -> Any:
    """Write rows to a file piece by piece, and return them memory-mapped."""
    mapped = np.memmap(path, dtype=float, mode="w+", shape=(rows, D))
    piece = draw(PIECE, D, K)
    rng = np.random.default_rng(0)
    for place in range(0, rows, PIECE):
        mapped[place : place + PIECE] = piece[: rows - place] + rng.normal(size=D) * 1e-3
    mapped.flush()
    return np.memmap(path, dtype=float, mode="r", shape=(rows, D))


def private_bytes() -> int:
    """Return the private memory of this process, without mapped files."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("/proc/self/status does not have RssAnon: the memory benchmark needs Linux.")


def peak_during(work: Any) -> tuple[int, float]:
    """Return the largest growth of private memory during a call, and its seconds."""
    peak, done = [0], Event()
    before = private_bytes()

    def watch() -> None:
        while not done.wait(0.01):
            peak[0] = max(peak[0], private_bytes() - before)

    watcher = Thread(target=watch)
    watcher.start()
    started = perf_counter()
    work()
    seconds = perf_counter() - started
    done.set()
    watcher.join()
    return peak[0], seconds


def main() -> None:
    """Measure the library and the number of rows given on the command line."""
    name, rows, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    X = write_rows(rows, folder / "rows")
    sample = np.array(X[:10_000])
    with no_convergence_warnings():
        if name == "scikit-learn":
            model: Any = scikit_learn.GaussianMixture(
                K, max_iter=ITERATIONS, tol=0.0, **start(sample, K, "full")
            )
        else:
            recipe = BEEM(patience=10**6, small="reseed")
            Mixture(n_components=K, algorithm=recipe, max_iter=2).fit(sample)
            model = boltzmix.Mixture(
                n_components=K, algorithm=recipe, max_iter=ITERATIONS, random_state=0
            )
        print(*peak_during(lambda: model.fit(X)))


if __name__ == "__main__":
    main()
