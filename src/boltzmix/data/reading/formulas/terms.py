"""Terms of formulas: products of factors, without repetition, and how they are combined."""

from functools import reduce

from .expressions import Expression

MOST_TERMS = 1000
MOST_FACTORS = 8  # in a term
MOST_PRODUCTS = 200_000  # of two terms, in one formula

Term = tuple[Expression, ...]  # the empty one is the intercept
INTERCEPT: Term = ()


class TooManyTermsError(ValueError):
    """A formula that has too many terms, or too many factors in one of them."""


class Terms:
    """Distinct terms, in order: those with the same factors in another order are the same.

    Parameters
    ----------
    *terms : tuples of Expression
    """

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
