"""Temperature schedules: from the iteration to how freely observations explore."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import log
from typing import Self

import numpy as np
from scipy.optimize import brentq

from ..data import FloatArray
from .assignment import modified_responsibility

RANGE = (1e-6, 1e12)  # where a temperature is looked for


class Temperature(ABC):
    """A schedule: iteration in, temperature out."""

    @abstractmethod
    def __call__(self, iteration: int) -> float: ...

    def scaled(self, values: Callable[[], FloatArray]) -> Self:
        """Return the schedule in units that fit the data.

        Parameters
        ----------
        values : function returning an array, shape (n, K)
            Makes a value matrix such as the run may come to, if it is needed.
        """
        return self


@dataclass(frozen=True)
class Constant(Temperature):
    """The same temperature throughout."""

    value: float = 1.0

    def __call__(self, iteration: int) -> float:
        return self.value


@dataclass(frozen=True)
class Geometric(Temperature):
    """τ_t = τ_0 α^t, but not below the floor.

    Without a start, τ_0 is the temperature at which r' has the normalised entropy `entropy`.
    """

    start: float | None
    cooling: float
    floor: float
    entropy: float = 0.3

    def __call__(self, iteration: int) -> float:
        assert self.start is not None, "scaled comes first"
        return max(self.start * self.cooling**iteration, self.floor)

    def scaled(self, values: Callable[[], FloatArray]) -> Self:
        if self.start is not None:
            return self
        return replace(self, start=temperature_of(self.entropy, values()))


@dataclass(frozen=True)
class RisingBeta(Temperature):
    """1/τ = β rises geometrically until it is one."""

    start: float
    growth: float

    def __call__(self, iteration: int) -> float:
        return max(self.growth**-iteration / self.start, 1.0)


def temperature_of(entropy: float, values: FloatArray) -> float:
    """Return the temperature at which r' has a given entropy, as a share of the largest there is.

    Where no temperature does, as with a single component or with values that do not differ, it
    is one.
    """
    n_components = values.shape[1]
    possible = values[np.isfinite(values).any(axis=1)]
    if n_components == 1 or len(possible) == 0:
        return 1.0
    unweighted = np.zeros(n_components)

    def excess(log_temperature: float) -> float:
        shares, _ = modified_responsibility(possible, unweighted, np.exp(log_temperature))
        terms = shares * np.log(np.where(shares > 0, shares, 1.0))
        return float(-terms.sum(axis=1).mean() / log(n_components) - entropy)

    coldest, hottest = np.log(RANGE)
    if not excess(coldest) < 0 < excess(hottest):
        return 1.0
    return float(np.exp(brentq(excess, coldest, hottest, xtol=1e-3)))
