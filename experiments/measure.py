"""Run every method of a table over many seeds, and save what came out."""

import json
import os
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed

from boltzmix.metrics import (
    adjusted_rand_score,
    homogeneity_score,
    normalized_mutual_info_score,
    purity_score,
)

from .table import METRICS, Figure, Method, PaperTable

PACKAGES = ("boltzmix", "numpy", "scipy", "scikit-learn")


@dataclass(frozen=True)
class Results:
    """What was measured: for every method and metric one value per seed."""

    table: str
    seeds: list[int]
    values: dict[str, dict[str, list[float]]]
    seconds: float
    versions: dict[str, str]
    machine: dict[str, Any]

    def figure(self, method: Method, metric: str) -> Figure | None:
        """Return the mean and standard deviation over the seeds."""
        values = self.values[method.label].get(metric)
        return None if values is None else Figure(float(np.mean(values)), float(np.std(values)))

    def best(self, method: Method, metric: str, of: int) -> Figure | None:
        """Return the value of the likeliest of the first `of` seeds."""
        values = self.values[method.label]
        if metric not in values:
            return None
        likeliest = int(np.argmax(values["log-likelihood"][:of]))
        return Figure(values[metric][likeliest], 0.0)

    def save(self, path: Path) -> None:
        """Write as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote."""
        return cls(**json.loads(path.read_text()))


def measure(
    table: PaperTable, repeats: int, tell: Callable[[int, int], None] = lambda done, of: None
) -> Results:
    """Run every method of a table once per seed, on all cores.

    Seed i draws the data and starts the methods of repeat i. Tables with long runs have fewer
    repeats than asked for.
    """
    started = perf_counter()
    repeats = min(repeats, table.repeats or repeats)
    table.make_data(0)  # missing data are told before any work
    jobs = [(method, seed) for method in range(len(table.methods)) for seed in range(repeats)]
    outcomes = Parallel(n_jobs=os.cpu_count(), return_as="generator")(
        delayed(_run_one)(table.name, method, seed) for method, seed in jobs
    )
    values: dict[str, dict[str, list[float]]] = {method.label: {} for method in table.methods}
    for done, ((method, _), outcome) in enumerate(zip(jobs, outcomes, strict=True), 1):
        for metric, value in outcome.items():
            values[table.methods[method].label].setdefault(metric, []).append(value)
        tell(done, len(jobs))
    return Results(
        table=table.name,
        seeds=list(range(repeats)),
        values=values,
        seconds=round(perf_counter() - started, 1),
        versions={name: version(name) for name in PACKAGES},
        machine={
            "python": platform.python_version(),
            "system": platform.system(),
            "architecture": platform.machine(),
            "cores": os.cpu_count(),
        },
    )


def _run_one(table_name: str, method: int, seed: int) -> dict[str, float]:
    from . import TABLES

    table = TABLES[table_name]
    X, labels = table.make_data(seed)
    found = table.methods[method].run(X, seed)
    scores = (purity_score, homogeneity_score, normalized_mutual_info_score, adjusted_rand_score)
    outcome = {
        metric: float(score(labels, found.labels))
        for metric, score in zip(METRICS, scores, strict=False)
    }
    if found.em_steps is not None:
        outcome["EM steps"] = float(found.em_steps)
    if found.log_likelihood is not None:
        outcome["log-likelihood"] = found.log_likelihood
    return outcome
