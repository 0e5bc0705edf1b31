"""Kernels of one input as sums of products of simple ones."""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple, Self

import numpy as np
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    ExpSineSquared,
    Kernel,
    Matern,
    Product,
    Sum,
)

from ....data import BoolArray, FloatArray

SMOOTHNESS = {0.5: 1, 1.5: 2, 2.5: 3}  # of Matérn kernels: dimension of their state

NAMES = {  # of hyper-parameters, in the order of scikit-learn; those that are not learned have
    ConstantKernel: ("constant_value",),  # "fixed" for bounds
    RBF: ("length_scale",),
    ExpSineSquared: ("length_scale", "periodicity"),
    Matern: ("length_scale",),
}


class Term(NamedTuple):
    """A product of kernels, by the places of their hyper-parameters.

    Parameters
    ----------
    constants : tuple of int
        Of constant kernels.
    lengths : tuple of int
        Length scales of RBF kernels.
    waves : tuple of pairs of int
        Length scales and periodicities of periodic kernels.
    materns : tuple of pairs of int
        Dimensions of the states, and places of length scales, of Matérn kernels.
    """

    constants: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()
    waves: tuple[tuple[int, int], ...] = ()
    materns: tuple[tuple[int, int], ...] = ()

    def times(self, other: Self) -> "Term":
        """Return the product of two terms."""
        return Term(
            self.constants + other.constants,
            self.lengths + other.lengths,
            self.waves + other.waves,
            self.materns + other.materns,
        )

    @property
    def is_periodic(self) -> bool:
        """Whether it repeats itself forever."""
        return bool(self.waves) and not self.lengths

    def height(self, logs: FloatArray) -> float:
        """Return the product of its constants."""
        return exp(sum(logs[place] for place in self.constants))

    def length(self, logs: FloatArray) -> float:
        """Return the length scale of the product of its RBF kernels; infinite without any."""
        if not self.lengths:
            return np.inf
        return sum(exp(-2 * logs[place]) for place in self.lengths) ** -0.5


class Terms(NamedTuple):
    """A sum of products of kernels.

    Parameters
    ----------
    terms : tuple of Term
    logs : array, shape (q,)
        Logarithms of all hyper-parameters.
    free : array of bool, shape (q,)
        Which of them are learned.
    """

    terms: tuple[Term, ...]
    logs: FloatArray
    free: BoolArray

    @classmethod
    def of(cls, kernel: Kernel) -> Self | None:
        """Read a kernel of scikit-learn; return None if it has parts that are not known."""
        leaves: list[tuple[float, bool]] = []
        terms = _terms(kernel, leaves)
        if terms is None:
            return None
        values, free = zip(*leaves, strict=True)
        return cls(terms, np.log(values), np.array(free))

    def at(self, theta: FloatArray) -> Self:
        """Return these terms with other logarithms of the learned hyper-parameters."""
        logs = self.logs.copy()
        logs[self.free] = theta
        return self._replace(logs=logs)


def _terms(kernel: Kernel, leaves: list[tuple[float, bool]]) -> tuple[Term, ...] | None:
    """Return a kernel as a sum of terms; add value and freedom of hyper-parameters to `leaves`."""
    if type(kernel) in (Sum, Product):
        one, other = _terms(kernel.k1, leaves), _terms(kernel.k2, leaves)
        if one is None or other is None:
            return None
        return one + other if type(kernel) is Sum else _product(one, other)
    term = _leaf(kernel, len(leaves))
    if term is None:
        return None
    for name in NAMES[type(kernel)]:
        value = np.ravel(getattr(kernel, name))
        if len(value) > 1:
            return None
        leaves.append((float(value[0]), not isinstance(getattr(kernel, f"{name}_bounds"), str)))
    return (term,)


def _leaf(kernel: Kernel, place: int) -> Term | None:
    """Return a simple kernel whose first hyper-parameter has this place."""
    if type(kernel) is ConstantKernel:
        return Term(constants=(place,))
    if type(kernel) is RBF:
        return Term(lengths=(place,))
    if type(kernel) is ExpSineSquared:
        return Term(waves=((place, place + 1),))
    if type(kernel) is Matern and kernel.nu in SMOOTHNESS:
        return Term(materns=((SMOOTHNESS[kernel.nu], place),))
    return None


def _product(one: Sequence[Term], other: Sequence[Term]) -> tuple[Term, ...]:
    return tuple(first.times(second) for first in one for second in other)
