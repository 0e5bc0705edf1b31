"""Short measurements that are kept over time, and their comparison.

`python -m benchmarks history` takes about two minutes, and appends a line to
`results/history.jsonl`: version, commit, date, machine, and the figures below. `python -m
benchmarks compare-history` prints the last lines side by side. Times are ratios to scikit-learn in
the same run, so that lines of different machines can be compared; less is better for all figures
but those whose name begins with "ARI".
"""

import json
import os
import platform
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from sklearn import mixture as scikit_learn
from sklearn.datasets import load_wine
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

import boltzmix
from boltzmix import Mixture
from boltzmix.datasets import make_rainbow

from .contenders import boltzmix_beem, boltzmix_em, draw, scikit_learn_em, time_of

FILE = "history.jsonl"
ROUNDS = 5
SIZES = ((100_000, 2, 8), (20_000, 16, 16))
SHOWN = 6  # runs that are compared
CHANGED = 0.2  # relative difference from the run before that is marked
Report = Callable[[str], None]

FIRST_FIT = """
import time
import numpy as np
from boltzmix import Mixture
X = np.random.default_rng(0).normal(size=(300, 3))
started = time.process_time()
Mixture(n_components=2, random_state=0).fit(X)
print(time.process_time() - started)
"""


def history(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Measure all figures once, and append them to the file."""
    path = folder / FILE
    found = {
        name: figure for part in (iterations, fits, first_fit) for name, figure in part(report)
    }
    line = {**about(), "figures": {name: round(figure, 3) for name, figure in found.items()}}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    report(compare(path))
    return [path]


def compare_history(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Print the runs that are saved."""
    report(compare(folder / FILE))
    return []


def about() -> dict[str, str]:
    """Return what a line says of its run."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        capture_output=True, text=True, cwd=Path(__file__).parent, check=False,
    )  # fmt: skip
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "version": boltzmix.__version__,
        "commit": commit.stdout.strip() or "unknown",
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {cpu()}",
    }


def cpu() -> str:
    """Return the name of the processor, where Linux says it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else platform.processor()


def iterations(report: Report) -> list[tuple[str, float]]:
    """Time iterations of EM and BEEM as parts of those of scikit-learn's EM."""
    found = []
    for n, d, k in SIZES:
        X = draw(n, d, k)
        report(f"iterations, {n} x {d}")
        for name, ours in (("EM", boltzmix_em), ("BEEM", boltzmix_beem)):
            ours(X, k, "full")  # compiles
            ratios = [ours(X, k, "full") / scikit_learn_em(X, k, "full") for _ in range(ROUNDS)]
            found.append((f"{name} iteration, {n} x {d}", median(ratios)))
    return found


def fits(report: Report) -> list[tuple[str, float]]:
    """Time whole fits by default, and compare their clusters with the known ones."""
    wine = load_wine()
    sets = {
        "Wine": (StandardScaler().fit_transform(wine.data), wine.target),
        "Rainbow": make_rainbow(random_state=0),
    }
    found = []
    for name, (X, y) in sets.items():
        report(f"fits, {name}")
        k = len(set(y))
        ours = Mixture(n_components=k, random_state=0)
        theirs = scikit_learn.GaussianMixture(k, n_init=10, random_state=0)
        ours.fit(X)
        ratios = [
            time_of(partial(ours.fit, X)) / time_of(partial(theirs.fit, X)) for _ in range(ROUNDS)
        ]
        found.append((f"Default fit, {name}, to ten runs", median(ratios)))
        found.append((f"ARI, {name}", float(adjusted_rand_score(y, ours.labels_))))
    return found


def first_fit(report: Report) -> list[tuple[str, float]]:
    """Time the first fit, with its compilation, in seconds of the processor."""
    report("first fit")
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", FIRST_FIT],
            env={**os.environ, "NUMBA_CACHE_DIR": folder},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    return [("First fit, seconds", float(done.stdout))]


def compare(path: Path) -> str:
    """Return a table of the last runs; an asterisk marks a change by a fifth or more."""
    if not path.exists():
        raise SystemExit("There is no history yet: run `python -m benchmarks history` first.")
    runs = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][-SHOWN:]
    names = list(dict.fromkeys(name for run in runs for name in run["figures"]))
    width = max(map(len, names))
    lines = [f"{run['date']}  {run['version']}  {run['commit']}  {run['machine']}" for run in runs]
    lines += ["", " " * width + "".join(f"{run['date'][:10]:>12}" for run in runs)]
    for name in names:
        figures = [run["figures"].get(name) for run in runs]
        shown = [_cell(before, now) for before, now in zip([None, *figures], figures, strict=False)]
        lines.append(f"{name:<{width}}" + "".join(f"{cell:>12}" for cell in shown))
    return "\n".join([*lines, "", "* differs by 20 % or more from the run before"])


def _cell(before: float | None, now: float | None) -> str:
    """Return a figure, with an asterisk if it differs much from the one before."""
    if now is None:
        return "–"
    changed = before is not None and abs(now - before) > CHANGED * abs(before)
    return f"{now:.3g}{'*' if changed else ' '}"
