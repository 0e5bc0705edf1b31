"""The moments of rows, to which Gaussians are fitted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ... import kernels
from ...data import FloatArray, Hard, Membership, Weights
from ..shared.constants import TINY
from .covariance import Covariance


@dataclass(frozen=True, eq=False)
class Moments:
    """Total weights, means and scatters about the means of K components.

    Parameters
    ----------
    shape : Covariance
    counts : array, shape (K,)
    means : array, shape (K, d)
    scatters : array, shape (K, d, d) or (K, d)
    """

    shape: Covariance
    counts: FloatArray
    means: FloatArray
    scatters: FloatArray

    @classmethod
    def of(cls, shape: Covariance, x: FloatArray, membership: Membership) -> Self:
        """Measure rows x (n, d)."""
        rows, arrays = as_kernel_array(x), cls.empty(shape, membership.n_components, x.shape[1])
        if isinstance(membership, Hard):
            labels = np.ascontiguousarray(membership.labels, dtype=np.int32)
            weights = np.empty(0) if membership.weights is None else membership.weights
            kernels.moments.hard_moments(rows, labels, as_kernel_array(weights), *arrays)
        else:
            kernels.moments.soft_moments(
                rows, as_kernel_array(membership.responsibilities.T), *arrays
            )
        return cls(shape, *arrays)

    @classmethod
    def of_columns(cls, shape: Covariance, x: FloatArray, weights: Weights) -> Self:
        """Measure rows x (n, d) of one component, each column alone."""
        own = np.ones((len(x), 1)) if weights is None else weights[:, None]
        count = own.sum(axis=0)
        with np.errstate(over="ignore", invalid="ignore"):
            centred = x - x[0]
            middle = (own * centred).sum(axis=0) / np.maximum(count, TINY)
            centred -= middle
            scatter = (own * centred**2).sum(axis=0)
        return cls(shape, count, (x[0] + middle)[None], scatter[None])

    @staticmethod
    def empty(shape: Covariance, k: int, d: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return empty counts, means and scatters, into which a kernel writes."""
        return np.empty(k), np.empty((k, d)), np.empty((k, d, d) if shape.is_full else (k, d))

    @classmethod
    def joined(cls, moments: "Sequence[Moments]") -> "Moments":
        """Return the moments of the components of several sets, one set after the other."""
        return replace(
            moments[0],
            counts=np.concatenate([one.counts for one in moments]),
            means=np.concatenate([one.means for one in moments]),
            scatters=np.concatenate([one.scatters for one in moments]),
        )

    def __add__(self, other: Self) -> Self:
        """Merge two sets of rows, by the distance of their means, so that no digits cancel."""
        counts = self.counts + other.counts
        fraction = other.counts / np.where(counts > 0, counts, 1)
        apart = other.means - self.means
        between = self.shape.between(apart, self.counts * fraction)
        return replace(
            self,
            counts=counts,
            means=self.means + apart * fraction[:, None],
            scatters=self.scatters + other.scatters + between,
        )

    def __mul__(self, factor: float) -> Self:
        """Return the moments of the same rows, with all weights times `factor`."""
        return replace(self, counts=self.counts * factor, scatters=self.scatters * factor)

    @property
    def weights(self) -> FloatArray:
        """Total weight of the observed values of each column, shape (K, 1) or (K, d)."""
        return self.counts[:, None]

    def completed(self, data_moments: "Moments | None") -> "Moments":
        """Return these moments, because no value is missing."""
        return self

    def part(self, own: slice) -> Self:
        """Return the moments of some of the components."""
        counts, means, scatters = self.counts[own], self.means[own], self.scatters[own]
        return replace(self, counts=counts, means=means, scatters=scatters)

    def replaced(self, k: int, other: Self) -> Self:
        """Return these moments with those of components from k on taken from `other`."""
        mine, own = (self.counts, self.means, self.scatters), slice(k, k + len(other.counts))
        counts, means, scatters = (array.copy() for array in mine)
        counts[own], means[own], scatters[own] = other.counts, other.means, other.scatters
        return replace(self, counts=counts, means=means, scatters=scatters)


def as_kernel_array(array: FloatArray) -> FloatArray:
    """Return an array of double precision that is contiguous, as kernels need it.

    It is a copy if the array is read-only: another kernel is compiled for such, whose results may
    differ in the last bit.
    """
    found = np.ascontiguousarray(array, dtype=float)
    return found if found.flags.writeable else found.copy()
