"""The data sets with known classes: real tables, and simulated mixtures of Gaussians.

The columns of every set are standardised, and constant columns are left out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from .optimum_sets import CLUSTERING, SETS, WARM_UP_PROBLEMS, Points, clustering_file, data_path

LABELLED, SIMULATED = "labelled", "simulated"  # the two groups of sets
SCIKIT_LEARN = ("iris", "wine", "breast-cancer", "digits")  # read by scikit-learn
MANY_COLUMNS = (20, 50, 100, 200, 500)
FOLDER = "labelled"  # of the tables in BOLTZMIX_DATA


@dataclass(frozen=True)
class Labelled:
    """Rows to cluster, and their classes.

    Parameters
    ----------
    rows : array, shape (n, d)
    labels : array of int, shape (n,)
    """

    rows: Any
    labels: Any

    @property
    def k(self) -> int:
        """Number of classes."""
        return len(np.unique(self.labels))


@dataclass(frozen=True)
class LabelledSet:
    """A data set: either one table, or a distribution to draw from.

    Parameters
    ----------
    make : function
        Returns the data of a seed.
    group : str
        LABELLED or SIMULATED.
    drawn : bool
        Whether each seed draws new data.
    """

    make: Callable[[int], Labelled]
    group: str
    drawn: bool = False


def standardised(X: Any, labels: Any) -> Labelled:
    """Return the data with columns of mean 0 and deviation 1, without constant columns."""
    X = np.asarray(X, dtype=float)
    X = X[:, np.ptp(X, axis=0) > 0]
    return Labelled((X - X.mean(axis=0)) / X.std(axis=0), np.unique(labels, return_inverse=True)[1])


def read_table(path: Path, seed: int = 0) -> Labelled:
    """Read the arrays X and y of a file; they are the same for every seed."""
    with np.load(path) as found:
        return standardised(found["X"], found["y"])


def of_optimum(name: str, seed: int) -> Labelled:
    """Return the data of a set of the benchmark `optimum`."""
    problem = SETS[name].make(seed)
    return standardised(problem.data[0], problem.labels)


def far_apart(n_columns: int, seed: int) -> Labelled:
    """Draw five clusters whose centres lie six deviations apart in every column."""
    rng = np.random.default_rng(seed)
    centres = 6.0 * np.stack([rng.permutation(5) for _ in range(n_columns)], axis=1)
    labels = rng.integers(5, size=2000)
    return standardised(centres[labels] + rng.normal(size=(2000, n_columns)), labels)


def find_sets() -> tuple[dict[str, LabelledSet], list[str]]:
    """Return the sets whose data are there, and the names of those that are absent."""
    folder = data_path(FOLDER)
    files = sorted(folder.glob("*.npz")) if folder else []
    sets = {
        path.stem.replace("_", "-"): LabelledSet(partial(read_table, path), LABELLED)
        for path in files
    }
    sets |= {name: LabelledSet(partial(of_optimum, name), LABELLED) for name in SCIKIT_LEARN}
    absent = [] if files else [f"{FOLDER}/*.npz"]
    absent += [name for name in CLUSTERING if data_path(clustering_file(name)) is None]
    for name in simulated_names():
        if name not in absent:
            sets[name] = LabelledSet(partial(of_optimum, name), SIMULATED, SETS[name].drawn)
    for d in MANY_COLUMNS:
        sets[f"K5-D{d}-far"] = LabelledSet(partial(far_apart, d), SIMULATED, drawn=True)
    return sets, absent


def simulated_names() -> list[str]:
    """Return the names of the sets that were drawn from Gaussians."""
    points = [name for name, one in SETS.items() if one.kind is Points]
    return [name for name in points if name not in SCIKIT_LEARN]


def warm_up_data() -> list[Labelled]:
    """Return small sets that compile all kernels before any fit is timed."""
    small = WARM_UP_PROBLEMS[Points]()
    return [standardised(problem.data[0], problem.labels) for problem in small]
