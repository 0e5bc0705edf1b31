"""Which values the parameters of a law may take, and coordinates in which all are allowed."""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit

from .laws import Law, Values

PROBES = (1.0, 0.5, 2.0, 2.5, -0.5)  # values that are tried, to see which a law allows


class Coordinate(NamedTuple):
    """A parameter as a number that may take any value, and back."""

    forth: Callable[[float], float]
    back: Callable[[float], float]


POSITIVE = Coordinate(lambda value: float(np.log(value)), lambda point: float(np.exp(point)))
UNIT = Coordinate(lambda value: float(logit(value)), lambda point: float(expit(point)))
LINE = Coordinate(lambda value: value, lambda point: point)


def line(centre: float, width: float) -> Coordinate:
    """Return the coordinate of a place on a line, in units of `width`."""
    return Coordinate(lambda value: (value - centre) / width, lambda point: centre + point * width)


def domain(law: Law, name: str, values: Values) -> Coordinate:
    """Return the coordinate for the values a shape may take while others are as given.

    Examples
    --------
    >>> from scipy import stats
    >>> from .laws import as_law
    >>> domain(as_law(stats.nbinom, ()), "p", {"n": 1, "p": 0.5, "loc": 0}) is UNIT
    True
    """

    def allows(*tried: float) -> bool:
        return all(law.allows({**values, name: one}) for one in tried)

    if allows(-1e-3):
        return LINE
    return UNIT if values[name] < 1 and not allows(1.001) else POSITIVE


def whole_only(law: Law) -> list[str]:
    """Return the names of shapes that have to be whole numbers.

    Examples
    --------
    >>> from scipy import stats
    >>> from .laws import as_law
    >>> whole_only(as_law(stats.binom, ()))
    ['n']
    """
    rest = {name: value for name, value in (("loc", 0.0), ("scale", 1.0)) if name in law.names}
    tried = [
        dict(zip(law.shapes, chosen, strict=True))
        for chosen in product(PROBES, repeat=len(law.shapes))
    ]
    allowed = [values for values in tried if law.allows({**values, **rest})]
    return [name for name in law.shapes if all(one[name].is_integer() for one in allowed)]
