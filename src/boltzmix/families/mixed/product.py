"""Products of families: one for each column of a table, or each group of columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from operator import add
from typing import Any, Self, cast

import numpy as np

from ...data import BoolArray, Columns, FloatArray, Membership, Rows, Source, Table, decoded
from ..bank import fitted_to, statistics_of
from ..base import Bank, Family
from ..description import ColumnDescription, Description, Part
from ..shared.validation import not_fitted
from .choosing import choose_family

Key = str | int | tuple[str | int, ...]
MOST_DISTINCT = 0.5  # categories per row, above which a column holds identifiers
FEW_CATEGORIES = 20  # so many are never taken for identifiers


@dataclass(frozen=True, eq=False)
class Together:
    """Statistics of every part.

    Parameters
    ----------
    parts : tuple of the parts' statistics
    """

    parts: tuple[Any, ...]

    def __add__(self, other: Self) -> Self:
        return replace(self, parts=tuple(map(add, self.parts, other.parts)))

    def __mul__(self, factor: float) -> Self:
        return replace(self, parts=tuple(part * factor for part in self.parts))


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
    >>> family = Product({0: Poisson(), 1: Categorical(smoothing=0)})
    >>> fitted = family.fit(family.observe(X))
    >>> fitted.parts[0].rate, fitted.parts[1].probabilities.round(2), fitted.categories
    (array([4.]), array([[0.33, 0.67]]), {1: ('blue', 'red')})
    """

    observes = Columns

    parts: Mapping[Key, Family]
    columns: tuple[str, ...] | None = None
    n_columns: int | None = None
    categories: Mapping[str | int, tuple[Any, ...]] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.parts, Mapping) or not self.parts:
            raise ValueError(
                "Product takes a dictionary of columns and their families, such as"
                f" {{'income': LogNormal(), ('x', 'y'): Gaussian()}}, not {self.parts!r}."
            )
        object.__setattr__(self, "parts", dict(self.parts))
        used: set[str | int] = set()
        for key, part in self.parts.items():
            _check_part(key, part)
            for name in _group(key):
                if name in used:
                    raise ValueError(
                        f"Column {name!r} is used twice: a column belongs to one family only."
                    )
                used.add(name)

    def __repr__(self) -> str:
        return f"Product({{{', '.join(f'{key!r}: {part!r}' for key, part in self.parts.items())}}})"

    @classmethod
    def auto(cls, X: Any, parts: Mapping[Key, Family] | None = None) -> Self:
        """Choose a family for every column of a frame or array, but for those in `parts`.

        The choice is by dtype and values, see `boltzmix.families.mixed.choosing.choose_family`.

        Examples
        --------
        >>> from boltzmix.families import Gamma
        >>> X = np.array([[1.5, "a", 2], [0.1, "b", 3], [0.2, "c", 1]], dtype=object)
        >>> Product.auto(X, {0: Gamma()})
        Product({0: Gamma(), 1: Categorical(), 2: Poisson()})
        """
        chosen = dict(parts or {})
        given = [name for key in chosen for name in _group(key)]
        source = Source.of(X)
        taken = set(map(source.index_of, given))
        rest = [name for place, name in enumerate(source.all_columns) if place not in taken]
        return cls({**chosen, **_choose(_read_all(X, rest))} if rest else chosen)

    @property
    def weighted(self) -> bool:  # type: ignore[override]
        """Whether all parts are."""
        return all(part.weighted for part in self.parts.values())

    @property
    def additive(self) -> bool:  # type: ignore[override]
        """Whether all parts are."""
        return all(part.additive for part in self.parts.values())

    @property
    def movable(self) -> bool:
        """Whether all parts are."""
        return all(part.movable for part in self.parts.values())

    @property
    def missing(self) -> bool:  # type: ignore[override]
        """Whether all parts take missing values."""
        return all(part.missing for part in self.parts.values())

    @property
    def distances(self) -> bool:  # type: ignore[override]
        """Whether numbers that are close are alike to all parts."""
        return all(part.distances for part in self.parts.values())

    @property
    def min_observations(self) -> int:  # type: ignore[override]
        """The most that any part needs."""
        return max(part.min_observations for part in self.parts.values())

    @property
    def n_passes(self) -> int:
        """The most that any part needs."""
        return max(part.bank([part]).n_passes for part in self.parts.values())

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of all parts."""
        return sum(part.n_parameters for part in self.parts.values())

    def describe(self) -> Description:
        """Return the description of each part, and what the codes of columns stand for."""
        parts = [
            Part(tuple(map(str, _group(key))), part.name, part.describe())
            for key, part in self.parts.items()
        ]
        return Description(
            {},
            columns=self._described_columns(parts),
            parts=parts,
            categories={str(name): known for name, known in (self.categories or {}).items()},
        )

    def _described_columns(self, parts: Sequence[Part]) -> list[ColumnDescription]:
        """Return the descriptions of all columns fitted to, in order; none if one has none."""
        names = [name for key in self.parts for name in _group(key)]
        described = [column for part in parts for column in part.description.columns]
        if len(described) != len(names) or len(names) != self.n_columns:
            return []
        return [described[place] for place in np.argsort(list(map(self._place, names)))]

    def observe(self, X: Any, y: Any = None) -> Columns:
        """Read columns, and let every part check its own."""
        if isinstance(X, Columns):
            return self._rearranged(X)
        parts = self.parts.values()
        data = Columns.of(
            X,
            [_group(key) for key in self.parts],
            [part.missing for part in parts],
            [part.codes for part in parts],
            self.categories,
            self.columns,
        )
        for part, table in zip(parts, data.tables, strict=True):
            part.observe(table)
        return data

    def prepare(self, data: Columns, n_components: int, weights: FloatArray | None = None) -> Self:
        """Prepare every part with its columns, and store the categories of codes.

        A part with d of D columns is prepared for K^(d/D) components: so many would differ in its
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

    def fit(
        self,
        data: Columns,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Return a new component, each part of which is fitted to its own columns."""
        prepared = self if self.categories is not None else self.prepare(data, 1, weights)
        given: dict[str, Any] = {} if weights is None else {"weights": weights}
        return prepared._with(
            [part.fit(table, rng=rng, **given) for (_, part), table in prepared._beside(data)]
        )

    def log_prob(self, data: Columns) -> FloatArray:
        """Return the sum of the parts' log densities of each row, shape (n,)."""
        return sum(part.log_prob(table) for (_, part), table in self._beside(data)) + np.zeros(
            len(data)
        )

    def sample(self, n: int, rng: np.random.Generator) -> Any:
        """Draw `n` rows, shape (n, d), in the order of the columns fitted to.

        Columns that were left out are missing. Where there are categories, it is an array of
        objects.
        """
        if self.n_columns is None or self.categories is None:
            raise not_fitted(self)
        kind = object if self.categories else float
        rows = np.full((n, self.n_columns), np.nan, dtype=kind)
        for key, part in self.parts.items():
            drawn = np.asarray(part.sample(n, rng), dtype=float)
            for name, column in zip(_group(key), drawn.T, strict=True):
                rows[:, self._place(name)] = decoded(column, self.categories.get(name))
        return rows

    def expected(self, data: Columns) -> FloatArray:
        """Return all columns, part by part, with missing values replaced by their expectations."""
        return np.hstack([part.expected(table) for (_, part), table in self._beside(data)])

    def moved_to(self, observation: Columns) -> Self:
        """Return this component, all parts of which are moved to an observation."""
        return self._with([part.moved_to(table) for (_, part), table in self._beside(observation)])

    def summarise(self, data: Columns, weights: FloatArray | None = None) -> Together:
        """Return the statistics of all parts."""
        return Together(
            tuple(statistics_of(part, table, weights) for (_, part), table in self._beside(data))
        )

    def from_statistics(self, statistics: Together, rng: np.random.Generator | None = None) -> Self:
        """Return a new component, each part of which is fitted to its statistics."""
        parts = zip(self.parts.values(), statistics.parts, strict=True)
        return self._with([fitted_to(part, own, rng) for part, own in parts])

    def bank(self, components: Sequence[Family]) -> "ProductBank":
        """Return products as a bank, which has one bank for each part."""
        products = cast(Sequence[Product], components)
        return ProductBank(
            self,
            [
                part.bank([one.parts[key] for one in products])
                for key, part in products[0].parts.items()
            ],
        )

    def _place(self, name: str | int) -> int:
        """Return the number of a column among those fitted to."""
        return (self.columns or ()).index(name) if isinstance(name, str) else name

    def _with(self, parts: Sequence[Family]) -> Self:
        """Return this product with other parts for the same columns."""
        return replace(self, parts=dict(zip(self.parts, parts, strict=True)))

    def _beside(self, data: Columns) -> "zip[tuple[tuple[Key, Family], Any]]":
        return zip(self.parts.items(), data.tables, strict=True)

    def _rearranged(self, data: Columns) -> Columns:
        """Return columns that were read before, grouped as this product has them."""
        groups = tuple(map(_group, self.parts))
        if data.groups != groups:
            raise ValueError(
                f"X was read for the columns {data.groups}, but {self!r} has others: pass the"
                " frame or array itself."
            )
        return data


class Automatic(Family):
    """A `Product` with a family for every column, chosen when it sees the data.

    ``Mixture(family="auto")`` uses it. The components of the mixture are the `Product` that was
    chosen.

    Examples
    --------
    >>> X = np.array([[1, "a"], [0, "b"], [4, "c"]], dtype=object)
    >>> family = Automatic()
    >>> family.prepare(family.observe(X), 2).parts[1]
    Categorical(n_categories=(3,))
    """

    weighted = True
    missing = True
    observes = Columns

    @property
    def name(self) -> str:
        """The name of this family in messages."""
        return "auto"

    def observe(self, X: Any, y: Any = None) -> Columns:
        """Read every column by itself."""
        return X if isinstance(X, Columns) else _read_all(X, Source.of(X).all_columns)

    def prepare(  # type: ignore[override]
        self, data: Columns, n_components: int, weights: FloatArray | None = None
    ) -> Product:
        """Choose a family for each column, and return their product, prepared."""
        return Product(_choose(data)).prepare(data, n_components, weights)

    def fit(  # type: ignore[override]
        self,
        data: Columns,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Product:
        """Choose a family for each column, and return their product, fitted."""
        return self.prepare(data, 1, weights).fit(data, weights=weights, rng=rng)

    def log_prob(self, data: Columns) -> FloatArray:
        """Raise, because no family is chosen yet."""
        raise ValueError("No family is chosen yet: call fit first.")


class ProductBank(Bank):
    """K products, as one bank for each part.

    Parameters
    ----------
    family : Product
        The product that the components have in common.
    banks : sequence of Bank
    """

    def __init__(self, family: Product, banks: Sequence[Bank]) -> None:
        self._family = family
        self.banks = tuple(banks)

    def __len__(self) -> int:
        return len(self.banks[0])

    @property
    def family(self) -> Product:
        """The product that the components have in common."""
        return self._family

    @cached_property
    def components(self) -> tuple[Family, ...]:  # type: ignore[override]
        """The products one by one."""
        return tuple(
            self._family._with(parts)
            for parts in zip(*(bank.components for bank in self.banks), strict=True)
        )

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of all components."""
        return sum(bank.n_parameters for bank in self.banks)

    def log_prob(self, data: Columns) -> FloatArray:
        """Return the log density of each row under each component, shape (n, K)."""
        log_densities = np.zeros((len(data), len(self)))
        for bank, table in zip(self.banks, data.tables, strict=True):
            log_densities += bank.log_prob(table)
        return log_densities

    def fill(self, data: Columns, responsibilities: FloatArray) -> FloatArray:
        """Return all columns, part by part, with missing values replaced by the parts' banks."""
        parts = zip(self.banks, data.tables, strict=True)
        return np.hstack([bank.fill(table, responsibilities) for bank, table in parts])

    def summarise(self, data: Columns, membership: Membership) -> list[Any]:
        """Return the statistics of each part."""
        parts = zip(self.banks, data.tables, strict=True)
        return [bank.summarise(table, membership) for bank, table in parts]

    def add(self, one: Any, other: Any) -> list[Any]:
        """Return the statistics of two sets of rows together."""
        return [bank.add(*pair) for bank, *pair in zip(self.banks, one, other, strict=True)]

    def scale(self, statistics: Any, factor: float) -> list[Any]:
        """Return the statistics of the same rows, with all weights times `factor`."""
        parts = zip(self.banks, statistics, strict=True)
        return [bank.scale(own, factor) for bank, own in parts]

    def refill(self, statistics: Any, k: int, data: Any, weights: FloatArray | None) -> list[Any]:
        """Return `statistics` with those of component k replaced by those of `data`."""
        parts = zip(self.banks, statistics, data.tables, strict=True)
        return [bank.refill(own, k, table, weights) for bank, own, table in parts]

    def update(self, statistics: Any, keep: BoolArray, rng: np.random.Generator) -> "ProductBank":
        """Return the bank fitted to `statistics`; the components in `keep` stay as they are."""
        parts = zip(self.banks, statistics, strict=True)
        return ProductBank(self._family, [bank.update(own, keep, rng) for bank, own in parts])


def _group(key: Key) -> tuple[str | int, ...]:
    """Return the columns of a key."""
    return key if isinstance(key, tuple) else (key,)


def _check_part(key: Any, part: Any) -> None:
    """Raise if a key does not name columns, or a part is not a family of rows."""
    group = _group(key)
    plain = [
        isinstance(name, str | int | np.integer) and not isinstance(name, bool) for name in group
    ]
    if not group or not all(plain):
        raise ValueError(
            "A key of Product must be the name or the number of a column, or a tuple of several,"
            f" not {key!r}."
        )
    if not isinstance(part, Family):
        raise ValueError(
            f"The family of column {key!r} must be a Family such as Gaussian(), not {part!r}."
        )
    if not issubclass(part.observes, Rows) or part.joint:
        raise ValueError(
            f"The family of column {key!r} must be one of rows, and {part.name} is not: choose one"
            " such as Gaussian()."
        )


def _read_all(X: Any, names: Sequence[str | int]) -> Columns:
    """Read columns, each by itself, whatever they hold."""
    groups = [(name,) for name in names]
    return Columns.of(X, groups, [True] * len(groups), [True] * len(groups))


def _choose(data: Columns) -> dict[Key, Family]:
    """Return the family that suits each column."""
    for group, table in zip(data.groups, data.tables, strict=True):
        _check_no_identifiers(group[0], table, data.categories.get(group[0], ()))
    parts = zip(data.groups, data.tables, strict=True)
    return {
        group[0]: choose_family(table.values[:, 0], data.categories.get(group[0]))
        for group, table in parts
    }


def _check_no_identifiers(name: str | int, table: Table, categories: tuple[Any, ...]) -> None:
    """Raise if nearly every row has a category of its own, as identifiers have."""
    n_values = int((~np.isnan(table.values)).sum())
    if len(categories) > max(MOST_DISTINCT * n_values, FEW_CATEGORIES):
        raise ValueError(
            f"Column {name!r} of X has {len(categories)} different categories in {n_values} rows,"
            " as names have, so no family suits it: leave it out, or choose one yourself, as in"
            f" Product.auto(X, {{{name!r}: Categorical()}})."
        )
