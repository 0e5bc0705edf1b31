"""Measure how time, memory and traffic grow with the number of rows, and compare with Spark."""

import json
import os
import subprocess
import sys
from argparse import Namespace
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .fits import Plan, Report, Row, Saved, Task, new_session, open_tasks
from .scale_methods import METHODS
from .scale_pages import write_page
from .scale_rows import LazyRows

ROOT = Path(__file__).parents[1]
SIZES = {f"1e{power}": 10**power for power in range(5, 9)}
PACKAGES = ("dask", "distributed", "pyarrow", "pyspark", "dask-ml")


@dataclass(frozen=True)
class Size:
    """A number of rows; each seed makes other rows."""

    n: int
    drawn: bool = True

    def make(self, seed: int) -> LazyRows:
        """Return the rows of a seed."""
        return LazyRows(self.n, seed)


def scale(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Run and save what the options ask for, then write the page of all saved results."""
    sizes = {name: Size(n) for name, n in SIZES.items()}
    chosen = Namespace(**vars(options) | {"sets": options.sizes})
    plan, saved = Plan.of(chosen, sizes, METHODS), Saved.load(folder / "scale.json")
    plan.drop_absent(report)
    session = new_session(plan.threads)
    session["versions"] |= versions()
    for task in open_tasks(plan, saved, session, report):
        row = task.row | {"n": task.problem.n, "workers": METHODS[task.method].workers}
        row |= measure(task)
        saved.add(row)
        report(_line(row))
    return [saved.path, *write_page(saved.fits, saved.sessions, folder)]


def versions() -> dict[str, str]:
    """Return the versions of the packages that only this benchmark uses."""
    found = {}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def measure(task: Task) -> Row:
    """Run a method in a process of its own; return its result, or the error message."""
    arguments = [task.method, str(task.problem.n), str(task.seed)]
    threads = str(METHODS[task.method].workers)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.scale_fit", *arguments], cwd=ROOT,
        capture_output=True, text=True, check=False, env=os.environ | {"OMP_NUM_THREADS": threads},
    )  # fmt: skip
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"The process ended with {done.returncode}."]
        return {"error": lines[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def _line(row: Row) -> str:
    what = f"{row['set']} rows, seed {row['seed']}, {row['method']}: "
    if "error" in row:
        return what + row["error"]
    memory = row["memory"]["worker"] / 1e6
    return what + f"{row['seconds']:.3f} s per iteration, {memory:.0f} MB, {row['total']:.0f} s"
