"""The models that are saved, and then damaged, and data that they predict."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from boltzmix import GaussianMixture, Mixture
from boltzmix.families import (
    HMM,
    Automatic,
    Categorical,
    Gaussian,
    GrowthCurve,
    LinearRegression,
    MarkovChain,
    PoissonRegression,
    StudentT,
)

ROWS = 40


@dataclass(frozen=True)
class Saved:
    """A model to save.

    Parameters
    ----------
    model : function
        Returns the estimator.
    data : function
        Returns the data that it is fitted to.
    """

    model: Callable[[], Any]
    data: Callable[[], Any]


@cache
def frame() -> pd.DataFrame:
    """Return a table of numbers, counts and categories."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "a": rng.normal(size=ROWS),
            "b": rng.normal(size=ROWS),
            "sex": ["f", "m"] * (ROWS // 2),
            "y": rng.normal(size=ROWS),
            "visits": rng.poisson(2.0, ROWS),
        }
    )


def points() -> Any:
    """Return points in two columns."""
    return frame()[["a", "b"]].to_numpy()


@cache
def walks() -> Any:
    """Return sequences of points."""
    rng = np.random.default_rng(0)
    return [rng.normal(size=(6, 2)) for _ in range(12)]


@cache
def words() -> Any:
    """Return sequences of codes."""
    rng = np.random.default_rng(0)
    return [rng.integers(0, 3, (6, 1)) for _ in range(12)]


@cache
def growths() -> Any:
    """Return trajectories."""
    rng = np.random.default_rng(0)
    return [(np.arange(5.0), rng.normal(np.arange(5.0), 1)) for _ in range(12)]


def codes() -> Any:
    """Return two columns of codes."""
    return np.random.default_rng(0).integers(0, 3, (ROWS, 2)).astype(float)


def _mixture(family: Any, **settings: Any) -> Callable[[], Any]:
    return lambda: Mixture(family, 2, random_state=0, max_iter=2, **settings)


def _table() -> Any:
    return frame()[["a", "b", "sex", "visits"]]


SAVED: Mapping[str, Saved] = {
    "points": Saved(_mixture(Gaussian(), noise=True), points),
    "heavy tails": Saved(_mixture(StudentT()), points),
    "generator": Saved(
        lambda: GaussianMixture(2, max_iter=2, random_state=np.random.RandomState(0)), points
    ),
    "codes": Saved(_mixture(Categorical()), codes),
    "table": Saved(_mixture(Automatic()), _table),
    "walks": Saved(_mixture(HMM(2)), walks),
    "words": Saved(_mixture(MarkovChain()), words),
    "growths": Saved(_mixture(GrowthCurve()), growths),
    "lines": Saved(_mixture(LinearRegression(formula="y ~ a*sex + log(visits + 1)")), frame),
    "counts": Saved(_mixture(PoissonRegression(formula="visits ~ a + sex")), frame),
    "covariates": Saved(_mixture(Gaussian(), membership="b:sex + I(b^2)"), lambda: frame()[
        ["a", "b", "sex", "y"]
    ]),
}  # fmt: skip


def saved(name: str, folder: Path) -> bytes:
    """Return the file of a fitted model."""
    chosen = SAVED[name]
    path = folder / f"{name}.bmix"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen.model().fit(chosen.data()).save(path)
    return path.read_bytes()
