"""What a mixture is learned from, and where learning begins."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..data import Data, FloatArray, IntArray
from ..families.base import Bank


@dataclass(frozen=True)
class Evidence:
    """Observations, with what is known of them.

    Parameters
    ----------
    data : Data
        The observations.
    sample_weight : array, shape (n,), optional
        Weights of the observations.
    known : array of int, shape (n,), optional
        Labels that are known, or minus one.
    """

    data: Data
    sample_weight: FloatArray | None = None
    known: IntArray | None = None

    def __len__(self) -> int:
        return len(self.data)

    @property
    def total(self) -> float:
        """Weight of all observations together."""
        return float(len(self) if self.sample_weight is None else self.sample_weight.sum())

    @property
    def everything(self) -> tuple[Data, FloatArray | None, IntArray | None]:
        """All observations, their weights, and their known labels."""
        return self.data, self.sample_weight, self.known

    def part(self, indices: IntArray | slice) -> tuple[Data, FloatArray | None, IntArray | None]:
        """Return some of the observations, their weights, and their known labels."""
        return (
            self.data.take(indices),
            None if self.sample_weight is None else self.sample_weight[indices],
            None if self.known is None else self.known[indices],
        )

    def thinned(self, most: int) -> "Evidence":
        """Return so many of the observations at most, evenly taken and read into memory."""
        return Evidence(*self.part(np.linspace(0, len(self) - 1, min(most, len(self))).astype(int)))


class Start(NamedTuple):
    """Where a run begins: fitted components and their weights."""

    bank: Bank
    weights: FloatArray
