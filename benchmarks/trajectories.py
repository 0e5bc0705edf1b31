"""Measure how well whole trajectories are clustered: simulated subjects of three clusters.

`python -m benchmarks trajectories` measures it, and writes a page of all that is saved.
"""

import json
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from threadpoolctl import threadpool_limits

from boltzmix import EM, Mixture
from boltzmix.families import GrowthCurve

from .measure import environment
from .tables import environment_text, table
from .trajectories_sets import KINDS, N_CLUSTERS, Simulated, simulated

Report = Callable[[str], None]
MOMENTS, DEGREE, RIDGE = 20, 2, 1e-2
INTRODUCTION = (
    "Mean ARI with the true clusters, over simulated sets of 200 trajectories of three clusters"
    " that overlap. Trajectories have 5 to 15 points at times of their own, or 10 at the same times"
    ' (grid). "growth": mean curves are parabolas, with a random intercept and slope for each'
    ' trajectory; "process": mean curves and deviations are draws of Gaussian processes; "noise":'
    ' smooth mean curves, and noise only. "true parameters" assigns each trajectory to the cluster'
    " that is most probable given the parameters that it was drawn from, which nothing can beat by"
    ' more than luck. "from the truth" is EM of the same model as ours, from the true labels on:'
    " what it is below the true parameters comes from learning parameters from 200 trajectories."
    ' "boltzmix" is `Mixture(GrowthCurve(), 3)`. K-means is run on curves interpolated at 20'
    " moments, and scikit-learn's `GaussianMixture` on the coefficients of a parabola for each"
    " trajectory. Seconds are those of a fit by boltzmix on one thread."
)


def interpolated(data: Simulated, seed: int) -> Any:
    """Return labels by K-means on interpolated curves."""
    moments = np.linspace(0, 1, MOMENTS)
    rows = [np.interp(moments, times, values) for times, values in data.X]
    return KMeans(N_CLUSTERS, n_init=10, random_state=seed).fit_predict(rows)


def quadratics(data: Simulated, seed: int) -> Any:
    """Return labels by a mixture of Gaussians on the coefficients of a parabola for each."""
    rows = []
    for times, values in data.X:
        powers = np.vander(times - 0.5, DEGREE + 1)
        rows.append(
            np.linalg.solve(powers.T @ powers + RIDGE * np.eye(DEGREE + 1), powers.T @ values)
        )
    model = GaussianMixture(N_CLUSTERS, n_init=10, random_state=seed)
    return model.fit_predict(np.array(rows))


def ours(data: Simulated, seed: int) -> Any:
    """Return the labels of the default."""
    return Mixture(GrowthCurve(), N_CLUSTERS, random_state=seed, n_jobs=1).fit(data.X).labels_


def from_truth(data: Simulated, seed: int) -> Any:
    """Return labels by EM from the true clusters."""
    model = Mixture(GrowthCurve(), N_CLUSTERS, algorithm=EM(1e-5), init=data.labels, n_jobs=1)
    return model.fit(data.X).labels_


METHODS: dict[str, Callable[[Simulated, int], Any]] = {
    "true parameters": lambda data, seed: data.best,
    "from the truth": from_truth,
    "boltzmix": ours,
    "K-means, interpolated": interpolated,
    "GaussianMixture, parabolas": quadratics,
}


def trajectories(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Measure all kinds of trajectories, save the figures, and write the page."""
    path = folder / "trajectories.json"
    saved = json.loads(path.read_text()) if path.exists() else {}
    with threadpool_limits(1):
        for kind in options.sets.split(",") if options.sets else KINDS:
            for grid in (False, True):
                key = f"{kind}, grid" if grid else kind
                if options.again or saved.get(key, {}).get("seeds") != options.seeds:
                    saved[key] = measured(kind, grid, options.seeds) | environment()
                    path.write_text(json.dumps(saved, indent=1) + "\n")
                report(f"{key}: {saved[key]['ari']}")
    return [path, write_page(saved, folder)]


def measured(kind: str, grid: bool, n_seeds: int) -> dict[str, Any]:
    """Return the ARI of all methods for each seed, and the mean seconds of a fit."""
    scores: dict[str, list[float]] = {name: [] for name in METHODS}
    seconds = []
    for seed in range(n_seeds):
        data = simulated(kind, grid, seed)
        for name, cluster in METHODS.items():
            start = process_time()
            labels = cluster(data, seed)
            if cluster is ours:
                seconds.append(process_time() - start)
            scores[name].append(float(adjusted_rand_score(data.labels, labels)))
    means = {name: round(float(np.mean(values)), 3) for name, values in scores.items()}
    return {"seeds": n_seeds, "ari": means, "seconds": float(np.mean(seconds)), "scores": scores}


def write_page(saved: dict[str, Any], folder: Path) -> Path:
    """Write the page of all that is saved."""
    rows = [
        [
            key,
            str(one["seeds"]),
            *(f"{x:.3f}" for x in one["ari"].values()),
            f"{one['seconds']:.2f}",
        ]
        for key, one in saved.items()
    ]
    parts = ["# Trajectories", INTRODUCTION, table(["Set", "Seeds", *METHODS, "seconds"], rows)]
    parts.append(f"Measured on {environment_text(next(iter(saved.values())))}.")
    path = folder / "trajectories.md"
    path.write_text("\n\n".join(parts) + "\n")
    return path
