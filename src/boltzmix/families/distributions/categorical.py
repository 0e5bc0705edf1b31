"""The categorical distribution, with independent columns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self, cast

import numpy as np
from scipy.sparse import csr_array

from ...data import (
    DATA,
    BoolArray,
    FloatArray,
    InputError,
    IntArray,
    Rows,
    Table,
    Weights,
    counted,
    is_whole,
    shown,
)
from ..columns.cell_tables import CellBank, CellFamily, draw_codes
from ..columns.pooled_frequencies import PRIOR
from ..contract.base import Family
from ..contract.description import ColumnDescription, Description, text_of
from ..shared.copies import altered, replaced
from ..shared.validation import (
    check_whole,
    fitted,
    not_fitted,
    place_in_table,
    read_arrays,
    read_not_negative,
)

MOST_CATEGORIES = 2**20  # more raise an error, unless n_categories is given
MOST_PER_VALUE = 100  # categories for each value that is observed, if there are many
MANY = 2**13


AT_ZERO = 1e-6  # a probability that is no greater is at its bound


@dataclass(frozen=True, eq=False)
class Categorical(CellFamily):
    """Categories, as codes 0, 1, 2, …; columns are independent, and missing values are left out.

    A mixture of these is known as a latent class model.

    Parameters
    ----------
    n_categories : int or tuple of d ints, optional
        Number of categories of all columns or of each one. Taken from the data unless given: one
        more than the largest code of each column.
    prior : float, default=1.0
        Strength of the prior, which pulls the probabilities of every component towards the
        frequencies in all the data (see `boltzmix.families.columns.pooled_frequencies`): it counts
        as much as so many observations in each column, so its effect vanishes as data grow, and
        categories that a component has not seen stay possible. Zero means no prior.
    probabilities : array, shape (d, C), optional
        Probability of each category in each column; zeros follow where a column has fewer
        categories than another. Present once fitted.

    Attributes
    ----------
    frequencies : array, shape (d, C)
        Frequencies in all the data. Set by `prepare`, if there is a prior.

    Examples
    --------
    >>> rows = Table.of([[0, 2], [0, 1], [1, 0], [0, 2]])
    >>> fitted = Categorical(prior=0).fit(rows)
    >>> fitted.n_categories, fitted.probabilities
    ((2, 3), array([[0.75, 0.25, 0.  ], [0.25, 0.25, 0.5 ]]))
    """

    missing = True
    codes = True

    n_categories: int | tuple[int, ...] | None = None
    prior: float = PRIOR
    probabilities: FloatArray | None = None
    frequencies: FloatArray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        read_not_negative(self, "prior")
        given = self.n_categories
        each = given if isinstance(given, list | tuple) else (1 if given is None else given,)
        if not all(map(is_whole, each)):
            raise ValueError(
                "n_categories must be a whole number of at least 1, or a tuple of one for each"
                f" column, not {shown(given)}."
            )
        read_arrays(self, "probabilities", axes=(2,), least=0)
        if self.probabilities is not None:
            self._match_categories(given, *np.shape(self.probabilities))

    def _match_categories(
        self, given: int | Sequence[int] | None, n_columns: int, widest: int
    ) -> None:
        """Store the categories of each column; raise if probabilities are of others."""
        sizes = given if isinstance(given, list | tuple) else (given or widest,) * n_columns
        if len(sizes) != n_columns or max(sizes) != widest:
            raise ValueError(
                f"probabilities have {counted(n_columns, 'row')} of {widest}, which"
                f" n_categories={shown(given)} does not match: one row is needed for each column,"
                " as long as the most categories."
            )
        beyond = np.arange(widest) >= np.array(sizes)[:, None]
        if np.asarray(self.probabilities)[beyond].any():
            raise ValueError(
                f"probabilities of categories that n_categories={shown(given)} does not have must"
                " be"
                " zero."
            )
        object.__setattr__(self, "n_categories", tuple(sizes))

    def __repr__(self) -> str:
        known: dict[str, object] = {"probabilities": self.probabilities}
        if self.probabilities is None:
            known = {"n_categories": self.n_categories}
        return text_of("Categorical", [], known, suppress=True, threshold=24)

    @property
    def table(self) -> FloatArray:
        """Probabilities, shape (d, C)."""
        (probabilities,) = fitted(self, "probabilities")
        return np.asarray(probabilities)

    @property
    def allowed(self) -> BoolArray:
        """Which categories each column has, shape (d, C)."""
        if not isinstance(self.n_categories, Sequence):
            raise not_fitted(self)
        sizes = np.array(self.n_categories)
        return np.arange(sizes.max()) < sizes[:, None]

    @property
    def n_parameters(self) -> int:
        return int(self.allowed.sum()) - len(self.table)

    @property
    def _free(self) -> BoolArray:
        """Which probabilities are parameters: not the largest of a column, nor those at zero."""
        free = self.table > AT_ZERO
        free[np.arange(len(free)), self.table.argmax(axis=1)] = False
        return free

    @property
    def parameter_vector(self) -> FloatArray:
        """Log odds of the free probabilities against the largest of their column, shape (p,)."""
        with np.errstate(divide="ignore"):
            odds = np.log(self.table / self.table.max(axis=1, keepdims=True))
        return np.asarray(odds[self._free])

    def with_parameter_vector(self, values: FloatArray) -> Self:
        odds = self.table / self.table.max(axis=1, keepdims=True)
        odds[self._free] = np.exp(values)
        return replaced(self, probabilities=odds / odds.sum(axis=1, keepdims=True))

    def describe(self) -> Description:
        """Return the probabilities of the categories of each column."""
        columns = [
            ColumnDescription(probabilities=row[exists], whole_numbers=True)
            for row, exists in zip(self.table, self.allowed, strict=True)
        ]
        return Description({"probabilities": self.table}, columns=columns)

    def prepare(self, data: Rows, n_components: int, weights: Weights = None) -> Self:
        """Check that all values are codes, count the categories, and take their frequencies."""
        known = replaced(self, n_categories=self._count_categories(data))
        if self.frequencies is not None:
            return known
        return replaced(known, frequencies=known.pooled_frequencies(data, weights))

    def _count_categories(self, data: Rows) -> tuple[int, ...]:
        """Return the number of categories of each column; check all values on the way."""

        def look(block: Table, place: slice) -> FloatArray:
            """Check a block; return the greatest codes of its columns."""
            self.check(block, place.start)
            return np.asarray(np.fmax.reduce(block.values, axis=0, initial=0.0))

        highest = data.fold(look, np.fmax)
        sizes = self._sizes(data.n_features)
        if sizes is not None:
            return tuple(sizes.tolist())
        widest = int(highest.argmax())
        most = min(max(MOST_PER_VALUE * len(data), MANY), MOST_CATEGORIES)
        if highest[widest] >= most:
            raise InputError(
                f"Column {data.column_name(widest)} of {DATA} has codes up to"
                f" {highest[widest]:.12g},"
                " too many categories to learn: number them 0, 1, 2, … without gaps."
            )
        return tuple(int(code) + 1 for code in highest)

    def check(self, data: Table, first_row: int | None = None) -> None:
        """Raise a ValueError if there are values other than known codes."""
        check_whole(
            data.values,
            place_in_table(data, first_row),
            "Categorical takes codes 0, 1, 2, …: number the categories first",
            self._sizes(data.n_features),
            "n_categories",
        )

    def cells(self, data: Table) -> csr_array:
        """Return which categories each row has, shape (n, d * C)."""
        self.check(data)
        rows, columns = self.allowed.shape
        there = ~np.isnan(data.values)
        codes = np.where(there, data.values, 0.0).astype(np.int32)
        codes = (codes + columns * np.arange(rows, dtype=np.int32))[there]
        ends = np.concatenate([[0], there.sum(axis=1).cumsum()])
        return csr_array((np.ones(codes.size), codes, ends), (len(data), rows * columns))

    def with_table(self, table: FloatArray, counts: FloatArray) -> Self:
        return altered(self, probabilities=table)

    def joins(self, other: Family) -> bool:
        """Return whether the columns of another component can be described beside these."""
        return (
            isinstance(other, Categorical)
            and type(other) is type(self)
            and self.prior == other.prior
            and all(isinstance(one.n_categories, tuple) for one in (self, other))
            and (self.frequencies is None) == (other.frequencies is None)
            and (self.probabilities is None) == (other.probabilities is None)
        )

    def joined(self, others: Sequence[Self]) -> Self:
        """Return one component for the columns of this one and of others."""
        every = (self, *others)
        sizes = tuple(size for one in every for size in cast(Sequence[int], one.n_categories))

        def together(tables: Sequence[FloatArray | None]) -> FloatArray | None:
            own = [table for table in tables if table is not None]
            if not own:
                return None
            widths = [(0, max(sizes) - table.shape[1]) for table in own]
            padded = [np.pad(table, ((0, 0), w)) for table, w in zip(own, widths, strict=True)]
            return np.concatenate(padded)

        return altered(
            self,
            n_categories=sizes,
            probabilities=together([one.probabilities for one in every]),
            frequencies=together([one.frequencies for one in every]),
        )

    def taken_from(self, joined: Self, columns: slice) -> Self:
        """Return this component with the probabilities that a joined one has in some columns."""
        if joined.probabilities is None:
            return self
        widest = self.allowed.shape[1]
        return altered(self, probabilities=joined.probabilities[columns, :widest])

    def bank(self, components: Sequence[Family]) -> "CategoricalBank":
        return CategoricalBank(components)

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        columns = [draw_codes(row[None], n, rng) for row in self.table]
        return np.stack(columns, axis=1).astype(float)

    def _sizes(self, n_columns: int) -> IntArray | None:
        """Return the number of categories of each column, if known."""
        given = self.n_categories
        if given is None:
            return None
        if isinstance(given, Sequence) and len(given) != n_columns:
            raise InputError(
                f"n_categories has {len(given)} number(s), but {DATA} has {n_columns} column(s):"
                " give"
                " one for each."
            )
        return np.broadcast_to(np.array(given), n_columns)


class CategoricalBank(CellBank):
    """K categorical components, evaluated together."""

    def fill(self, data: Table, responsibilities: FloatArray) -> FloatArray:
        """Return rows (n, d) whose missing values are replaced by the most probable category."""
        members = cast(Sequence[Categorical], self.components)
        tables = np.stack([one.table for one in members])
        filled = np.array(data.values, dtype=float)
        for column in range(data.n_features):
            probable = (responsibilities @ tables[:, column]).argmax(axis=1)
            gone = np.isnan(filled[:, column])
            filled[gone, column] = probable[gone]
        return filled
