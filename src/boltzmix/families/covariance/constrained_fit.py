"""Covariances fitted with what components have in common."""

from dataclasses import dataclass, replace

import numpy as np

from ...data import FloatArray
from ..shared.constants import TINY
from .common_parts import Parts, whole_rows
from .covariance_base import Covariance


@dataclass(frozen=True, eq=False)
class Own:
    """Covariances (F, ...) that components would have without a prior and common parts.

    Parameters
    ----------
    numbers : array, shape (F, 1), or (F, d) where columns have different ones
        Total responsibilities.
    weights : array
        The same in a form that broadcasts against variances.
    variances : array, shape (F, ...)
    """

    numbers: FloatArray
    weights: FloatArray
    variances: FloatArray

    @classmethod
    def of(cls, numbers: FloatArray, variances: FloatArray) -> "Own":
        """Read numbers (F, 1) or (F, d), and variances (F, ...)."""
        weights = numbers
        if numbers.shape[1] == 1:
            weights = numbers.reshape(-1, *(1,) * (variances.ndim - 1))
        return cls(numbers, weights, variances)

    @property
    def pooled(self) -> FloatArray:
        """The covariance within components."""
        total = np.maximum(self.weights.sum(axis=0), TINY)
        return np.asarray((self.weights * self.variances).sum(axis=0) / total)

    def pulled(self, common: FloatArray, strength: float) -> "Own":
        """Return these after as many more observations as `strength` with covariance `common`."""
        weights = self.weights + strength
        variances = (self.weights * self.variances + strength * common) / weights
        return Own(self.numbers + strength, weights, np.asarray(variances))


@dataclass(frozen=True, eq=False)
class Constraint:
    """What covariances have in common, at the start of their fit.

    Parameters
    ----------
    shape : Covariance
    before : array, shape (F, ...), optional
        Covariances before this fit, if there are any.
    is_frozen : bool
        Whether what covariances have in common stays as it was.
    parts : tuple of arrays, optional
        What covariances have in common now.
    """

    shape: Covariance
    before: FloatArray | None
    is_frozen: bool = False
    parts: Parts | None = None

    @classmethod
    def of(cls, shape: Covariance, before: FloatArray | None, is_frozen: bool) -> "Constraint":
        """Read what covariances have in common before a fit."""
        is_frozen = is_frozen and before is not None
        parts = None if before is None else shape.in_common.read(before)
        return cls(shape, before, is_frozen, parts)

    def fit(self, own: Own) -> tuple["Constraint", FloatArray]:
        """Return what covariances have in common now, and the most likely ones (F, ...)."""
        in_common, weights, variances = self.shape.in_common, own.weights, own.variances
        if len(variances) == 1 and not self.is_frozen:
            return self, variances
        if in_common.needs_rows and own.numbers.shape[1] > 1:
            before = variances if self.before is None else self.before
            weights, variances = whole_rows(weights, variances, before)
        parts = self.parts
        if parts is None or not self.is_frozen:
            parts = in_common.learn(weights, variances, parts)
        return replace(self, parts=parts), in_common.given(parts, weights, variances)
