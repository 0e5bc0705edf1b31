"""Parts that the covariances of K components have in common: a volume, a shape, an orientation.

A covariance is lambda_k D_k A_k D_k^T (Celeux & Govaert 1995): a volume times a shape A_k, a
diagonal of determinant one, in an orientation D_k. Each class here fits covariances in which some
of these are equal to the covariances `own` that components would have without this constraint.

Arrays: `own` (K,), (K, d) or (K, d, d); `weights` are the total responsibilities of components, in
a form that broadcasts against `own`: (K, 1, …), or (K, d) where columns have different ones.
"""

from abc import ABC, abstractmethod

import numpy as np

from ...data import FloatArray
from ..shared.constants import TINY

STEPS = 20  # of an iterative fit, at most
CHANGE = 1e-8  # relative change of volumes below which these end

Parts = tuple[FloatArray, ...]


class CommonParts(ABC):
    """How components have some parts of their covariances in common."""

    needs_rows = False  # whether all columns of a component must have the same weight

    @abstractmethod
    def read(self, variances: FloatArray) -> Parts:
        """Return the common parts of the covariances of a fitted mixture."""

    @abstractmethod
    def learn(self, weights: FloatArray, own: FloatArray, start: Parts | None) -> Parts:
        """Return the most likely common parts, or likelier ones than `start`."""

    @abstractmethod
    def given(self, parts: Parts, weights: FloatArray, own: FloatArray) -> FloatArray:
        """Return the most likely covariances that have these parts in common."""


class NoCommonParts(CommonParts):
    """Every component has a covariance of its own."""

    def read(self, variances: FloatArray) -> Parts:
        return ()

    def learn(self, weights: FloatArray, own: FloatArray, start: Parts | None) -> Parts:
        return ()

    def given(self, parts: Parts, weights: FloatArray, own: FloatArray) -> FloatArray:
        return own


class EqualCovariances(CommonParts):
    """All components have the same covariance."""

    def read(self, variances: FloatArray) -> Parts:
        return (variances[0],)

    def learn(self, weights: FloatArray, own: FloatArray, start: Parts | None) -> Parts:
        return ((weights * own).sum(axis=0) / weights.sum(axis=0),)

    def given(self, parts: Parts, weights: FloatArray, own: FloatArray) -> FloatArray:
        return np.broadcast_to(parts[0], own.shape)


class ProportionalCovariances(CommonParts):
    """Covariances are volumes times a common matrix, or times a common diagonal.

    Given the common matrix C, volumes are the means of own variances relative to C. Given these, C
    is the mean of own covariances over volumes. Both are computed in turn. The scale of C does not
    matter.
    """

    def read(self, variances: FloatArray) -> Parts:
        return ((variances / _traces(variances)).mean(axis=0),)

    def learn(self, weights: FloatArray, own: FloatArray, start: Parts | None) -> Parts:
        common = self.read(own)[0] if start is None else start[0]
        volumes = self._volumes(common, weights, own)
        for _ in range(STEPS):
            with np.errstate(over="ignore", invalid="ignore"):  # if one is singular
                common = (weights * own / volumes).sum(axis=0) / weights.sum(axis=0)
            before, volumes = volumes, self._volumes(common, weights, own)
            if (np.abs(volumes - before) <= CHANGE * before).all():
                break
        return (common,)

    def given(self, parts: Parts, weights: FloatArray, own: FloatArray) -> FloatArray:
        return self._volumes(parts[0], weights, own) * parts[0]

    @staticmethod
    def _volumes(common: FloatArray, weights: FloatArray, own: FloatArray) -> FloatArray:
        """Return the most likely volumes, given what they multiply."""
        if own.ndim == 3:
            ratios = (np.linalg.inv(common) * own).sum(axis=(1, 2), keepdims=True) / own.shape[1]
        else:
            weights = np.broadcast_to(weights, own.shape)
            ratios = (weights * own / common).sum(axis=1, keepdims=True)
            ratios /= np.maximum(weights.sum(axis=1, keepdims=True), TINY)
        return np.maximum(ratios, TINY)


class EqualVolumes(CommonParts):
    """Covariances have the same volume: the d-th root of the determinant."""

    needs_rows = True

    def read(self, variances: FloatArray) -> Parts:
        return (_volumes(variances).mean(axis=0),)

    def learn(self, weights: FloatArray, own: FloatArray, start: Parts | None) -> Parts:
        return ((weights * _volumes(own)).sum(axis=0) / weights.sum(axis=0),)

    def given(self, parts: Parts, weights: FloatArray, own: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):  # if one is singular
            return np.asarray(parts[0] / _volumes(own) * own)


def whole_rows(
    weights: FloatArray, own: FloatArray, before: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return weights (K, 1) and variances (K, d), from those of columns with missing values.

    Missing values count with the variances `before` this fit. Their expected log density is
    highest at these, so a fit that raises the likelihood of all values raises that of the
    observed ones.
    """
    most = weights.max(axis=1, keepdims=True)
    return most, (weights * own + (most - weights) * before) / most


def _traces(matrices: FloatArray) -> FloatArray:
    """Return the traces of K matrices or diagonals, in a form that broadcasts against these."""
    if matrices.ndim == 3:
        return np.trace(matrices, axis1=1, axis2=2)[:, None, None]
    return matrices.sum(axis=1, keepdims=True)


def _volumes(variances: FloatArray) -> FloatArray:
    """Return the d-th roots of determinants, in a form that broadcasts; zero if not positive."""
    d = variances.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        if variances.ndim == 3:
            signs, logarithms = np.linalg.slogdet(variances)
            return np.where(signs > 0, np.exp(logarithms / d), 0.0)[:, None, None]
        return np.exp(np.log(variances).mean(axis=1, keepdims=True))
