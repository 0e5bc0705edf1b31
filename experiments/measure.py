"""Run every method of a table over many seeds, and save what came out."""

import json
import os
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, Self

import numpy as np
from joblib import Parallel, delayed
from sklearn.metrics import roc_auc_score, roc_curve

from boltzmix.metrics import (
    adjusted_rand_score,
    homogeneity_score,
    normalized_mutual_info_score,
    purity_score,
)

from .table import METRICS, Figure, Method, PaperTable

ROC_GRID = np.linspace(0, 1, 51)  # rates of false positives
PACKAGES = ("boltzmix", "numpy", "scipy", "scikit-learn")


@dataclass(frozen=True)
class Results:
    """What was measured: for every method and metric one value per seed.

    `bands` has, where a method told more, means and deviations over the seeds of a whole path:
    purity at every update, and the ROC curve at the places of `ROC_GRID`.
    """

    table: str
    seeds: list[int]
    values: dict[str, dict[str, list[float]]]
    seconds: float
    versions: dict[str, str]
    machine: dict[str, Any]
    bands: dict[str, dict[str, list[Figure]]] = field(default_factory=dict)

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
    paths: dict[str, dict[str, list[list[float]]]] = {method.label: {} for method in table.methods}
    for done, ((method, _), outcome) in enumerate(zip(jobs, outcomes, strict=True), 1):
        label = table.methods[method].label
        for metric, value in outcome.values.items():
            values[label].setdefault(metric, []).append(value)
        for name, path in outcome.paths.items():
            paths[label].setdefault(name, []).append(path)
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
        bands={
            label: {name: _band(seeds) for name, seeds in own.items()}
            for label, own in paths.items()
            if own
        },
    )


def _band(paths: list[list[float]]) -> list[Figure]:
    """Return the mean and deviation at every place; a path that ended stays where it was."""
    longest = max(map(len, paths))
    ended = np.array([path + path[-1:] * (longest - len(path)) for path in paths])
    return list(map(Figure, ended.mean(axis=0).round(4), ended.std(axis=0).round(4)))


class Outcome(NamedTuple):
    """What is kept of one run."""

    values: dict[str, float]
    paths: dict[str, list[float]]


def _run_one(table_name: str, method: int, seed: int) -> Outcome:
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
    outcome |= found.figures
    paths = {}
    if len(found.label_history):
        paths["purity"] = [purity_score(labels, own) for own in found.label_history]
    if found.probabilities is not None:
        exchanged = np.mean(found.labels == labels) < 0.5
        probabilities = 1 - found.probabilities if exchanged else found.probabilities
        outcome["AUROC"] = float(roc_auc_score(labels, probabilities))
        false, true, _ = roc_curve(labels, probabilities)
        paths["ROC"] = np.interp(ROC_GRID, false, true).round(4).tolist()
    return Outcome(outcome, paths)
