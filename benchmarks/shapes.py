"""Fit the fourteen covariance shapes by mclust and by boltzmix, by EM from the same labels.

`python -m benchmarks.shapes` prints the log-likelihoods of both, and writes those of mclust, with
the labels to start from, to a file that the tests read. It needs R with mclust.
"""

import json
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_iris

from boltzmix import EM, Mixture
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian

from .mclust import rscript, versions

REFERENCE = Path(__file__).parents[1] / "tests" / "families" / "mclust_shapes.json"
NAMES = ("EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE",
         "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV")  # fmt: skip
SCRIPT = """
suppressMessages(library(mclust))
given <- commandArgs(TRUE)
X <- as.matrix(read.csv(given[1], header = FALSE))
K <- as.integer(given[2])
labels <- as.vector(hclass(hc(X), K))
control <- emControl(tol = c(1e-13, 1e-11), itmax = c(100000, 100000))
for (name in given[-(1:2)]) {
  found <- me(X, modelName = name, z = unmap(labels), control = control)
  cat(sprintf("%.12f", found$loglik), nMclustParams(name, ncol(X), K), "")
}
cat(labels)
"""


def data_sets() -> dict[str, tuple[Any, list[int]]]:
    """Return rows, and numbers of components, by name."""
    return {
        "iris": (load_iris().data, [2, 3]),
        "planar": (make_mixture(300, 4, 2, separation=2.5, random_state=1)[0], [4]),
        "unbalanced": (make_mixture(400, 3, 5, unbalance=4, separation=1, random_state=2)[0], [3]),
    }


def fit_by_mclust(rows: Any, k: int) -> dict[str, Any]:
    """Return log-likelihoods and numbers of parameters of all shapes, and the labels at the start.

    Labels are those of mclust's hierarchical clustering.
    """
    with tempfile.TemporaryDirectory() as folder:
        script, table = Path(folder, "fit.R"), Path(folder, "rows.csv")
        script.write_text(SCRIPT)
        np.savetxt(table, rows, delimiter=",", fmt="%.17g")
        printed = rscript([str(script), str(table), str(k), *NAMES], 1).split()
    numbers, labels = printed[: 2 * len(NAMES)], printed[2 * len(NAMES) :]
    return {
        "log_likelihoods": dict(zip(NAMES, map(float, numbers[::2]), strict=True)),
        "n_parameters": dict(zip(NAMES, map(int, numbers[1::2]), strict=True)),
        "labels": "".join(str(int(label) - 1) for label in labels),
    }


def fit_by_boltzmix(rows: Any, k: int, name: str, labels: str) -> tuple[float, float]:
    """Return the log-likelihood of one shape, and the seconds of its fit."""
    family = Gaussian(name, prior=0, ridge=0, resolution=None)
    start = np.array([int(label) for label in labels])
    model = Mixture(family, k, algorithm=EM(1e-12), init=start, max_iter=100_000)
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(rows)
    return float(model.score_samples(rows).sum()), time.perf_counter() - begin


def main() -> None:
    """Compare all sets, and write what mclust found."""
    found: dict[str, Any] = {"versions": versions(), "sets": {}}
    for name, (rows, numbers) in data_sets().items():
        for k in numbers:
            peer = fit_by_mclust(rows, k)
            found["sets"][f"{name}-{k}"] = peer
            for shape, expected in peer["log_likelihoods"].items():
                ours, seconds = fit_by_boltzmix(rows, k, shape, peer["labels"])
                difference = (ours - expected) / abs(expected)
                print(f"{name:10} K={k} {shape} mclust {expected:.5f} boltzmix {ours:.5f}"
                      f" relative {difference:+.1e} {seconds:.2f} s")  # fmt: skip
    REFERENCE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
