"""A prior that pulls the covariances of all components towards a common one.

The prior of a covariance Sigma_k is proportional to exp(-nu KL(N(0, P) | N(0, Sigma_k))), the
density of an inverse Wishart distribution around P but for a constant: it is largest where Sigma_k
is P, and it is the same in all units and rotations of the columns. Given P, the most probable
covariance is (S_k + nu P) / (n_k + nu) for a scatter S_k of n_k observations: as if nu more
observations with covariance P had been seen. Given the covariances, the most probable P is their
harmonic mean. Both are found in turn, from the pooled within-component covariance on.
"""

from dataclasses import dataclass

import numpy as np

from ...data import BoolArray, FloatArray
from .constants import TINY
from .covariance import Covariance

ROUNDS = 2  # in which covariances and P are found in turn, at each M-step


@dataclass(frozen=True, eq=False)
class PooledCovariance:
    """The prior of the covariances of K components.

    Parameters
    ----------
    shape : Covariance
    strength : float
        Number nu of observations that the prior stands for.
    variance : array, optional
        The common covariance P, in the form of the shape; unknown before the first fit.
    is_frozen : bool
        Whether P stays as it is.
    """

    shape: Covariance
    strength: float
    variance: FloatArray | None = None
    is_frozen: bool = False

    def fit(
        self,
        variances: FloatArray,
        numbers: FloatArray,
        own: FloatArray,
        fitted: BoolArray,
    ) -> tuple[FloatArray, FloatArray | None]:
        """Return the most probable covariances (K, ...), and the common one.

        Parameters
        ----------
        variances : array, shape (K, ...)
            Covariances before this fit, for components that are not fitted.
        numbers : array, shape (F, 1), or (F, d) where columns have different ones
            Total responsibilities of the components that are fitted.
        own : array, shape (F, ...)
            Their covariances without a prior.
        fitted : array of bool, shape (K,)
            Which components are fitted.
        """
        if self.strength == 0 or self.shape.shared:
            return own, self.variance
        if len(variances) == 1 and not self.is_frozen:
            return own, own[0]
        weights = numbers
        if numbers.shape[1] == 1:
            weights = numbers.reshape(-1, *(1,) * (own.ndim - 1))
        common = self.variance
        if common is None:
            common = (weights * own).sum(axis=0) / np.maximum(weights.sum(axis=0), TINY)
        found, everyone = self._pulled(own, weights, common), variances.copy()
        for _ in range(0 if self.is_frozen else ROUNDS):
            everyone[fitted] = found
            before, common = common, self.shape.harmonic_mean(everyone)
            if fitted.all() and numbers.shape[1] == 1:
                common = self._further(before, common, own, numbers)
            found = self._pulled(own, weights, common)
        return found, common

    def _further(
        self, before: FloatArray, mean: FloatArray, own: FloatArray, numbers: FloatArray
    ) -> FloatArray:
        """Return a common covariance further on from `before` than the harmonic mean, if better.

        The fewer observations components have, the closer they are to the common covariance, and
        the shorter is the step to their harmonic mean.
        """
        weights = numbers.reshape(-1, *(1,) * (own.ndim - 1))

        def log_density(common: FloatArray) -> float:
            """Return what depends on P of the log posterior, maximised over covariances."""
            pulled = self.shape.log_volumes(self._pulled(own, weights, common))
            volume = self.shape.log_volumes(common[None])[0]
            return float((self.strength * volume - (numbers[:, 0] + self.strength) * pulled).sum())

        factor = 1 + self.strength / np.maximum(numbers.mean(), 1)
        further = self.shape.symmetric(before + factor * (mean - before))
        return further if log_density(further) > log_density(mean) else mean

    def _pulled(self, own: FloatArray, weights: FloatArray, common: FloatArray) -> FloatArray:
        return np.asarray((weights * own + self.strength * common) / (weights + self.strength))

    def log_densities(self, whitening: FloatArray, d: int) -> FloatArray:
        """Return the log densities (K,) at K covariances, given by their whitening."""
        if self.strength == 0 or self.shape.shared or self.variance is None:
            return np.zeros(len(whitening))
        shape, common = self.shape, self.variance[None]
        log_ratios = shape.log_determinants(whitening, d) - shape.log_determinants(
            shape.whitening(common), d
        )
        traces = shape.traces(shape.precisions(whitening), self.variance, d)
        return np.asarray(self.strength * (log_ratios - (traces - d) / 2))
