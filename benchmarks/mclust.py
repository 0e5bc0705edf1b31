"""Fit mixtures of Gaussians by R's mclust, through Rscript and a temporary file."""

import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

LONGEST = 900  # seconds; a fit that takes longer counts as an error
VERSIONS = 'cat(paste(getRversion()), paste(packageVersion("mclust")))'
SCRIPT = """
suppressMessages(library(mclust))
given <- commandArgs(TRUE)
X <- as.matrix(read.csv(given[1], header = FALSE))
set.seed(as.integer(given[3])) # above 2,000 rows, mclust starts from a random subset
time <- system.time(found <- Mclust(X, G = eval(parse(text = given[2])), verbose = FALSE))
cat(time[["elapsed"]], found$loglik / nrow(X), found$classification)
"""


COMBINING = """
suppressMessages(library(mclust))
given <- commandArgs(TRUE)
X <- as.matrix(read.csv(given[1], header = FALSE))
set.seed(as.integer(given[3]))
time <- system.time(found <- Mclust(X, G = 1:as.integer(given[2]), verbose = FALSE))
merged <- found$classification
merging <- system.time(if (found$G > 1) {
  pdf(NULL)
  merged <- clustCombiOptim(clustCombi(found))$cluster.combi
})
cat(time[["elapsed"]], merging[["elapsed"]], found$classification, merged)
"""


class Clustering(NamedTuple):
    """The seconds of `Mclust` itself, the mean log-likelihood, and labels of shape (n,)."""

    seconds: float
    likelihood: float
    labels: Any


class Combined(NamedTuple):
    """What `Mclust` chose by BIC, and its components as merged by `clustCombi`.

    Parameters
    ----------
    seconds, merging : float
    labels, merged : array of int, shape (n,)
    """

    seconds: float
    merging: float
    labels: Any
    merged: Any


def run_mclust(rows: Any, k: int | str, seed: int, threads: int) -> Clustering:
    """Run `Mclust(X, G=k)`, which chooses the shape of the covariances by BIC.

    Of several numbers, as in "1:9", it chooses one.
    """
    printed = _run(SCRIPT, rows, [str(k), str(seed)], threads)
    if len(printed) != len(rows) + 2:
        raise RuntimeError("mclust found no model.")
    return Clustering(float(printed[0]), float(printed[1]), np.array(printed[2:], dtype=int) - 1)


def run_combined(rows: Any, most: int, seed: int, threads: int) -> Combined:
    """Run `Mclust(X, G=1:most)`, and merge its components by `clustCombiOptim`."""
    printed = _run(COMBINING, rows, [str(most), str(seed)], threads)
    if len(printed) != 2 * len(rows) + 2:
        raise RuntimeError("mclust found no model.")
    labels = np.array(printed[2:], dtype=int).reshape(2, -1) - 1
    return Combined(float(printed[0]), float(printed[1]), *labels)


def _run(script: str, rows: Any, options: list[str], threads: int) -> list[str]:
    """Return the words that an R script prints, given a file of the rows and other arguments."""
    with tempfile.TemporaryDirectory() as folder:
        path, table = Path(folder, "fit.R"), Path(folder, "rows.csv")
        path.write_text(script)
        np.savetxt(table, rows, delimiter=",", fmt="%.17g")
        return rscript([str(path), str(table), *options], threads).split()


@cache
def versions() -> dict[str, str]:
    """Return the versions of R and mclust; empty if either is absent."""
    try:
        printed = rscript(["-e", VERSIONS], 1)
    except (OSError, RuntimeError):
        return {}
    return dict(zip(("R", "mclust"), printed.split(), strict=True))


def installed() -> bool:
    """Whether Rscript and mclust are there."""
    return bool(versions())


def rscript(arguments: list[str], threads: int) -> str:
    """Run R on a script with arguments, and return what it prints."""
    limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
    try:
        done = subprocess.run(
            ["Rscript", "--vanilla", *arguments], check=True, capture_output=True, text=True,
            timeout=LONGEST, env=os.environ | limits,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"R took more than {LONGEST} s.") from error
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f"R failed: {' '.join(error.stderr.split())[-200:]}") from error
    return done.stdout
