"""Run every method of a table over many seeds, and save the results."""

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
    """The results of a table: one value per seed, for every method and metric.

    `bands` holds, for methods that record them, means and standard deviations over the seeds of
    the purity after every update, and of the ROC curve at the rates of `ROC_GRID`.
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
        """Return the value of the seed with the highest likelihood among the first `of` seeds."""
        values = self.values[method.label]
        if metric not in values:
            return None
        best = int(np.argmax(values["log-likelihood"][:of]))
        return Figure(values[metric][best], 0.0)

    def save(self, path: Path) -> None:
        """Write as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read results that `save` wrote."""
        return cls(**json.loads(path.read_text()))


def measure(
    table: PaperTable, repeats: int, progress: Callable[[int, int], None] = lambda done, of: None
) -> Results:
    """Run every method of a table once per seed, on all cores.

    Parameters
    ----------
    table : PaperTable
    repeats : int
        Number of seeds; at most those of the table, if its runs are long. Seed i draws the data
        and initialises the methods of repeat i.
    progress : function of (done, of), optional
        Called after every run with the number of runs done, and of all runs.
    """
    started = perf_counter()
    repeats = min(repeats, table.repeats or repeats)
    table.make_data(0)  # raises before any work if data are missing
    labels = [method.label for method in table.methods]
    jobs = [(label, seed) for label in labels for seed in range(repeats)]
    outcomes = Parallel(n_jobs=os.cpu_count(), return_as="generator")(
        delayed(_run_one)(table.name, label, seed) for label, seed in jobs
    )
    values: dict[str, dict[str, list[float]]] = {label: {} for label in labels}
    paths: dict[str, dict[str, list[list[float]]]] = {label: {} for label in labels}
    for done, ((label, _), outcome) in enumerate(zip(jobs, outcomes, strict=True), 1):
        for metric, value in outcome.values.items():
            values[label].setdefault(metric, []).append(value)
        for name, path in outcome.paths.items():
            paths[label].setdefault(name, []).append(path)
        progress(done, len(jobs))
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
    """Return means and standard deviations over paths; the last value continues shorter ones."""
    longest = max(map(len, paths))
    padded = np.array([path + path[-1:] * (longest - len(path)) for path in paths])
    return list(map(Figure, padded.mean(axis=0).round(4), padded.std(axis=0).round(4)))


class Outcome(NamedTuple):
    """The measurements of one run: metrics, and paths over updates or rates."""

    values: dict[str, float]
    paths: dict[str, list[float]]


def _run_one(table_name: str, label: str, seed: int) -> Outcome:
    from . import TABLES

    table = TABLES[table_name]
    X, labels = table.make_data(seed)
    method = next(method for method in table.methods if method.label == label)
    found = method.run(X, seed)
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
