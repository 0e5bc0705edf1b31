"""Kernels of one input as sums of waves: which frequencies they need, and their variances."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Product, Sum

from ...data import BoolArray, FloatArray

Span = tuple[float, float]

DEVIATIONS = 8.0  # an RBF kernel, or its spectral density, is below 1e-13 of its peak beyond
LEAST_MARGIN = 0.25  # of a period beyond the span of inputs, as a fraction of the span


class Frequencies(NamedTuple):
    """Equally spaced frequencies of waves: multiples of one per period.

    Parameters
    ----------
    origin : float
        The input where all waves have angle zero.
    period : float
    highest : int
        The highest multiple J. There are 2 J + 1 features: a constant, cosines and sines.
    """

    origin: float
    period: float
    highest: int

    @property
    def n_features(self) -> int:
        return 2 * self.highest + 1

    @property
    def angular(self) -> FloatArray:
        """Angular frequencies, shape (J + 1,)."""
        return 2 * np.pi / self.period * np.arange(self.highest + 1)

    def angles(self, inputs: FloatArray) -> FloatArray:
        """Return the angles of the first wave at inputs (n, 1), shape (n,)."""
        turns = (inputs[:, 0] - self.origin) / self.period
        return 2 * np.pi * (turns - np.floor(turns))


class Term(NamedTuple):
    """A product of constants and RBF kernels, by the places of their hyper-parameters."""

    constants: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()

    def times(self, other: Self) -> "Term":
        """Return the product of two terms."""
        return Term(self.constants + other.constants, self.lengths + other.lengths)

    def length(self, logs: FloatArray) -> float:
        """Return the length scale of the product of its RBF kernels; infinite without any."""
        if not self.lengths:
            return np.inf
        return float(np.exp(-2 * logs[list(self.lengths)]).sum() ** -0.5)

    def variances(self, logs: FloatArray, frequencies: Frequencies) -> tuple[FloatArray, Any]:
        """Return the variances of waves (J + 1,) and their slopes, by place of the parameter."""
        angular, length = frequencies.angular, self.length(logs)
        height = np.exp(logs[list(self.constants)].sum())
        if not self.lengths:
            variances = height * (angular == 0)
            return variances, dict.fromkeys(self.constants, variances)
        squares = (angular * length) ** 2
        scale = 2 * np.sqrt(2 * np.pi) * length / frequencies.period
        variances = height * scale * np.exp(-0.5 * squares)
        variances[0] *= 0.5
        slopes = dict.fromkeys(self.constants, variances)
        by_length = variances * (1 - squares)
        slopes |= {one: by_length * length**2 * np.exp(-2 * logs[one]) for one in self.lengths}
        return variances, slopes


class Spectrum(NamedTuple):
    """A sum of products of constants and RBF kernels of one input.

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
    def of(cls, kernel: Any) -> Self | None:
        """Read a kernel of scikit-learn; return None if it is not such a sum."""
        leaves: list[Any] = []
        terms = _terms(kernel, leaves)
        if terms is None:
            return None
        logs = [np.log(value) for value, _ in leaves]
        return cls(terms, np.array(logs), np.array([free for _, free in leaves], dtype=bool))

    def at(self, theta: FloatArray) -> Self:
        """Return the same with other logarithms of the hyper-parameters that are learned."""
        logs = self.logs.copy()
        logs[self.free] = theta
        return self._replace(logs=logs)

    def frequencies(self, low: float, high: float) -> Frequencies:
        """Return the frequencies that represent the kernel for inputs between low and high.

        The period is longer than the span of inputs by the distance at which the kernel vanishes.
        It is rounded up, so that the same waves serve similar hyper-parameters.
        """
        lengths = [term.length(self.logs) for term in self.terms if term.lengths]
        span = high - low
        reach = DEVIATIONS * max(lengths, default=1.0)
        margin = max(2 ** (np.ceil(2 * np.log2(reach)) / 2), LEAST_MARGIN * span)
        shortest = min(lengths, default=np.inf)
        highest = np.ceil(DEVIATIONS * (span + margin) / (2 * np.pi * shortest))
        return Frequencies(low, span + margin, int(min(highest, 1e9)))

    def least_logs(self, low: float, high: float, n_features: int) -> FloatArray:
        """Return the least logarithms of all hyper-parameters with at most so many features, (q,).

        Only those of length scales have a least one.
        """
        period = max((1 + LEAST_MARGIN) * (high - low), np.finfo(float).tiny)
        least = np.full(len(self.logs), -np.inf)
        for term in self.terms:
            least[list(term.lengths)] = np.log(DEVIATIONS * period / (np.pi * (n_features - 3)))
        return least

    def nearer(self, inputs: FloatArray, low: float, high: float) -> FloatArray:
        """Return inputs at which a function has the same distribution, close to low and high.

        The function is given points between low and high, and depends on them only up to some
        distance.
        """
        lengths = [term.length(self.logs) for term in self.terms if term.lengths]
        reach = DEVIATIONS * max(lengths, default=0.0)
        return np.clip(inputs, low - reach, high + reach)

    def variances(self, frequencies: Frequencies) -> tuple[FloatArray, FloatArray]:
        """Return variances of features, (2 J + 1,), and their slopes along theta, (t, 2 J + 1)."""
        total = np.zeros(frequencies.highest + 1)
        slopes = np.zeros((len(self.logs), len(total)))
        for term in self.terms:
            variances, by_place = term.variances(self.logs, frequencies)
            total += variances
            for place, slope in by_place.items():
                slopes[place] += slope
        slopes = slopes[self.free]
        return np.append(total, total[1:]), np.hstack([slopes, slopes[:, 1:]])


def _terms(kernel: Any, leaves: list[Any]) -> tuple[Term, ...] | None:
    """Return a kernel as a sum of terms; add value and freedom of hyper-parameters to `leaves`."""
    if type(kernel) in (Sum, Product):
        parts = _terms(kernel.k1, leaves), _terms(kernel.k2, leaves)
        if parts[0] is None or parts[1] is None:
            return None
        return parts[0] + parts[1] if type(kernel) is Sum else _product(parts[0], parts[1])
    place = len(leaves)
    if type(kernel) is ConstantKernel:
        leaves.append((kernel.constant_value, not kernel.hyperparameter_constant_value.fixed))
        return (Term(constants=(place,)),)
    if type(kernel) is RBF and np.size(kernel.length_scale) == 1:
        free = not kernel.hyperparameter_length_scale.fixed
        leaves.append((float(np.ravel(kernel.length_scale)[0]), free))
        return (Term(lengths=(place,)),)
    return None


def _product(one: Sequence[Term], other: Sequence[Term]) -> tuple[Term, ...]:
    return tuple(first.times(second) for first in one for second in other)


def range_of(inputs: FloatArray) -> Span:
    """Return the least and the greatest of inputs (n, 1)."""
    return float(inputs.min()), float(inputs.max())


def wider(span: Span | None, inputs: FloatArray) -> Span:
    """Return the least span that contains a span and inputs (n, 1)."""
    low, high = range_of(inputs)
    return (low, high) if span is None else (min(low, span[0]), max(high, span[1]))
