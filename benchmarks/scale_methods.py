"""The methods of the benchmark `scale`, each of which times its iterations on some rows."""

import shutil
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from boltzmix import EM, LazyTable, Mixture
from boltzmix.families import Gaussian

from .contenders import no_convergence_warnings, per_iteration, time_of
from .scale_cluster import cluster, count_tasks, peaks, time_empty_tasks
from .scale_measures import Clock, peak_memory
from .scale_rows import CHUNK, D, K, LazyRows, ParquetRows, make_rows, write_parquet
from .scale_spark import fit_spark

Found = dict[str, Any]
ITERATIONS = 10
WARM_UP = 2_000  # rows of a fit that loads the compiled functions before anything is timed
READ = 2**20  # rows that are read, at most, to time the reading
COMMANDS = {"java": "Debian's default-jre-headless"}


def fit_local(rows: Any, seed: int, workers: int) -> Found:
    """Time iterations of a mixture that reads the rows piece by piece, in threads."""
    table = LazyTable(lambda first, last: rows[first:last], rows.shape)
    found = _fit(table, seed, workers, Clock())
    return found | {"memory": {"worker": peak_memory()}}


def fit_dask(rows: Any, seed: int, workers: int) -> Found:
    """Time iterations of a mixture on a Dask cluster of workers with one thread each."""
    import dask.array

    with cluster(workers) as client:
        clock = Clock(lambda: count_tasks(client))
        found = _fit(dask.array.from_array(rows, chunks=(CHUNK, D)), seed, 1, clock)
        found |= clock.per_iteration | {"memory": peaks(client)}
        return found | {"empty task": time_empty_tasks(client)}


def _fit(data: Any, seed: int, threads: int, clock: Clock) -> Found:
    model = Mixture(
        Gaussian(prior=0, resolution=None), n_components=K, algorithm=EM(tolerance=0.0),
        init="points", max_iter=ITERATIONS, random_state=seed, n_jobs=threads,
    )  # fmt: skip
    with no_convergence_warnings():
        model.fit(make_rows(seed, 0, WARM_UP))
        started = perf_counter()
        model.set_params(verbose=clock).fit(data)
    return {
        "seconds": clock.per_iteration["seconds"],
        "start": clock.times[0] - started,
        "end": perf_counter() - clock.times[-1],
        "score": float(model.lower_bound_),
    }


def fit_scikit_learn(rows: Any, seed: int, workers: int) -> Found:
    """Time an iteration of scikit-learn, with all rows in memory."""
    from sklearn.mixture import GaussianMixture

    seconds = per_iteration(GaussianMixture, rows[:], K, "full")
    return {"seconds": seconds, "memory": {"worker": peak_memory()}}


def fit_kmeans(rows: Any, seed: int, workers: int) -> Found:
    """Time an iteration of dask-ml's K-means: a long fit minus a short one."""
    import dask.array
    from dask_ml.cluster import KMeans

    centres = make_rows(seed, 0, K)
    with cluster(workers) as client, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = dask.array.from_array(rows, chunks=(CHUNK, D))

        def seconds(iterations: int) -> float:
            model = KMeans(K, init=centres, max_iter=iterations, tol=0.0)
            return time_of(lambda: model.fit(data))

        seconds(1)
        short, long = seconds(1), seconds(1 + ITERATIONS)
        return {"seconds": (long - short) / ITERATIONS, "memory": peaks(client)}


@dataclass(frozen=True)
class Method:
    """A method, and what it can be run on.

    Parameters
    ----------
    fit : function of (rows, seed, workers)
    title : str
    workers : int
        Number of workers or threads.
    largest : int
        Number of rows of the largest set that it is run on.
    parquet : bool
        Whether it reads the rows from Parquet files; otherwise they are made when they are read.
    needs : tuple of str
        Modules and commands that must be there.
    """

    fit: Callable[[Any, int, int], Found]
    title: str
    workers: int
    largest: int
    parquet: bool = False
    needs: tuple[str, ...] = ()
    random: bool = True

    @property
    def missing(self) -> list[str]:
        """What it needs and is not there."""
        return [name for name in self.needs if not _is_there(name)]

    @property
    def installed(self) -> bool:
        """Whether everything it needs is there."""
        return not self.missing

    @property
    def source(self) -> str:
        """How to install what is missing."""
        ways = [COMMANDS.get(name, f"pip install {_package(name)}") for name in self.missing]
        return f"{' and '.join(self.missing)} is missing: {' and '.join(ways)}"

    def suits(self, rows: LazyRows) -> bool:
        """Whether it is to fit so many rows."""
        return rows.n <= self.largest

    def measure(self, rows: LazyRows, seed: int) -> Found:
        """Return seconds per iteration and per row read, peak memory and traffic."""
        if not self.parquet:
            return self._measured(rows, seed)
        with TemporaryDirectory() as folder:
            return self._measured(write_parquet(rows, Path(folder)), seed)

    def _measured(self, rows: LazyRows | ParquetRows, seed: int) -> Found:
        reading = time_reading(rows)
        return self.fit(rows, seed, self.workers) | {"reading": reading}


def time_reading(rows: LazyRows | ParquetRows) -> float:
    """Return the seconds per row that reading takes, chunk by chunk in one thread."""
    n = min(rows.n, READ)

    def read() -> None:
        for first in range(0, n, CHUNK):
            rows[first : min(first + CHUNK, n)]

    return min(time_of(read) for _ in range(3)) / n


def _is_there(name: str) -> bool:
    found = shutil.which(name) if name in COMMANDS else find_spec(name)
    return found is not None


def _package(module: str) -> str:
    return module.replace("_", "-")


DASK, SPARK = ("dask", "distributed"), ("pyspark", "psutil", "java")
METHODS = {
    "local-1": Method(fit_local, "boltzmix, 1 thread", 1, 10**8),
    "local-2": Method(fit_local, "boltzmix, 2 threads", 2, 10**8),
    "dask-1": Method(fit_dask, "boltzmix on Dask, 1 worker", 1, 10**8, needs=DASK),
    "dask-2": Method(fit_dask, "boltzmix on Dask, 2 workers", 2, 10**8, needs=DASK),
    "dask-parquet-2": Method(
        fit_dask, "boltzmix on Dask, 2 workers, Parquet", 2, 10**7, True, (*DASK, "pyarrow")
    ),
    "spark-1": Method(fit_spark, "Spark MLlib, 1 thread", 1, 10**6, True, (*SPARK, "pyarrow")),
    "spark-2": Method(fit_spark, "Spark MLlib, 2 threads", 2, 10**7, True, (*SPARK, "pyarrow")),
    "scikit-learn": Method(fit_scikit_learn, "scikit-learn, 2 threads", 2, 10**7),
    "dask-ml": Method(
        fit_kmeans, "dask-ml's K-means, 2 workers", 2, 10**7, needs=(*DASK, "dask_ml")
    ),
}
