"""Temperature schedules: from the steps so far to how freely observations explore."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import ClassVar

import numpy as np

from .. import kernels
from ..data import FloatArray
from .history import Step

COLDEST, HOTTEST = 1e-6, 1e12  # where a temperature is looked for
FACTOR = 2.0  # by which the search widens


class Temperature(ABC):
    """A schedule: the steps so far in, temperature out."""

    looks: ClassVar[bool] = False  # whether it asks for values

    @abstractmethod
    def __call__(self, steps: Sequence[Step], values: Callable[[], FloatArray]) -> float:
        """Return the temperature of the next step.

        Parameters
        ----------
        steps : the steps so far
        values : function returning an array, shape (n, K)
            Makes the values that some observations have now, for a schedule that follows them.
        """


@dataclass(frozen=True)
class Constant(Temperature):
    """The same temperature throughout."""

    value: float = 1.0

    def __call__(self, steps: Sequence[Step], values: Callable[[], FloatArray]) -> float:
        return self.value


@dataclass(frozen=True)
class Geometric(Temperature):
    """τ_t = τ_0 α^t, but not below the floor."""

    start: float
    cooling: float
    floor: float

    def __call__(self, steps: Sequence[Step], values: Callable[[], FloatArray]) -> float:
        return max(self.start * self.cooling ** len(steps), self.floor)


@dataclass(frozen=True)
class RisingBeta(Temperature):
    """1/τ = β rises geometrically until it is one."""

    start: float
    growth: float

    def __call__(self, steps: Sequence[Step], values: Callable[[], FloatArray]) -> float:
        return max(self.growth ** -len(steps) / self.start, 1.0)


@dataclass(frozen=True)
class FallingEntropy(Temperature):
    """The temperature at which r' has an entropy that falls evenly to nothing.

    So it follows the run, and needs no units: components that hardly differ, as at the start, get
    a low temperature, and those of long sequences a high one.

    Parameters
    ----------
    start : float
        Entropy at the first step, as a share of the largest there is.
    length : int
        Number of steps in which it falls.
    """

    looks = True

    start: float
    length: int

    def __call__(self, steps: Sequence[Step], values: Callable[[], FloatArray]) -> float:
        left = max(self.length - len(steps), 1) / self.length
        near = steps[-1].temperature if steps else 1.0
        return temperature_of(self.start * left, values(), near)


def temperature_of(entropy: float, values: FloatArray, near: float = 1.0) -> float:
    """Return the temperature at which r' has a given entropy, as a share of the largest there is.

    It is told from three temperatures close to it, as if the entropy between them lay on a line:
    a schedule needs no more digits. Where no temperature does, as with a single component or with
    values that do not differ, it is one.

    Parameters
    ----------
    entropy : float
    values : array, shape (n, K)
    near : float
        Where the search begins.
    """
    n_components = values.shape[1]
    possible = np.ascontiguousarray(values[np.isfinite(values).any(axis=1)].T)
    if n_components == 1 or possible.shape[1] == 0:
        return 1.0

    def excess(log_temperature: float) -> float:
        mean = kernels.assignment.mean_entropy(possible, exp(log_temperature))
        return float(mean / log(n_components) - entropy)

    here = log(min(max(near, COLDEST), HOTTEST))
    off = excess(here)
    step = -log(FACTOR) if off > 0 else log(FACTOR)
    while log(COLDEST) < here < log(HOTTEST):
        before, off_before = here, off
        here, off = here + step, excess(here + step)
        if (off > 0) != (off_before > 0):
            between = _crossing(before, off_before, here, off)
            return exp(_crossing(between, excess(between), here, off))
    return 1.0


def _crossing(a: float, at_a: float, b: float, at_b: float) -> float:
    """Return where a line through two points is zero."""
    return a if at_a == at_b else a - at_a * (b - a) / (at_b - at_a)
