"""Formulas with known categories, and the design matrices that they make."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from ...data_set import FloatArray
from ..source import Name
from .expressions import Expression, Term
from .parsing import terms_of
from .tokens import shown, too_large

MOST_COLUMNS = 10_000  # of a design matrix

Categories = Mapping[Name, tuple[object, ...] | None]


def read_terms(text: str, names: Sequence[str]) -> tuple[tuple[Name, ...], str | None]:
    """Return the columns that a formula uses, and the formula if it is more than names.

    Parameters
    ----------
    text : str
        The right-hand side of a formula, with or without a leading tilde.
    names : sequence of str
        Names of the columns of the table.

    Raises
    ------
    ValueError
        If it is not a list of these names with plus signs, nor a formula of our grammar.
    """
    right = text.strip().removeprefix("~").strip()
    plain = [one.strip().strip("`") for one in right.split("+")]
    if all(one in names for one in plain):
        return tuple(dict.fromkeys(plain)), None
    factors = [factor for term in terms_of(right).by_degree for factor in term]
    return tuple(sorted({str(name) for one in factors for name in one.columns})), right


class Coded(NamedTuple):
    """A factor of a term.

    Parameters
    ----------
    text : str
        That of the factor.
    is_reduced : bool
        Whether the first category has no column, as it is the reference.
    """

    text: str
    is_reduced: bool


Product = tuple[Coded, ...]


def coded_products(terms: Iterable[Term], categorical: Collection[str]) -> Iterator[Product]:
    """Yield the products of factors whose columns span what terms and an intercept span.

    A factor with categories spans what its reduced columns and the intercept span. So each term
    is the sum of products of reduced factors: those that earlier terms have are left out, and
    the rest is put together again. A numeric factor is never reduced.

    Parameters
    ----------
    terms : iterable of tuples of Expression
    categorical : collection of str
        The texts of the factors that have categories.
    """
    spanned = {frozenset[Coded]()}
    for term in terms:
        choices = [
            (Coded(one.text, True), None) if one.text in categorical else (Coded(one.text, False),)
            for one in term
        ]
        own = [tuple(filter(None, chosen)) for chosen in product(*choices)]
        new = [one for one in own if frozenset(one) not in spanned]
        spanned.update(map(frozenset, new))
        yield from _merged(new)


def _merged(products: Iterable[Product]) -> list[Product]:
    """Return fewer products that span the same: those of p and p:(reduced f) are p:f."""
    kept: list[Product] = []
    for one in sorted(products, key=len):
        for other in kept:
            rest = set(one) - set(other)
            if len(one) == len(other) + 1 and len(rest) == 1 and next(iter(rest)).is_reduced:
                full = tuple(Coded(own.text, own.is_reduced and own not in rest) for own in one)
                kept = _merged([*(own for own in kept if own is not other), full])
                break
        else:
            kept.append(one)
    return kept


@dataclass(frozen=True, eq=False)
class Formula:
    """A formula whose categories are known.

    Parameters
    ----------
    factors : mapping of str to Expression
        The factors of its terms, by their texts.
    categories : mapping of column to tuple or None
        The categories of every column that is used; None for columns of numbers.
    products : list of tuples of Coded
        The products of factors that have columns.
    """

    factors: Mapping[str, Expression]
    categories: Categories
    products: list[Product]

    @classmethod
    def of(cls, text: str, categories: Categories) -> "Formula":
        """Read a formula.

        Parameters
        ----------
        text : str
        categories : mapping of column to tuple or None
            The categories of every column that is used; None for columns of numbers.
        """
        terms = terms_of(text).by_degree
        factors = {factor.text: factor for term in terms for factor in term}
        for one in factors.values():
            _check_factor(one, categories, text)
        having = {text for text, one in factors.items() if _known(one, categories) is not None}
        made, n_columns = cls(factors, categories, []), 0
        for coded in coded_products(terms, having):
            n_columns += prod(len(made._codes(factor)) for factor in coded)
            if n_columns > MOST_COLUMNS:
                raise too_large(text, f"makes more than {MOST_COLUMNS} columns")
            made.products.append(coded)
        return made

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of its matrix, without the intercept."""
        return tuple(
            ":".join(reversed(labels))
            for own in self.products
            for labels in product(*(self._labels(one) for one in reversed(own)))
        )

    def matrix(self, columns: Mapping[Name, FloatArray], n: int) -> FloatArray:
        """Return the matrix of n rows, shape (n, q), without the intercept.

        Parameters
        ----------
        columns : mapping of column to array, shape (n,)
            Numbers, or codes of categories.
        n : int
        """
        values = {text: one.values(columns, n) for text, one in self.factors.items()}
        with np.errstate(all="ignore"):  # what is not finite is found by Design
            parts = [
                reduce(_products, (self._columns(one, values) for one in own))
                for own in self.products
            ]
        return np.hstack(parts) if parts else np.empty((n, 0))

    def _codes(self, factor: Coded) -> range:
        """Return the codes of the categories that have columns; one for a column of numbers."""
        known = _known(self.factors[factor.text], self.categories)
        return range(1) if known is None else range(int(factor.is_reduced), len(known))

    def _columns(self, factor: Coded, values: Mapping[str, FloatArray]) -> FloatArray:
        """Return the columns of a factor, shape (n, c)."""
        own = values[factor.text][:, None]
        if _known(self.factors[factor.text], self.categories) is None:
            return own
        return (own == np.array(self._codes(factor))).astype(float)

    def _labels(self, factor: Coded) -> list[str]:
        expression = self.factors[factor.text]
        known = _known(expression, self.categories)
        if known is None:
            return [expression.label]
        return [f"{expression.label}[{known[code]}]" for code in self._codes(factor)]


def _known(factor: Expression, categories: Categories) -> tuple[object, ...] | None:
    """Return the categories of a factor, or None if it is numeric."""
    return None if factor.column is None else categories[factor.column]


def _products(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return the products of the columns of two matrices, those of the first side by side."""
    return (right[:, :, None] * left[:, None, :]).reshape(len(left), -1)


def _check_factor(factor: Expression, categories: Categories, text: str) -> None:
    """Raise if a factor computes with categories, or makes categories of numbers."""
    absent = sorted(str(name) for name in factor.columns if name not in categories)
    if absent:
        raise ValueError(f"The formula {shown(text)} uses {absent[0]!r}, which is no column of it.")
    if factor.as_categories and _known(factor, categories) is None:
        raise ValueError(
            f"The formula {shown(text)} makes categories of the numbers in column"
            f" {factor.column!r}: turn the column into text first."
        )
    coded = [name for name in factor.columns if categories[name] is not None]
    if factor.column is None and coded:
        raise ValueError(
            f"The formula {shown(text)} computes with column {coded[0]!r}, which has categories:"
            f" write it by itself, as in 'age:{coded[0]}', or turn it into numbers first."
        )
