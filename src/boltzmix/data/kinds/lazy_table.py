"""A table that is read piece by piece, because it may not fit into memory."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, ClassVar

import numpy as np

from ..blocks import block_slices
from ..data_set import FloatArray, Indices, derived
from .table import Rows, Table

PIECE = 2**17  # rows read at a time by default
KEPT = 4  # pieces held in memory at a time


@dataclass(frozen=True, eq=False)
class LazyTable(Rows):
    """Rows that a function reads when they are needed, such as from a file.

    Parameters
    ----------
    read : function of (start, stop) returning an array or a frame, shape (stop - start, d)
    shape : tuple of two ints
        Number of rows and columns.
    feature_names : tuple of str, optional
    missing : bool, default=False
        Whether values may be missing (NaN).
    piece : int, default=131072
        Number of rows that are read at a time. The last four pieces are kept in memory.

    Examples
    --------
    >>> squares = LazyTable(lambda start, stop: np.arange(start, stop)[:, None] ** 2, (10, 1))
    >>> squares.take(slice(2, 5)).values.ravel()
    array([ 4.,  9., 16.])
    """

    in_memory: ClassVar[bool] = False

    read: Callable[[int, int], Any]
    shape: tuple[int, int]
    feature_names: tuple[str, ...] | None = None
    missing: bool = False
    piece: int = PIECE
    _pieces: dict[int, FloatArray] = field(default_factory=dict, repr=False, init=False)
    _lock: Lock = field(default_factory=Lock, repr=False, init=False)

    @derived
    def n_features(self) -> int:
        """Number of columns."""
        return self.shape[1]

    def __len__(self) -> int:
        return self.shape[0]

    def take(self, indices: Indices) -> Table:
        if isinstance(indices, slice):
            start, stop, _ = indices.indices(len(self))
            parts = [
                self._read_piece(number)[max(start - first, 0) : stop - first]
                for number, first in self._pieces_of(start, stop)
            ]
            values = parts[0] if len(parts) == 1 else np.concatenate(parts)
            return Table(values, self.feature_names, None if self.missing else False)
        chosen: Any = np.flatnonzero(indices) if indices.dtype == bool else indices
        values = np.empty((len(chosen), self.n_features))
        for rows in block_slices(len(self), self.piece):
            inside = (chosen >= rows.start) & (chosen < rows.stop)
            if inside.any():
                piece = self._read_piece(rows.start // self.piece)
                values[inside] = piece[chosen[inside] - rows.start]
        return Table(values, self.feature_names, None if self.missing else False)

    def as_vectors(self) -> FloatArray:
        """Read all rows, shape (n, d), with column means in place of missing values."""
        return self.take(slice(0, len(self))).as_vectors()

    def validated(self, missing: bool) -> "LazyTable":
        """Return this table; reading a missing value raises unless `missing` is set."""
        return self if missing == self.missing else replace(self, missing=missing)

    def _pieces_of(self, start: int, stop: int) -> list[tuple[int, int]]:
        """Return the numbers of the pieces that hold rows from start to stop, and their firsts."""
        numbers = range(start // self.piece, -(-stop // self.piece))
        return [(number, number * self.piece) for number in numbers]

    def _read_piece(self, number: int) -> FloatArray:
        """Return a piece, from memory if it was among the last ones read."""
        with self._lock:
            if number not in self._pieces:
                start = number * self.piece
                found = self.read(start, min(start + self.piece, len(self)))
                table = Table.of(found, start, self.missing)
                while len(self._pieces) >= KEPT:
                    del self._pieces[next(iter(self._pieces))]
                self._pieces[number] = table.values
            return self._pieces[number]
