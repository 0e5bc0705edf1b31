"""The rows of the benchmark `scale`: made when they are read, or read from Parquet files.

A row is a function of the seed and its number alone, so that any chunks hold the same rows.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit, uint64
from scipy.special import ndtri

D, K = 8, 16
CHUNK = 2**17  # rows per chunk of a Dask array, and per Parquet file
SPREAD = 3.0  # deviation of the means of clusters, in units of the deviation within a cluster
CELLS = 2**12  # of equal probability, between which quantiles of the Gaussian are interpolated


@dataclass(frozen=True)
class Rows:
    """Rows of D columns of which slices can be taken, as Dask needs them.

    Parameters
    ----------
    n : int
        Number of rows.
    """

    n: int
    ndim = 2
    dtype = np.dtype(float)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
        return self.n, D


@dataclass(frozen=True)
class LazyRows(Rows):
    """Rows of K Gaussian clusters in D columns that are made when they are sliced.

    Parameters
    ----------
    n, seed : int
    """

    seed: int

    def __getitem__(self, place: Any) -> Any:
        rows, columns = _places(place)
        first, last, _ = rows.indices(self.n)
        return make_rows(self.seed, first, last)[:, columns]


@dataclass(frozen=True)
class ParquetRows(Rows):
    """Rows that are read from Parquet files of `CHUNK` rows each when they are sliced.

    Parameters
    ----------
    n : int
    folder : str
    """

    folder: str

    def __getitem__(self, place: Any) -> Any:
        rows, columns = _places(place)
        first, last, _ = rows.indices(self.n)
        parts = [
            self._read(number)[max(first - number * CHUNK, 0) : last - number * CHUNK, columns]
            for number in range(first // CHUNK, -(-last // CHUNK))
        ]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _read(self, number: int) -> Any:
        from pyarrow import parquet

        found = parquet.read_table(_file(self.folder, number), use_threads=False)
        return np.column_stack([column.to_numpy() for column in found.columns])


def write_parquet(rows: LazyRows, folder: Path) -> ParquetRows:
    """Write rows to a folder of Parquet files, and return them as they are read from there."""
    import pyarrow
    from pyarrow import parquet

    for number, first in enumerate(range(0, rows.n, CHUNK)):
        values = rows[first : min(first + CHUNK, rows.n)]
        columns = {f"x{j}": np.ascontiguousarray(values[:, j]) for j in range(D)}
        parquet.write_table(pyarrow.table(columns), _file(folder, number))
    return ParquetRows(rows.n, str(folder))


def make_rows(seed: int, first: int, last: int) -> Any:
    """Return the rows from number `first` to before `last`, shape (last - first, D)."""
    values = np.empty((last - first, D))
    _fill(values, np.uint64(seed), np.uint64(first), *_clusters(seed), _quantiles())
    return values


@cache
def _clusters(seed: int) -> tuple[Any, Any]:
    """Return means (K, D), and factors (K, D, 2) of the noise in a column and in the next."""
    rng = np.random.default_rng(seed)
    means = rng.normal(scale=SPREAD, size=(K, D))
    factors = np.stack([rng.uniform(0.5, 1.5, (K, D)), rng.normal(scale=0.4, size=(K, D))], -1)
    return means, factors


@cache
def _quantiles() -> Any:
    """Return quantiles of the standard Gaussian at evenly spaced probabilities."""
    edges = np.arange(CELLS + 1) / CELLS
    edges[[0, -1]] = 0.25 / CELLS, 1 - 0.25 / CELLS
    return ndtri(edges)


@njit(cache=True)
def _hash(counter):  # type: ignore[no-untyped-def]
    """Return 64 pseudo-random bits for a counter (the finaliser of SplitMix64)."""
    bits = counter * uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> uint64(27))) * uint64(0x94D049BB133111EB)
    return bits ^ (bits >> uint64(31))


@njit(cache=True, nogil=True)
def _fill(values, seed, first, means, factors, quantiles):  # type: ignore[no-untyped-def]
    """Fill an array (n, D) with rows, each from a cluster that is drawn with equal probability.

    The counters of a row are its number times 1 + D / 2, and those after it: one number chooses
    the cluster, and each further one makes two Gaussian values.
    """
    n, d = values.shape
    words = uint64(1 + d // 2)
    start = _hash(seed + uint64(1))
    noise = np.empty(d + 1)
    for i in range(n):
        counter = start + (first + uint64(i)) * words
        k = _hash(counter) >> uint64(60)
        for j in range(0, d, 2):
            bits = _hash(counter + uint64(1 + j // 2))
            for half in range(2):
                word = (bits >> uint64(32 * half)) & uint64(0xFFFFFFFF)
                cell, rest = word >> uint64(20), np.int64(word & uint64(0xFFFFF)) * 2.0**-20
                low, high = quantiles[cell], quantiles[cell + uint64(1)]
                noise[j + half] = low + rest * (high - low)
        noise[d] = noise[0]
        for j in range(d):
            own, shared = factors[k, j]
            values[i, j] = means[k, j] + own * noise[j] + shared * noise[j + 1]


def _places(place: Any) -> tuple[slice, Any]:
    """Return the slices of rows and of columns."""
    return place if isinstance(place, tuple) else (place, slice(None))


def _file(folder: Path | str, number: int) -> str:
    return str(Path(folder) / f"part-{number:05d}.parquet")
