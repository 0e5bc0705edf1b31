"""The columns of numbers of a mixed table, which are modelled together."""

from collections.abc import Mapping
from typing import NamedTuple

from ..contract.base import Family
from ..distributions.robust_gaussian import RobustGaussian
from .logarithms import Logarithms
from .numbers import Chosen

MOST_NAMED = 2


class NumericBlock(NamedTuple):
    """Columns of numbers that may be correlated within a component.

    Parameters
    ----------
    key : tuple of columns
        Empty, unless there are several.
    family : Family
        Of all of them.
    reasons : mapping of column to str
        Why each column is in it.
    """

    key: tuple[str | int, ...]
    family: Family
    reasons: Mapping[str | int, str]

    @classmethod
    def of(cls, columns: Mapping[str | int, Chosen]) -> "NumericBlock":
        """Return the block of columns, given the choice for each; it is empty for a single one.

        Skewed positive columns are taken as logarithms.

        Examples
        --------
        >>> chosen = Chosen(None, "numbers with a skewness of 0.1")
        >>> NumericBlock.of({"x": chosen, "y": chosen._replace(takes_logarithm=True)}).family
        Logarithms(RobustGaussian(), columns=(1,))
        """
        if len(columns) < 2:
            return cls((), RobustGaussian(), {})
        names = tuple(columns)
        logged = [place for place, one in enumerate(columns.values()) if one.takes_logarithm]
        family = Logarithms(RobustGaussian(), tuple(logged)) if logged else RobustGaussian()
        reasons = {
            name: f"{one.reason}{': logarithm' if one.takes_logarithm else ''},"
            f" together with {_others(name, names)}"
            for name, one in columns.items()
        }
        return cls(names, family, reasons)


def _others(name: str | int, names: tuple[str | int, ...]) -> str:
    """Name the other columns, or count them if there are many."""
    others = [one for one in names if one != name]
    if len(others) > MOST_NAMED:
        return f"{len(others)} others"
    return " and ".join(map(repr, others))
