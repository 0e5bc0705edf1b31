"""Additive families with latent variables, which are fitted by steps of EM."""

from typing import Any, Self

import numpy as np

from ...data import FloatArray
from ..additive import AdditiveFamily


class LatentVariableFamily(AdditiveFamily):
    """A family fitted by ``n_steps`` of EM from its parameters; a mixture's M-step takes one."""

    n_steps: int

    def fit(
        self,
        data: Any,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Return a new component, `n_steps` of EM from this one."""
        fitted = self.prepare(data, 1, weights)
        for _ in range(self.n_steps):
            fitted = fitted.from_statistics(fitted.summarise(data, weights), rng)
        return fitted
