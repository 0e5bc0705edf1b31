"""Temperature schedules: from the iteration to how freely observations explore."""

from dataclasses import dataclass
from typing import Protocol


class Temperature(Protocol):
    """A schedule: iteration in, temperature out."""

    def __call__(self, iteration: int) -> float: ...


@dataclass(frozen=True)
class Constant:
    """The same temperature throughout."""

    value: float = 1.0

    def __call__(self, iteration: int) -> float:
        return self.value


@dataclass(frozen=True)
class Geometric:
    """τ_t = τ_0 α^t, but not below the floor."""

    start: float
    cooling: float
    floor: float

    def __call__(self, iteration: int) -> float:
        return max(self.start * self.cooling**iteration, self.floor)


@dataclass(frozen=True)
class RisingBeta:
    """1/τ = β rises geometrically until it is one."""

    start: float
    growth: float

    def __call__(self, iteration: int) -> float:
        return max(self.growth**-iteration / self.start, 1.0)
