"""Time Gaussian mixtures of Spark MLlib on the rows of the benchmark `scale`."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from .scale_measures import peak_memory
from .scale_rows import D, K, ParquetRows

ITERATIONS = 4  # the difference of two fits
HEAP = "12g"  # largest heap of the Java process; it takes what it may before it collects garbage


def fit_spark(rows: ParquetRows, seed: int, workers: int) -> dict[str, Any]:
    """Time an iteration: a long fit minus a short one, after a fit that warms up the JVM.

    Spark reads the files once, and keeps the rows in memory. Its workers are threads of one
    process, so that nothing is sent over the network.
    """
    with _session(workers) as spark:
        frame = _vectors(spark.read.parquet(rows.folder))
        _fit(frame.limit(20_000), seed, 5)
        short, _ = _fit(frame, seed, 1)
        long, model = _fit(frame, seed, 1 + ITERATIONS)
        return {
            "seconds": (long - short) / ITERATIONS,
            "start": short - (long - short) / ITERATIONS,
            "score": model.summary.logLikelihood / rows.n,
            "memory": {"worker": peak_memory(_java_process())},
        }


def _fit(frame: Any, seed: int, iterations: int) -> tuple[float, Any]:
    """Return the seconds of a fit, and its model."""
    from pyspark.ml.clustering import GaussianMixture

    mixture = GaussianMixture(k=K, tol=0.0, maxIter=iterations, seed=seed)
    started = perf_counter()
    model = mixture.fit(frame)
    return perf_counter() - started, model


def _vectors(frame: Any) -> Any:
    from pyspark.ml.feature import VectorAssembler

    columns = [f"x{j}" for j in range(D)]
    return VectorAssembler(inputCols=columns, outputCol="features").transform(frame)


@contextmanager
def _session(workers: int) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master(f"local[{workers}]")
        .config("spark.driver.memory", HEAP)
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    try:
        yield spark
    finally:
        spark.stop()


def _java_process() -> int:
    """Return the number of the Java process that pyspark started."""
    import psutil

    children = psutil.Process().children(recursive=True)
    return next(child.pid for child in children if child.name() == "java")
