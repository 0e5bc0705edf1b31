"""What families of whole numbers share: their check, and tables of probabilities."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from numbers import Real
from typing import Any, cast

import numpy as np
from scipy.sparse import csr_array
from scipy.special import gammaln

from ..data import BoolArray, FloatArray, Hard, IntArray, Membership, Rows
from .base import Bank, Family
from .checked import CheckedAdditiveFamily

Tell = Callable[[int, int, str], str]


class CellFamily(CheckedAdditiveFamily):
    """A family whose observations fall into cells of a table of probabilities.

    Write ``cells(data)``, ``table`` and ``from_statistics``. Statistics are the total weights of
    the cells, an array of the table's shape.
    """

    distances = False
    smoothing: float

    @abstractmethod
    def cells(self, data: Any) -> csr_array:
        """Return how often each observation falls into each cell, shape (n, cells)."""

    @property
    @abstractmethod
    def table(self) -> FloatArray:
        """Probabilities, shape (rows, codes): each row is a distribution."""

    @property
    @abstractmethod
    def allowed(self) -> BoolArray:
        """Which cells exist, of the table's shape."""

    @cached_property
    def log_table(self) -> FloatArray:
        """Logarithms of the probabilities of all cells, shape (cells,)."""
        with np.errstate(divide="ignore"):
            return np.log(self.table.ravel())

    def log_prob(self, data: Any) -> FloatArray:
        """Return the log probability of each observation, shape (n,)."""
        return self.cells(data) @ self.log_table

    def summarise(self, data: Any, weights: FloatArray | None = None) -> Any:
        """Return the total weight of each cell, in the table's shape."""
        weights = np.ones(len(data)) if weights is None else weights
        return (self.cells(data).T @ weights).reshape(self.allowed.shape)

    def smoothed(self, counts: FloatArray) -> FloatArray:
        """Return the probabilities that counts and pseudo-counts give each row of the table."""
        allowed = self.allowed
        counts = np.where(allowed, counts + self.smoothing, 0.0)
        nothing = counts.sum(axis=1, keepdims=True) == 0
        counts = np.where(nothing, allowed, counts)
        return counts / counts.sum(axis=1, keepdims=True)

    def bank(self, components: Sequence[Family]) -> "CellBank":
        """Put components together."""
        return CellBank(components)


class CellBank(Bank):
    """K components that look up the same cells."""

    @property
    def family(self) -> CellFamily:
        """The family, through one of its members."""
        return cast(CellFamily, self.components[0])

    @cached_property
    def log_tables(self) -> FloatArray:
        """Logarithms of the probabilities of all cells, shape (cells, K)."""
        members = cast(Sequence[CellFamily], self.components)
        return np.stack([one.log_table for one in members], axis=1)

    def log_prob(self, data: Any) -> FloatArray:
        """Return the log probability of each observation under each component, shape (n, K)."""
        return self.family.cells(data) @ self.log_tables

    def summarise(self, data: Any, membership: Membership) -> list[FloatArray]:
        """Return the total weight of each cell in each component."""
        shape, cells = self.family.allowed.shape, self.family.cells(data)
        if isinstance(membership, Hard):
            weights = np.ones(len(data)) if membership.weights is None else membership.weights
            one_each = np.arange(len(data) + 1)
            members = csr_array((weights, membership.labels, one_each), (len(data), len(self)))
            counts = (cells.T @ members).toarray()
        else:
            counts = cells.T @ membership.responsibilities
        return [own.reshape(shape) for own in counts.T]


def check_whole(
    values: FloatArray,
    tell: Tell,
    wanted: str,
    limits: IntArray | None = None,
    argument: str = "",
) -> None:
    """Refuse the first value that is negative, not whole, or not below its column's limit.

    Missing values pass.

    Parameters
    ----------
    values : array, shape (n, d)
    tell : function of (row, column, value) returning what holds the value, and where
    wanted : str
        What the family takes, and what to do about it.
    limits : array of int, shape (d,), optional
    argument : str
        What the user would raise for higher limits.
    """
    bad = (values < 0) | ((values != np.floor(values)) & ~np.isnan(values))
    if limits is not None:
        bad |= values >= limits
    if not bad.any():
        return
    row, column = map(int, np.argwhere(bad)[0])
    value = float(values[row, column])
    if limits is not None and value >= limits[column] and value.is_integer():
        wanted = (
            f"the codes known go from 0 to {limits[column] - 1}: leave it out, or fit with a larger"
            f" {argument}"
        )
    raise ValueError(f"{tell(row, column, f'{value:.12g}')}, but {wanted}.")


def tell_row(data: Rows, first_row: int | None) -> Tell:
    """Return how messages tell of a value in a table."""

    def tell(row: int, column: int, value: str) -> str:
        place = "" if first_row is None else f" in row {first_row + row}"
        return f"Column {data.column_name(column)} of X holds {value}{place}"

    return tell


def check_smoothing(smoothing: Any) -> None:
    """Refuse anything but a number of zero or more."""
    if not isinstance(smoothing, Real) or not 0 <= float(smoothing) < np.inf:
        raise ValueError(f"smoothing must be zero or a positive number, not {smoothing!r}.")


def draw_codes(probabilities: FloatArray, n: int, rng: np.random.Generator) -> IntArray:
    """Draw n codes, all from the only row of `probabilities` or each from its own, shape (n,)."""
    cumulated = np.cumsum(probabilities, axis=1)
    return (rng.random((n, 1)) * cumulated[:, -1:] >= cumulated).sum(axis=1)


def log_factorials(counts: FloatArray) -> FloatArray:
    """Return log(count!) of each count, from a list where that is shorter."""
    highest = counts.max(initial=0)
    if highest >= counts.size:
        return gammaln(counts + 1)
    return gammaln(np.arange(highest + 1) + 1)[counts.astype(np.intp)]
