"""Expressions of numbers and columns, computed by a few functions of NumPy, and their products."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from ...data_set import FloatArray
from ..source import Name

DEEPEST = 100  # operations inside one another
SUM, PRODUCT, SIGN, POWER, ATOM = range(1, 6)  # what binds more strongly has a larger number
FUNCTIONS: Mapping[str, Any] = {
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "sqrt": np.sqrt,
}
WRAPPERS = ("I", "C")
OPERATIONS: Mapping[str, tuple[Any, int]] = {
    "+": (np.add, SUM),
    "-": (np.subtract, SUM),
    "*": (np.multiply, PRODUCT),
    "/": (np.divide, PRODUCT),
    "**": (np.power, POWER),
}


@dataclass(frozen=True)
class Expression:
    """A number, a column, or what is computed of such.

    Parameters
    ----------
    text : str
        How it is written; equal expressions have equal texts.
    strength : int
        How strongly its outermost operation binds.
    columns : frozenset
        The columns that it uses.
    compute : function
        Of a mapping of columns to arrays (n,); returns such an array, or a number.
    depth : int
        How many operations are inside one another.
    column : str, optional
        The column, if it is nothing but a column, maybe inside ``C()`` or ``I()``.
    as_categories : bool
        Whether it is a column inside ``C()``.
    """

    text: str
    strength: int
    columns: frozenset[Name]
    compute: Callable[[Mapping[Name, Any]], Any]
    depth: int = 0
    column: Name | None = None
    as_categories: bool = False

    @property
    def label(self) -> str:
        """The name of a column of the design matrix."""
        return str(self.column) if self.column is not None and self.depth == 0 else self.text

    def values(self, columns: Mapping[Name, FloatArray], n: int) -> FloatArray:
        """Return the values of n rows, shape (n,)."""
        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(self.compute(columns), dtype=float), (n,))


def number(text: str) -> Expression:
    """Return a number; raise an OverflowError if it is too large."""
    value = np.float64(text)
    if not np.isfinite(value):
        raise OverflowError
    written = str(int(text)) if text.isdigit() else str(float(value))
    return Expression(written, ATOM, frozenset(), lambda _: value)


def column(name: str) -> Expression:
    """Return a column."""
    text = name if name.isidentifier() else f"`{name}`"
    return Expression(text, ATOM, frozenset([name]), lambda columns: columns[name], column=name)


def call(name: str, inside: Expression) -> Expression:
    """Return a function of an expression, or ``C()`` or ``I()`` of it."""
    text, depth = f"{name}({inside.text})", inside.depth + 1
    if name in WRAPPERS:
        as_categories = inside.as_categories or name == "C"
        return replace(inside, text=text, strength=ATOM, depth=depth, as_categories=as_categories)
    function, of = FUNCTIONS[name.removeprefix("np.")], inside.compute
    return Expression(text, ATOM, inside.columns, lambda columns: function(of(columns)), depth)


def signed(sign: str, inside: Expression) -> Expression:
    """Return an expression after a sign."""
    of, function = inside.compute, np.negative if sign == "-" else np.positive
    text = sign + _between(inside, SIGN)
    compute = lambda columns: function(of(columns))  # noqa: E731
    return Expression(text, SIGN, inside.columns, compute, inside.depth + 1)


def combined(sign: str, left: Expression, right: Expression) -> Expression:
    """Return two expressions joined by + - * / or **."""
    function, strength = OPERATIONS[sign]
    first, second = left.compute, right.compute
    power = sign == "**"
    texts = _between(left, strength + power), sign, _between(right, strength + (not power))
    return Expression(
        " ".join(texts),
        strength,
        left.columns | right.columns,
        lambda columns: function(first(columns), second(columns)),
        1 + max(left.depth, right.depth),
    )


def _between(inside: Expression, strength: int) -> str:
    """Return the text of an expression, in parentheses if it binds less strongly."""
    return inside.text if inside.strength >= strength else f"({inside.text})"


MOST_TERMS = 1000
MOST_FACTORS = 8  # in a term
MOST_PRODUCTS = 200_000  # of two terms, in one formula

Term = tuple[Expression, ...]  # the empty one is the intercept
INTERCEPT: Term = ()


class TooManyTermsError(ValueError):
    """A formula that has too many terms, or too many factors in one of them."""


class Terms:
    """Distinct terms, in order: those with the same factors in another order are the same."""

    def __init__(self, *terms: Term) -> None:
        self._found: dict[frozenset[str], Term] = {}
        for one in terms:
            self._found.setdefault(frozenset(factor.text for factor in one), one)
            if len(self._found) > MOST_TERMS:
                raise TooManyTermsError(f"has more than {MOST_TERMS} terms")

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, term: Term) -> bool:
        return frozenset(factor.text for factor in term) in self._found

    def __add__(self, other: "Terms") -> "Terms":
        both = Terms()
        both._found = self._found | {
            key: one for key, one in other._found.items() if one not in self
        }
        if len(both) > MOST_TERMS:
            raise TooManyTermsError(f"has more than {MOST_TERMS} terms")
        return both

    def __sub__(self, other: "Terms") -> "Terms":
        return Terms(*(one for one in self.all if one not in other))

    @property
    def all(self) -> list[Term]:
        """The terms."""
        return list(self._found.values())

    @property
    def by_degree(self) -> list[Term]:
        """The terms without the intercept, those with fewer factors first."""
        return sorted(filter(None, self.all), key=len)

    def product(self) -> "Terms":
        """Return the interaction of all terms."""
        return Terms(reduce(joined, self.all, INTERCEPT))


def interactions(left: Terms, right: Terms) -> Terms:
    """Return the products of each term of one with each term of another."""
    return Terms(*(joined(one, other) for one in left.all for other in right.all))


def joined(one: Term, other: Term) -> Term:
    """Return the product of two terms, in which a factor appears once."""
    product = {factor.text: factor for factor in (*one, *other)}
    if len(product) > MOST_FACTORS:
        raise TooManyTermsError(f"has a term of more than {MOST_FACTORS} factors")
    return tuple(product.values())
