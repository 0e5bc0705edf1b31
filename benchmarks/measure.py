"""Measure the parts of the speed benchmark, with the machine and the package versions."""

import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from .contenders import (
    CONTENDERS,
    COVARIANCES,
    SIZES,
    SOLVERS,
    boltzmix_beem,
    boltzmix_em,
    draw,
    no_convergence_warnings,
    time_of,
)
from .curves import curves
from .families import time_families
from .robust import robust
from .sequences import sequences

ROUNDS = 3
PACKAGES = (
    "boltzmix",
    "numpy",
    "scipy",
    "numba",
    "scikit-learn",
    "pomegranate",
    "torch",
    "hmmlearn",
    "tslearn",
)
Report = Callable[[str], None]


@cache
def compile_kernels() -> None:
    """Compile the kernels of mixtures of Gaussians before timing."""
    for covariance in COVARIANCES:
        for contender in (boltzmix_em, boltzmix_beem):
            contender(draw(2_000, 2, 2), 2, covariance)


def iterations(report: Report) -> list[dict[str, Any]]:
    """Time an iteration of every contender at every size; keep the best of several rounds."""
    compile_kernels()
    found = []
    for n, d, k in SIZES:
        X = draw(n, d, k)
        for covariance in COVARIANCES:
            report(f"iteration {n} x {d}, {k} {covariance} components")
            rounds = [
                {name: seconds(X, k, covariance) for name, seconds in CONTENDERS.items()}
                for _ in range(ROUNDS)
            ]
            best = {name: min(one[name] for one in rounds) for name in CONTENDERS}
            found.append(
                {
                    "n": n,
                    "d": d,
                    "k": k,
                    "covariance": covariance,
                    "seconds": best,
                    "limits": limits(X, k, covariance),
                }
            )
    return found


def limits(X: Any, k: int, covariance: str) -> dict[str, float]:
    """Time the minimal work of an E-step on this machine, with all cores.

    An E-step has to read the rows once and, for full covariances, to multiply them by a d x d
    matrix for each component.
    """
    rows = np.ascontiguousarray(X)
    found = {"read": min(time_of(rows.sum) for _ in range(3))}
    if covariance == "full":
        factor, product = np.eye(X.shape[1]), np.empty_like(rows)
        found["products"] = k * min(
            time_of(partial(np.dot, rows, factor, product)) for _ in range(3)
        )
    return found


def solutions(report: Report) -> list[dict[str, Any]]:
    """Time whole fits: each library starts from its own K-means; all have the same tolerance."""
    compile_kernels()
    found = []
    for n, d, k in SIZES:
        X = draw(n, d, k)
        for covariance in COVARIANCES:
            report(f"solution {n} x {d}, {k} {covariance} components")
            row: dict[str, Any] = {"n": n, "d": d, "k": k, "covariance": covariance}
            for name, solve in SOLVERS.items():
                with no_convergence_warnings():
                    seconds, score = solve(X, k, covariance)
                row[name] = {"seconds": seconds, "score": score}
            found.append(row)
    return found


def growth(report: Report) -> dict[str, list[dict[str, float]]]:
    """Time iterations for growing N, D or K while the other two are fixed."""
    compile_kernels()
    grids = {
        "n": [(n, 8, 16) for n in (10_000, 30_000, 100_000, 300_000, 1_000_000)],
        "d": [(50_000, d, 8) for d in (2, 4, 8, 16, 32, 64, 128)],
        "k": [(100_000, 8, k) for k in (2, 4, 8, 16, 32, 64)],
    }
    found: dict[str, list[dict[str, float]]] = {}
    for axis, grid in grids.items():
        report(f"growth in {axis}")
        found[axis] = []
        for n, d, k in grid:
            X = draw(n, d, k)
            em = min(boltzmix_em(X, k, "full") for _ in range(2))
            beem = min(boltzmix_beem(X, k, "full") for _ in range(2))
            found[axis].append({"n": n, "d": d, "k": k, "EM": em, "BEEM": beem})
    return found


FIRST_FIT = """
from time import perf_counter
import numpy as np
X = np.random.default_rng(0).normal(size=(1000, 2))
started = perf_counter()
from {package} import GaussianMixture
imported = perf_counter()
GaussianMixture(2, random_state=0).fit(X)
first = perf_counter()
times = []
for _ in range(30):
    begun = perf_counter()
    GaussianMixture(random_state=0).fit(X)
    times.append(perf_counter() - begun)
print(imported - started, first - imported, sorted(times)[15])
"""


def startup(report: Report) -> dict[str, dict[str, float]]:
    """Time the import, the first fit and later fits of 1,000 x 2 rows in new processes."""
    report("start-up")
    with tempfile.TemporaryDirectory() as empty:
        ever = _first_fit("boltzmix", NUMBA_CACHE_DIR=empty)
        again = _first_fit("boltzmix", NUMBA_CACHE_DIR=empty)
    return {
        "boltzmix, first fit ever": ever,
        "boltzmix, new process": again,
        "scikit-learn, new process": _first_fit("sklearn.mixture"),
    }


def memory(report: Report) -> list[dict[str, Any]]:
    """Measure the memory that fits allocate, each fit in a new process."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (
            ("boltzmix", 20_000_000),
            ("boltzmix", 1_000_000),
            ("scikit-learn", 1_000_000),
        ):
            report(f"memory of {name} on {rows} x 8 rows")
            command = [sys.executable, "-m", "benchmarks.memory", name, str(rows), folder]
            printed = _run(command)
            extra, seconds = map(float, printed.split())
            found.append(
                {"name": name, "n": rows, "d": 8, "k": 16, "bytes": extra, "seconds": seconds}
            )
    return found


PARTS: dict[str, Callable[[Report], Any]] = {
    "iterations": iterations,
    "robust": robust,
    "solutions": solutions,
    "growth": growth,
    "startup": startup,
    "memory": memory,
    "sequences": sequences,
    "curves": curves,
    "families": time_families,
}


def measure(name: str, report: Report = print) -> dict[str, Any]:
    """Run one part; return its results with the machine and the versions."""
    where = environment()
    return {"found": PARTS[name](report)} | where


def environment() -> dict[str, Any]:
    """Return the machine, its load average, and the versions of packages."""
    return {
        "versions": dict(_versions()),
        "machine": {
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "system": platform.system(),
            "architecture": platform.machine(),
        },
        "load": os.getloadavg()[0],
    }


def _versions() -> Iterator[tuple[str, str]]:
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            yield name, version(name)


def _first_fit(package: str, **environment: str) -> dict[str, float]:
    printed = _run([sys.executable, "-c", FIRST_FIT.format(package=package)], **environment)
    return dict(
        zip(("import", "first fit", "later fits"), map(float, printed.split()), strict=True)
    )


def _run(command: list[str], **environment: str) -> str:
    root = Path(__file__).parents[1]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=root,
        env=os.environ | environment,
    ).stdout  # fmt: skip
