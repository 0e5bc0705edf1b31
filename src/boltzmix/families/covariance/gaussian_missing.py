"""Gaussians of rows with missing values.

Independent columns leave missing cells out. Otherwise a missing cell is replaced, under each
component, by its conditional mean given the observed cells of its row, and its conditional
covariance is added to the scatter (Little & Rubin 2019, chapter 11). Rows in which the same
columns are missing are processed together.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self, cast

import numpy as np

from ...data import BoolArray, FloatArray, Hard, IntArray, Membership, Weights
from .covariance import COVARIANCES, Covariance
from .covariance_base import solved
from .moments import Moments, as_kernel_array

DIAGONAL = COVARIANCES["diag"]


@dataclass(frozen=True, eq=False)
class CellMoments(Moments):
    """Moments of each column's own cells, for shapes whose columns are independent.

    Parameters
    ----------
    shape, counts, means, scatters : as of `Moments`
    cells : array, shape (K, d)
        Total weight of the observed values.
    """

    cells: FloatArray

    @classmethod
    def of(cls, shape: Covariance, x: FloatArray, membership: Membership) -> Self:
        """Return the moments of rows x (n, d), in which values are missing."""
        there = ~np.isnan(x)
        known = np.where(there, x, 0.0)
        responsibilities = membership.as_responsibilities()
        cells = responsibilities.T @ there
        somewhere = np.where(cells > 0, cells, 1.0)
        means = responsibilities.T @ known / somewhere
        scatters = np.empty_like(means)
        for k, mean in enumerate(means):
            scatters[k] = responsibilities[:, k] @ np.where(there, x - mean, 0.0) ** 2
        return cls(shape, membership.counts, means, scatters, cells)

    @classmethod
    def read(cls, moments: Moments) -> "CellMoments":
        """Return moments of rows without missing values as those of cells."""
        if isinstance(moments, CellMoments):
            return moments
        cells = np.broadcast_to(moments.counts[:, None], moments.means.shape)
        return cls(moments.shape, moments.counts, moments.means, moments.scatters, cells)

    def __add__(self, other: Moments) -> Self:
        """Merge two sets of rows, each with missing values or without."""
        more = CellMoments.read(other)
        cells = self.cells + more.cells
        fraction = more.cells / np.where(cells > 0, cells, 1.0)
        apart = more.means - self.means
        return replace(
            self,
            counts=self.counts + more.counts,
            means=self.means + apart * fraction,
            scatters=self.scatters + more.scatters + self.cells * fraction * apart**2,
            cells=cells,
        )

    def __radd__(self, other: Moments) -> "CellMoments":
        return CellMoments.read(other) + self

    def __mul__(self, factor: float) -> Self:
        """Return the moments of the same rows, with all weights times `factor`."""
        return replace(super().__mul__(factor), cells=self.cells * factor)

    def replaced(self, k: int, other: Moments) -> Self:
        """Return these moments with those of component k taken from the only one of `other`."""
        more = CellMoments.read(other)
        cells = self.cells.copy()
        cells[k] = more.cells[0]
        return replace(super().replaced(k, cast(Self, more)), cells=cells)

    @property
    def weights(self) -> FloatArray:
        return self.cells

    def completed(self, data_moments: Moments | None) -> Moments:
        """Return moments from which a shape is fitted as if no cell were missing.

        A column without any observed value in a component has the moments of all the data.
        """
        seen = self.cells > 0
        means: FloatArray = self.means
        variances: FloatArray = self.scatters / np.where(seen, self.cells, 1.0)
        if data_moments is not None and not seen.all():
            whole = CellMoments.read(data_moments)
            means = np.where(seen, means, whole.means)
            variances = np.where(seen, variances, whole.scatters / whole.cells)
        variances = self.shape.pooled(variances, np.where(seen, self.cells, 0.0))
        return Moments(self.shape, self.counts, means, variances * self.counts[:, None])


@dataclass(frozen=True, eq=False)
class Patterns:
    """Which columns are missing in each row.

    Parameters
    ----------
    missing : array of bool, shape (P, d)
        The distinct patterns.
    which : array of int, shape (n,)
        The pattern of each row.
    """

    missing: BoolArray
    which: IntArray

    @classmethod
    def of(cls, x: FloatArray) -> Self:
        """Return the patterns of rows x (n, d)."""
        missing = np.isnan(x)
        packed = np.ascontiguousarray(np.packbits(missing, axis=1))
        keys = packed[:, 0]
        if packed.shape[1] > 1:
            keys = packed.view([("", packed.dtype)] * packed.shape[1])[:, 0]
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        return cls(missing[first], which.ravel())

    def take(self, indices: IntArray | slice) -> "Patterns":
        """Return the patterns of some of the rows."""
        return replace(self, which=self.which[indices])

    def __iter__(self) -> Iterator[tuple[BoolArray, IntArray]]:
        """Yield each pattern, and the rows that have it."""
        order = np.argsort(self.which, kind="stable")
        ends = np.searchsorted(self.which[order], np.arange(len(self.missing) + 1))
        for place in np.flatnonzero(np.diff(ends)):
            yield self.missing[place], order[ends[place] : ends[place + 1]]


def conditional(
    x: FloatArray,
    patterns: Patterns,
    mean: FloatArray,
    covariance: FloatArray,
    weights: Weights = None,
) -> tuple[FloatArray, FloatArray]:
    """Replace missing values by their conditional means given the observed ones.

    Parameters
    ----------
    x : array, shape (n, d)
    patterns : Patterns
    mean : array, shape (d,)
    covariance : array, shape (d, d)
    weights : array, shape (n,), optional

    Returns
    -------
    filled : array, shape (n, d)
    uncertain : array, shape (d, d)
        Weighted sum of the conditional covariances of the missing values.
    """
    filled, uncertain = x.copy(), np.zeros_like(covariance)
    for missing, rows in patterns:
        if not missing.any():
            continue
        there = ~missing
        across = covariance[np.ix_(there, missing)]
        slopes = solved(covariance[np.ix_(there, there)], across)
        away = x[np.ix_(rows, there)] - mean[there]
        filled[np.ix_(rows, missing)] = mean[missing] + away @ slopes
        left = covariance[np.ix_(missing, missing)] - across.T @ slopes
        weight = len(rows) if weights is None else weights[rows].sum()
        uncertain[np.ix_(missing, missing)] += weight * left
    return filled, uncertain


def expected_moments(
    shape: Covariance,
    x: FloatArray,
    membership: Membership,
    data_moments: Moments | None,
    means: FloatArray | None = None,
    variances: FloatArray | None = None,
    unweighted: Membership | None = None,
) -> Moments:
    """Return the expected moments of rows x (n, d), given their observed values.

    Components have means (K, d) and variances (K, d, d). Without these, they are estimated from
    the observed cells, as if columns were independent. Where the membership is weighted by the
    precisions of rows, as for Student t, `unweighted` is the one without, by which conditional
    covariances count.
    """
    if means is None or variances is None:
        cells = CellMoments.of(DIAGONAL, x, membership).completed(data_moments)
        means = cells.means
        counts = np.where(cells.counts > 0, cells.counts, 1.0)
        diagonals = cells.scatters / counts[:, None]
        variances = np.stack([np.diag(np.where(one > 0, one, 1.0)) for one in diagonals])
    if isinstance(membership, Hard):
        return _of_labels(shape, x, membership, means, variances, unweighted or membership)
    patterns, parts = Patterns.of(x), []
    for k in range(membership.n_components):
        indices, weights = membership.members(k)
        counted = weights if unweighted is None else unweighted.members(k)[1]
        rows, uncertain = conditional(
            x[indices], patterns.take(indices), means[k], variances[k], counted
        )
        found = Moments.of(shape, as_kernel_array(rows), Hard.of_one(len(rows), weights))
        parts.append((found.counts, found.means, found.scatters + uncertain))
    return Moments(shape, *map(np.concatenate, zip(*parts, strict=True)))


def _of_labels(
    shape: Covariance,
    x: FloatArray,
    membership: Hard,
    means: FloatArray,
    variances: FloatArray,
    unweighted: Membership,
) -> Moments:
    """Return the expected moments of rows that belong to one component each."""
    (k, d), labels = means.shape, membership.labels
    assert isinstance(unweighted, Hard)
    weights = np.ones(len(x)) if unweighted.weights is None else unweighted.weights
    filled, uncertain = x.copy(), np.zeros((k, d, d))
    for missing, rows in Patterns.of(x):
        if not missing.any():
            continue
        there, own = ~missing, labels[rows]
        every = np.arange(k)
        across = variances[np.ix_(every, there, missing)]
        slopes = solved(variances[np.ix_(every, there, there)], across)
        left = variances[np.ix_(every, missing, missing)] - across.transpose(0, 2, 1) @ slopes
        away = x[np.ix_(rows, there)] - means[np.ix_(own, there)]
        expected = means[np.ix_(own, missing)] + np.einsum("nt,ntm->nm", away, slopes[own])
        filled[np.ix_(rows, missing)] = expected
        weight = np.bincount(own, weights[rows], k)
        uncertain[np.ix_(every, missing, missing)] += weight[:, None, None] * left
    found = Moments.of(shape, as_kernel_array(filled), membership)
    return Moments(shape, found.counts, found.means, found.scatters + uncertain)
