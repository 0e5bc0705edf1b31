"""Which categories of each term get a column, so that no column is a sum of others."""

from collections.abc import Collection, Iterable, Iterator
from itertools import product
from typing import NamedTuple

from .terms import Term


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
