"""The targets of generalised linear models."""

from typing import NamedTuple

import numpy as np

from ...data import FloatArray, Regression


class Outcomes(NamedTuple):
    """Targets (n,), and the number of trials (n,) that each of them counts the successes of."""

    targets: FloatArray
    trials: FloatArray

    @classmethod
    def of(cls, data: Regression) -> "Outcomes":
        """Return the outcomes of observations with one target."""
        targets = data.targets[:, 0]
        return cls(targets, np.ones(len(targets)) if data.trials is None else data.trials)

    @property
    def as_columns(self) -> "Outcomes":
        """The same with arrays of shape (n, 1)."""
        return Outcomes(self.targets[:, None], self.trials[:, None])


def offset_of(data: Regression) -> FloatArray:
    """Return the offset of each observation, shape (n,)."""
    return np.zeros(len(data)) if data.offset is None else data.offset
