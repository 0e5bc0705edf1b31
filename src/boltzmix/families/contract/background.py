"""The background of a mixture, from which noise or outliers come."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data import FloatArray, Weights
from .bank import Bank
from .base import Family

LEAST_WEIGHT = 10 * float(np.finfo(float).eps)
WIDTH_OF_BACKGROUND = 3.0  # times as wide as the data is where outliers come from


def outlier_weight(family: Family, n_features: int) -> float:
    """Return how much of the background of outliers lies where the data are.

    The background is wider than the data in every direction, so that it takes no observations from
    components, however many columns there are.
    """
    inside = WIDTH_OF_BACKGROUND ** -float(n_features)
    return max(family.outliers * inside, float(np.finfo(float).tiny))


@dataclass(frozen=True)
class Background:
    """Where the noise of a mixture comes from. It is never fitted.

    Parameters
    ----------
    distribution : Family
        Such as `Family.background` returns.
    given_weight : float, optional
        Its mixing weight, if that is not learned.
    """

    distribution: Family
    given_weight: float | None = None

    def log_prob(self, data: Any) -> FloatArray:
        """Return the log density of each observation, shape (n,)."""
        return Bank([self.distribution]).log_prob(data)[:, 0]

    def log_marginal(self, data: Any, weights: Weights) -> float:
        """Return the joint log-likelihood of observations, which are independent."""
        log_densities = self.distribution.log_prob(data)
        return float(log_densities.sum() if weights is None else weights @ log_densities)

    def weight(self, counts: FloatArray) -> float:
        """Return its mixing weight, from the total responsibilities (K + 1,), its own last."""
        if self.given_weight is not None:
            return self.given_weight
        return float(np.clip(counts[-1] / counts.sum(), LEAST_WEIGHT, 1 - LEAST_WEIGHT))
