"""Dask collections as data: arrays, frames, bags of sequences, and folders of Parquet files."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from dask.delayed import Delayed, delayed

from ..data import Columns, Data, Regression, Rows, Sequences, Table, read_path, shortened, shown
from ..data.kinds.sequence_data import SIDE_BY_SIDE
from .client import computed
from .remote_data import DaskColumns, DaskData, DaskRegression, DaskSequences, Form, rows_of
from .super_blocks import SuperBlocks

MOST_FILES = 50_000  # in a folder of Parquet files, and the folders in it


def read_collection(X: object, y: object, family: Any) -> DaskData:
    """Return the observations of a Dask collection, or of a folder of Parquet files.

    Parameters
    ----------
    X : Dask array, frame or bag; or the path of a folder of Parquet files
    y : Dask array or series, for families that have targets
    family : Family
        It must be additive.
    """
    family.check_remote()
    kind = family.observes
    if issubclass(kind, Sequences):
        return _sequences(X)
    if not issubclass(kind, Regression | Columns | Rows):
        raise ValueError(f"X is a Dask collection, from which {family.name} cannot be read.")
    parts = _parts_of_parquet(X) if isinstance(X, str | Path) else _parts_of(X)
    if issubclass(kind, Regression):
        return _regression(parts, y)
    if issubclass(kind, Columns):
        return _columns(parts, family)
    return _rows(parts, family.missing)


def sequences(frame: Any, sequence: str, order: str | None = None) -> DaskSequences:
    """Read the sequences of a Dask frame with one row per step.

    The rows of a sequence must be in one partition.

    Parameters
    ----------
    frame : Dask frame
        Its other columns are the features.
    sequence : str
        The column that names the sequence of each row.
    order : str, optional
        The column by which the steps of a sequence are sorted; the order of the rows if absent.
    """
    named = [name for name in (sequence, order) if name is not None]
    for name in named:
        if name not in frame.columns:
            raise ValueError(
                f"The frame has no column {name!r}: its columns are"
                f" {', '.join(map(str, frame.columns))}."
            )
    features = [name for name in frame.columns if name not in named]

    def read(partition: Any) -> Sequences:
        steps = None if order is None else partition[order]
        return Sequences.from_rows(partition[features], partition[sequence], steps)

    partitions = frame.to_delayed()
    _check_whole(partitions, sequence)
    return _sequences_of(partitions, read)


class _Parts(NamedTuple):
    """The partitions of an array or frame.

    Parameters
    ----------
    values : list of Delayed
    lengths : list of int
        Their numbers of rows.
    width : int
        The number of columns.
    names : tuple of str, optional
        The names of the columns.
    dtype : type
        Single precision only if all columns have it.
    """

    values: list[Delayed]
    lengths: list[int]
    width: int
    names: tuple[str, ...] | None
    dtype: type


def _parts_of_parquet(path: str | Path) -> _Parts:
    folder = read_path("X", path)
    if not folder.exists():
        raise ValueError(f"X is the path {shown(str(path))}, where there is no folder or file.")
    _check_small(folder)
    from dask import dataframe

    try:
        return _parts_of(dataframe.read_parquet(folder))
    except Exception as error:  # of any kind, as files are damaged, or have different columns
        reason = shortened(str(error).rstrip("."), 120)
        raise ValueError(
            f"X is the path {shown(str(path))}, from which no Parquet files can be read ({reason}):"
            " pass that of a Parquet file, or of a folder of such with the same columns, or read"
            " the files first."
        ) from error


def _check_small(folder: Path) -> None:
    """Raise if a folder has so many files that Dask would look for Parquet files for minutes."""
    n = 0
    for _, folders, files in os.walk(folder):
        n += len(folders) + len(files)
        if n > MOST_FILES:
            raise ValueError(
                f"X is the path {shown(str(folder))}, which has more than {MOST_FILES:,} files and"
                " folders in it: pass the folder that has the Parquet files and nothing else."
            )


def _rows(parts: _Parts, missing: bool) -> DaskData:
    firsts = np.cumsum([0, *parts.lengths])
    tables = [
        delayed(_read_table)(one, int(first), missing, parts.dtype)
        for one, first in zip(parts.values, firsts, strict=False)
    ]
    return rows_of(tables, parts.lengths, parts.width, parts.names)


def _columns(parts: _Parts, family: Any) -> DaskData:
    lengths = parts.lengths
    filled = [one for one, n in zip(parts.values, lengths, strict=True) if n]
    found = computed([delayed(family.categories_in)(one) for one in filled])[0]
    family = family.with_categories(found)
    read = [delayed(family.observe)(one) for one in parts.values]
    first: Columns = computed(read[lengths.index(max(lengths))])[0]
    size = Data.block_sizes.super_block(sum(lengths), first.width)
    return DaskColumns(
        SuperBlocks.cut(read, lengths, size),
        Form(first.width, first.n_features, first.feature_names),
        groups=first.groups,
        categories=first.categories,
    )


def _regression(inputs: _Parts, y: Any) -> DaskData:
    if y is None or not hasattr(y, "__dask_graph__"):
        raise ValueError(
            "y must be a Dask array or series with one target for each row of X, as X is a Dask"
            " collection."
        )
    targets = _parts_of(y)
    if sum(inputs.lengths) != sum(targets.lengths):
        raise ValueError(
            f"y must have one target for each of the {sum(inputs.lengths)} rows of X, but has"
            f" {sum(targets.lengths)}."
        )
    width = inputs.width + targets.width
    if inputs.lengths != targets.lengths:
        raise ValueError(
            "X and y must have the same chunks of rows: y.rechunk({0: X.chunks[0]}) gives them."
        )
    pairs = zip(inputs.values, targets.values, strict=True)
    read = [delayed(Regression.of)(*pair) for pair in pairs]
    size = Data.block_sizes.super_block(sum(inputs.lengths), width)
    source = SuperBlocks.cut(read, inputs.lengths, size)
    return DaskRegression(source, Form(width, inputs.width, inputs.names))


def _sequences(X: Any) -> DaskData:
    if isinstance(X, DaskSequences):
        return X
    if isinstance(X, str | Path) or hasattr(X, "columns") or hasattr(X, "chunks"):
        raise ValueError(
            "X is a path, or a Dask array or frame, which does not say where sequences begin: pass"
            " boltzmix.distributed.sequences(frame, 'column'), or a Dask bag of arrays of shape"
            " (steps, features)."
        )
    return _sequences_of(X.to_delayed(), lambda partition: Sequences.of(list(partition)))


def _sequences_of(partitions: Sequence[Delayed], read: Callable[[Any], Sequences]) -> DaskSequences:
    """Return the sequences that a function reads from partitions, which may be empty."""
    parts = [delayed(_read_sequences)(read, one) for one in partitions]
    sizes = computed([delayed(_size)(one) for one in parts])[0]
    filled = [size for size in sizes if size[0]]
    if not filled:
        raise ValueError("X is empty: there is nothing to learn from.")
    lengths, n_steps = [size[0] for size in sizes], sum(size[1] for size in sizes)
    _, _, n_features, names = filled[0]
    if any(size[2] != n_features for size in filled):
        raise ValueError("X has sequences of different numbers of features: they must agree.")
    mean_size = max(n_steps / sum(lengths), 1.0)
    width = int(mean_size * n_features)
    size = Data.block_sizes.super_block(sum(lengths), width, SIDE_BY_SIDE)
    source = SuperBlocks.cut(parts, lengths, size)
    return DaskSequences(source, Form(width, n_features, names, mean_size))


def _parts_of(X: Any) -> _Parts:
    """Return the partitions of an array or frame; those of unknown lengths are computed once."""
    if not hasattr(X, "ndim") or X.ndim > 2:
        raise ValueError(
            "X must be a Dask array of shape (n, d), a Dask frame, or a path of Parquet files."
        )
    width = X.shape[1] if X.ndim == 2 else 1
    if hasattr(X, "chunks"):
        X = X.rechunk({1: -1}) if X.ndim == 2 else X
        lengths = list(X.chunks[0])
        partitions = [
            one if np.isnan(n) else delayed(_of_length)(one, n)
            for one, n in zip(X.to_delayed().ravel(), lengths, strict=True)
        ]
    else:
        lengths, partitions = [np.nan], [*X.to_delayed()]
    if np.isnan(lengths).any():
        lengths = list(computed([delayed(len)(one) for one in partitions])[0])
    if not sum(lengths):
        raise ValueError("X is empty: there is nothing to learn from.")
    return _Parts(partitions, [int(n) for n in lengths], int(width), _names(X), _dtype(X))


def _of_length(rows: Any, n: int) -> object:
    """Return a chunk that has the declared number of rows."""
    if len(rows) != n:
        raise ValueError(
            f"X or y has a chunk of {len(rows)} rows that is declared to have {n}: make it with the"
            " true sizes of its chunks, or call its compute_chunk_sizes()."
        )
    return rows


def _names(X: object) -> tuple[str, ...] | None:
    names = list(getattr(X, "columns", ()))
    return tuple(names) if names and all(isinstance(name, str) for name in names) else None


def _dtype(X: Any) -> type:
    """Return the type of all values: single precision only if all columns have it."""
    dtypes = X.dtypes if hasattr(X, "dtypes") else [X.dtype]
    return np.float32 if all(dtype == np.float32 for dtype in dtypes) else np.float64


def _read_table(rows: Any, first: int, missing: bool, dtype: type) -> Table:
    table = Table.of(rows, first, missing)
    return replace(table, values=table.values.astype(dtype, copy=False))


def _read_sequences(read: Callable[[Any], Sequences], partition: Any) -> Sequences | None:
    found = list(partition) if not hasattr(partition, "columns") else partition
    return read(found) if len(found) else None


def _size(part: Sequences | None) -> tuple[int, int, int, tuple[str, ...] | None]:
    """Return the numbers of sequences, steps and features of a partition, and the names."""
    if part is None:
        return 0, 0, 0, None
    return len(part), len(part.values), part.n_features, part.feature_names


def _check_whole(partitions: Sequence[Delayed], sequence: str) -> None:
    """Raise if a sequence goes on from one partition to the next."""
    ends = computed([delayed(_ends)(one, sequence) for one in partitions])[0]
    filled = [pair for pair in ends if pair]
    for before, after in pairwise(filled):
        if before[1] == after[0]:
            raise ValueError(
                f"Sequence {after[0]} is in two partitions of the frame: make the partitions of"
                f" whole sequences, for example by frame.set_index({sequence!r})."
            )


def _ends(partition: Any, sequence: str) -> tuple[object, object] | None:
    names = partition[sequence]
    return (names.iloc[0], names.iloc[-1]) if len(names) else None
