"""Products of families: one for each column of a table, or each group of columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from operator import is_
from typing import Any, Self, cast

import numpy as np

from ...data import Columns, FloatArray, Rng, Weights, are_numbers, decoded, derived, in_order
from ..contract.bank import Summaries, fitted_to, statistics_of
from ..contract.base import Family
from ..contract.description import ColumnChoice, ColumnDescription, Description, Part
from ..contract.search_hints import SearchHints
from ..shared.copies import altered
from ..shared.validation import not_fitted
from .choosing_families import GIVEN, choose_families
from .parts import (
    Blocks,
    IndependentColumns,
    Key,
    blocks_of,
    check_groups,
    check_parts,
    group_of,
    joined,
)
from .product_bank import ProductBank


@dataclass(frozen=True, eq=False)
class Product(Family):
    """A family for each column of a table, or each group of columns, independent of the others.

    Columns are those of a pandas or polars frame, by name, or those of an array, by number.
    Columns that no part names are left out. Text, truth values and categories are taken where the
    part is `Categorical` or `Bernoulli`: `fit` replaces the categories by codes, in their order,
    and `predict` raises for a category that `fit` has not seen. Values may be missing in the
    columns of each part that takes missing values.

    A product is weighted, additive or movable if all of its parts are.

    Parameters
    ----------
    parts : mapping of column to Family
        A key is the name or number of a column, or a tuple of several.
    as_categories : tuple of columns
        Columns of numbers whose distinct values are categories, such as ratings from 1 to 5, and
        need not be codes 0, 1, 2, …
    reasons : mapping of column to str
        Why each column has its family, or is left out. Set by `auto`.
    columns : tuple of str, optional
        Names of the columns fitted to, in their order. Set by `prepare`, as all that follows.
    n_columns : int, optional
        Number of columns fitted to.
    categories : mapping of column to tuple, optional
        The categories of the codes of a column.

    Examples
    --------
    >>> from boltzmix.families import Categorical, Poisson
    >>> X = np.array([[3, "red"], [5, "blue"], [4, "red"], [4, None]], dtype=object)
    >>> family = Product({0: Poisson(), 1: Categorical(prior=0)})
    >>> fitted = family.fit(family.observe(X))
    >>> fitted.parts[0].rate, fitted.parts[1].probabilities.round(2), fitted.categories
    (array([4.]), array([[0.33, 0.67]]), {1: ('blue', 'red')})
    """

    observes = Columns

    parts: Mapping[Key, Family]
    as_categories: tuple[str | int, ...] = ()
    reasons: Mapping[str | int, str] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None
    n_columns: int | None = None
    categories: Mapping[str | int, tuple[object, ...]] | None = None

    def __post_init__(self) -> None:
        check_parts(self.parts)
        object.__setattr__(self, "parts", dict(self.parts))
        object.__setattr__(self, "as_categories", tuple(self.as_categories))
        object.__setattr__(self, "reasons", dict(self.reasons))

    def __repr__(self) -> str:
        return f"Product({{{', '.join(f'{key!r}: {part!r}' for key, part in self.parts.items())}}})"

    @classmethod
    def auto(
        cls, X: object, parts: Mapping[Key, Family] | None = None, independent: bool = False
    ) -> Self:
        """Choose a family for every column of a frame or array, but for those in `parts`.

        The choice is by dtype and values: `choose_family` and `choose_for_numbers`, in
        `boltzmix.families.mixed`, have the rules. Several columns of numbers have one family
        together, unless they are to be `independent`: `RobustGaussian`, with logarithms of those
        that are positive and skewed. `reasons` says why each column has its family, or is left out.

        Examples
        --------
        >>> from boltzmix.families import Gamma
        >>> X = np.array([[1.5, "a", 2], [0.1, "b", 3], [0.2, "c", 1]], dtype=object)
        >>> Product.auto(X, {0: Gamma()})
        Product({0: Gamma(), 1: Categorical(), 2: Gaussian('diag')})
        """
        return cls(*choose_families(X, dict(parts or {}), independent))

    @derived
    def weighted(self) -> bool:
        """Whether all parts are."""
        return all(part.weighted for part in self.parts.values())

    @derived
    def additive(self) -> bool:
        """Whether all parts are."""
        return all(part.additive for part in self.parts.values())

    @property
    def movable(self) -> bool:
        """Whether all parts are."""
        return all(part.movable for part in self.parts.values())

    @derived
    def missing(self) -> bool:
        """Whether all parts take missing values."""
        return all(part.missing for part in self.parts.values())

    @derived
    def distances(self) -> bool:
        """Whether numbers that are close are alike to all parts."""
        return all(part.distances for part in self.parts.values())

    @derived
    def min_observations(self) -> int:
        """The most that any part needs."""
        return max(part.min_observations for part in self.parts.values())

    @derived
    def largest_number(self) -> float:
        """The least of those of all parts."""
        return min(part.largest_number for part in self.parts.values())

    @property
    def is_degenerate(self) -> bool:
        """Whether any part is."""
        return any(part.is_degenerate for part in self.parts.values())

    @derived
    def n_passes(self) -> int:
        """The most that any part needs."""
        return max(part.n_passes for part in self.parts.values())

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of all parts."""
        return sum(part.n_parameters for part in self.parts.values())

    @property
    def parameter_vector(self) -> FloatArray:
        """The parameters of all parts, one after the other, shape (p,)."""
        return np.concatenate([part.parameter_vector for part in self.parts.values()])

    def with_parameter_vector(self, values: FloatArray) -> Self:
        parts = list(self.parts.values())
        ends = np.cumsum([len(part.parameter_vector) for part in parts])[:-1]
        vectors = np.split(values, ends)
        return self.with_parts(
            [part.with_parameter_vector(own) for part, own in zip(parts, vectors, strict=True)]
        )

    def describe(self) -> Description:
        """Return the description of each part, and what the codes of columns stand for."""
        parts = [
            Part(tuple(map(str, group_of(key))), part.name, part.describe())
            for key, part in self.parts.items()
        ]
        return Description(
            {},
            columns=self._described_columns(parts),
            parts=parts,
            categories={str(name): known for name, known in (self.categories or {}).items()},
            choices=self._choices(),
        )

    def _choices(self) -> list[ColumnChoice]:
        """Return the family of each column and the reason, those that are left out included."""
        families = {name: part.name for key, part in self.parts.items() for name in group_of(key)}
        names = self.reasons or families
        return [
            ColumnChoice(str(name), families.get(name), self.reasons.get(name, GIVEN))
            for name in names
        ]

    def _described_columns(self, parts: Sequence[Part]) -> list[ColumnDescription]:
        """Return the descriptions of all columns fitted to, in order; none if one has none."""
        names = [name for key in self.parts for name in group_of(key)]
        described = [column for part in parts for column in part.description.columns]
        if len(described) != len(names) or len(names) != self.n_columns:
            return []
        return [described[place] for place in np.argsort(list(map(self._place, names)))]

    def observe(self, X: object, y: object = None) -> Columns:
        """Read columns, and let every part check its own."""
        if isinstance(X, Columns):
            check_groups(X, self.parts)
            return X
        parts = self.parts.values()
        data = Columns.of(
            X,
            [group_of(key) for key in self.parts],
            [part.missing for part in parts],
            [part.codes for part in parts],
            self.categories,
            self.columns,
            self.as_categories,
        )
        for part, table in zip(parts, data.tables, strict=True):
            part.observe(table)
        return data

    def categories_in(self, X: object) -> dict[str | int, tuple[object, ...]]:
        """Return the categories of the codes of columns: those known, or those found in X."""
        return dict(self.observe(X).categories if self.categories is None else self.categories)

    def with_categories(self, found: Sequence[Mapping[str | int, tuple[object, ...]]]) -> Self:
        """Return this product with the categories found in several parts of the data."""
        names = dict.fromkeys(name for one in found for name in one)
        united = {name: {v for one in found for v in one.get(name, ())} for name in names}
        return replace(self, categories={name: in_order(own) for name, own in united.items()})

    def prepare(self, data: Columns, n_components: int, weights: Weights = None) -> Self:
        """Prepare every part with its columns, and store the categories of codes.

        A part with d of D columns is prepared for K^(d/D) components: that many would differ in its
        columns if the components filled the space of all columns evenly.
        """
        width = sum(table.n_features for table in data.tables)
        parts = {
            key: part.prepare(table, ceil(n_components ** (table.n_features / width)), weights)
            for (key, part), table in self._beside(data)
        }
        known = data.categories if self.categories is None else self.categories
        return replace(
            self,
            parts=parts,
            columns=data.feature_names,
            n_columns=data.n_features,
            categories=known,
        )

    @property
    def search_hints(self) -> SearchHints:
        """Hints for a search, from those of all parts."""
        sound = all(part.search_hints.regularised for part in self.parts.values())
        return replace(
            super().search_hints, regularised=sound, before=self._searched, after=self._restored
        )

    def _searched(self, data: Columns, weights: Weights) -> Self:
        """Return this component, all parts of which are as a search learns them."""
        parts = [
            part.search_hints.searched(part, table, weights)
            for (_, part), table in self._beside(data)
        ]
        are_same = all(map(is_, parts, self.parts.values()))
        return self if are_same else self.with_parts(parts)

    def _restored(self, found: Family) -> Self:
        """Return a component that a search has learned, all parts of which are as these."""
        parts = zip(self.parts.values(), cast(Product, found).parts.values(), strict=True)
        return self.with_parts([own.search_hints.restored(part) for own, part in parts])

    def fit(self, data: Columns, *, weights: Weights = None, rng: Rng = None) -> Self:
        """Return a new component, each part of which is fitted to its own columns."""
        prepared = self if self.n_columns is not None else self.prepare(data, 1, weights)
        given: dict[str, FloatArray] = {} if weights is None else {"weights": weights}
        return prepared.with_parts(
            [part.fit(table, rng=rng, **given) for (_, part), table in prepared._beside(data)]
        )

    @property
    def log_prior(self) -> float:
        """Sum of the log priors of the parts."""
        return sum(part.log_prior for part in self.parts.values())

    def log_prob(self, data: Columns) -> FloatArray:
        """Return the sum of the parts' log densities of each row, shape (n,)."""
        parts = self._beside(data)
        return sum(part.log_prob(table) for (_, part), table in parts) + np.zeros(len(data))

    def sample(self, n: int, rng: np.random.Generator) -> Any:
        """Draw `n` rows, shape (n, d), in the order of the columns fitted to.

        Columns that were left out are missing. Where there are categories, it is an array of
        objects.
        """
        if self.n_columns is None or self.categories is None:
            raise not_fitted(self)
        kind = float if are_numbers(self.categories.values()) else object
        rows = np.full((n, self.n_columns), np.nan, dtype=kind)
        for key, part in self.parts.items():
            drawn = np.asarray(part.sample(n, rng), dtype=float)
            for name, column in zip(group_of(key), drawn.T, strict=True):
                rows[:, self._place(name)] = decoded(column, self.categories.get(name))
        return rows

    def sample_like(self, data: Columns, rng: np.random.Generator) -> Columns:
        """Draw one row for each of `data`, in which the same values are missing."""
        parts = self._beside(data)
        return replace(data, tables=tuple(part.sample_like(one, rng) for (_, part), one in parts))

    def expected(self, data: Columns) -> FloatArray:
        """Return all columns, part by part, with missing values replaced by their expectations."""
        return np.hstack([part.expected(table) for (_, part), table in self._beside(data)])

    def moved_to(self, observation: Columns) -> Self:
        """Return this component, all parts of which are moved to an observation."""
        parts = self._beside(observation)
        return self.with_parts([part.moved_to(table) for (_, part), table in parts])

    def summarise(self, data: Columns, weights: Weights = None) -> Summaries:
        """Return the statistics of all parts."""
        parts = self._beside(data)
        return Summaries(tuple(statistics_of(part, table, weights) for (_, part), table in parts))

    def from_statistics(self, statistics: Summaries, rng: Rng = None) -> Self:
        """Return a new component, each part of which is fitted to its statistics."""
        parts = zip(self.parts.values(), statistics.parts, strict=True)
        return self.with_parts([fitted_to(part, own, rng) for part, own in parts])

    def bank(self, components: Sequence[Family]) -> ProductBank:
        """Return products as a bank, which has one bank for all columns of a kind."""
        return ProductBank.of(self, cast(Sequence[Product], components))

    @cached_property
    def blocks(self) -> Blocks:
        """The places of parts whose columns one family describes together."""
        return blocks_of([*self.parts.values()])

    @cached_property
    def columns_of(self) -> list[tuple[int, slice]]:
        """For each part, the number of its block, and its columns there."""
        widths = [len(group_of(key)) for key in self.parts]
        found: dict[int, tuple[int, slice]] = {}
        for number, block in enumerate(self.blocks):
            ends = np.cumsum([0, *(widths[place] for place in block)]).tolist()
            for place, begin, end in zip(block, ends, ends[1:], strict=False):
                found[place] = number, slice(begin, end)
        return [found[place] for place in range(len(widths))]

    def joined_by(self, blocks: Blocks) -> list[Family]:
        """Return one component for each block of parts."""
        known: dict[Blocks, list[Family]] = self.__dict__.setdefault("_joined", {})
        if blocks not in known:
            parts = [*self.parts.values()]
            known[blocks] = [joined(parts, block) for block in blocks]
        return known[blocks]

    def separated(self, joined: Sequence[Family], family: "Product") -> "Product":
        """Return a product like `family`, with parts like these and the parameters of blocks."""
        parts = dict(self.parts)
        for (key, part), (number, columns) in zip(self.parts.items(), self.columns_of, strict=True):
            own = joined[number]
            if len(self.blocks[number]) > 1:
                own = cast(Family, cast(IndependentColumns, part).taken_from(own, columns))
            parts[key] = own
        product = altered(family, parts=parts)
        known = {self.blocks: list(joined)}
        product.__dict__.update(blocks=self.blocks, columns_of=self.columns_of, _joined=known)
        return product

    def _place(self, name: str | int) -> int:
        """Return the number of a column among those fitted to."""
        return (self.columns or ()).index(name) if isinstance(name, str) else name

    def with_parts(self, parts: Sequence[Family]) -> Self:
        """Return this product with other parts for the same columns."""
        return replace(self, parts=dict(zip(self.parts, parts, strict=True)))

    def _beside(self, data: Columns) -> "zip[tuple[tuple[Key, Family], Any]]":
        return zip(self.parts.items(), data.tables, strict=True)
