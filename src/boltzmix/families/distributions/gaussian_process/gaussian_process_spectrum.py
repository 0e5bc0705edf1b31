"""Kernels of one input as sums of waves: which frequencies they need, and their variances."""

from math import ceil, exp, log2, pi
from typing import NamedTuple, Self

import numpy as np
from scipy.special import ive

from ....data import FloatArray
from .gaussian_process_terms import Term, Terms

Span = tuple[float, float]

DEVIATIONS = 8.0  # an RBF kernel, or its spectral density, is below 1e-13 of its peak beyond
NEGLIGIBLE = 1e-16  # times the greatest: harmonics of a periodic kernel with less are left out
CONCENTRATED = 1e6  # periodic kernels beyond it have thousands of harmonics, which are not computed
LEAST_MARGIN = 0.25  # of a period beyond the span of inputs, as a fraction of the span


WithSlopes = tuple[
    FloatArray, dict[int, FloatArray]
]  # slopes by the places of the hyper-parameters


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


class Spectrum(NamedTuple):
    """A sum of products of constants, RBF and periodic kernels of one input."""

    terms: Terms

    @classmethod
    def of(cls, terms: Terms | None) -> Self | None:
        """Return the spectrum of a kernel, or None if there is none, or not on such frequencies.

        Terms that repeat themselves forever must do so with one periodicity.
        """
        if terms is None or any(one.materns or len(one.waves) > 1 for one in terms.terms):
            return None
        places = {one.waves[0][1] for one in terms.terms if one.is_periodic}
        return cls(terms) if len(places) <= 1 else None

    def at(self, theta: FloatArray) -> Self:
        """Return this approximation with other logarithms of the learned hyper-parameters."""
        return self._replace(terms=self.terms.at(theta))

    @property
    def periodicity(self) -> int | None:
        """Place of the periodicity with which terms repeat themselves forever, if any do."""
        places = (one.waves[0][1] for one in self.terms.terms if one.is_periodic)
        return next(places, None)

    @property
    def _lengths(self) -> list[float]:
        """Length scales of terms that vanish at a distance."""
        return [one.length(self.terms.logs) for one in self.terms.terms if one.lengths]

    def frequencies(self, low: float, high: float) -> Frequencies:
        """Return the frequencies that represent the kernel for inputs between low and high.

        The period is longer than the span of inputs by the distance at which the kernel vanishes.
        It is rounded up, so that the same waves serve similar hyper-parameters; and to a multiple
        of the periodicity with which terms repeat themselves.
        """
        span, reach, logs = (
            high - low,
            DEVIATIONS * max(self._lengths, default=0.0),
            self.terms.logs,
        )
        period = 0.0
        if reach > 0:
            period = span + max(2 ** (ceil(4 * log2(reach)) / 4), LEAST_MARGIN * span)
        if self.periodicity is not None:
            one = exp(logs[self.periodicity])
            period = one * max(1, ceil(period / one))
        period = period or 1.0
        widest = max(_bandwidth(term, logs) for term in self.terms.terms)
        return Frequencies(low, period, ceil(min(widest * period / (2 * pi), 1e9)))

    def least_logs(self, low: float, high: float, n_features: int) -> FloatArray:
        """Return the least logarithms of all hyper-parameters with at most so many features, (q,).

        Only those of the length scales of RBF kernels have a least one.
        """
        period = max((1 + LEAST_MARGIN) * (high - low), np.finfo(float).tiny)
        least = np.full(len(self.terms.logs), -np.inf)
        for term in self.terms.terms:
            least[list(term.lengths)] = np.log(DEVIATIONS * period / (np.pi * (n_features - 3)))
        return least

    def nearer(self, inputs: FloatArray, low: float, high: float) -> FloatArray:
        """Return inputs at which a function has the same distribution, close to low and high.

        The function is given points between low and high. It depends on them only up to some
        distance, or repeats itself.
        """
        reach = DEVIATIONS * max(self._lengths, default=0.0)
        near = np.clip(inputs, low - reach, high + reach)
        if self.periodicity is not None:
            near = near + np.fmod(inputs - near, np.exp(self.terms.logs[self.periodicity]))
        return near

    def variances(self, frequencies: Frequencies) -> tuple[FloatArray, FloatArray]:
        """Return variances of features, (2 J + 1,), and their slopes along theta, (t, 2 J + 1).

        Slopes along the periodicity with which terms repeat themselves are zero, because these
        change the waves.
        """
        total = np.zeros(frequencies.highest + 1)
        slopes = np.zeros((len(self.terms.logs), len(total)))
        for term in self.terms.terms:
            variances, by_place = _variances(term, self.terms.logs, frequencies)
            total += variances
            for place, slope in by_place.items():
                slopes[place] += slope
        slopes = slopes[self.terms.free]
        return _for_features(total), np.hstack([slopes, slopes[:, 1:]])

    def periodic_variances(self, frequencies: Frequencies) -> FloatArray:
        """Return the variances of features (2 J + 1,) of the terms that repeat themselves."""
        total = np.zeros(frequencies.highest + 1)
        for term in self.terms.terms:
            if term.is_periodic:
                total += _variances(term, self.terms.logs, frequencies)[0]
        return _for_features(total)


def _for_features(variances: FloatArray) -> FloatArray:
    """Return the variances of cosines and sines, given those of frequencies."""
    return np.append(variances, variances[1:])


def _harmonics(term: Term, logs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the Fourier coefficients of a periodic kernel, and their slopes along its length."""
    concentration = _concentration(term, logs)
    most = int(np.ceil(1.1 * DEVIATIONS * np.sqrt(concentration) + 2 * DEVIATIONS))
    heights = ive(np.arange(most + 2), concentration)
    around = 0.5 * (np.append(heights[1], heights[:-2]) + heights[1:])
    slopes = -2 * concentration * (around - heights[:-1])
    count = np.count_nonzero(heights[:-1] > NEGLIGIBLE * heights[0])
    return heights[:count], slopes[:count]


def _n_harmonics(term: Term, logs: FloatArray) -> float:
    """Return how many Fourier coefficients a periodic kernel has, about so if they are many."""
    concentration = _concentration(term, logs)
    if concentration > CONCENTRATED:  # then they fall like a Gaussian density
        return float(np.sqrt(-2 * np.log(NEGLIGIBLE) * concentration))
    return len(_harmonics(term, logs)[0])


def _concentration(term: Term, logs: FloatArray) -> float:
    """Return the concentration of a periodic kernel, one over its squared length scale."""
    return float(np.exp(-2 * logs[term.waves[0][0]]))


def _bandwidth(term: Term, logs: FloatArray) -> float:
    """Return the angular frequency beyond which a term has no variance."""
    widest = DEVIATIONS / term.length(logs)
    if term.waves:
        widest += 2 * pi * exp(-logs[term.waves[0][1]]) * (_n_harmonics(term, logs) - 1)
    return widest


def _variances(term: Term, logs: FloatArray, frequencies: Frequencies) -> WithSlopes:
    """Return the variances of waves (J + 1,) and their slopes, by place of the parameter."""
    if term.is_periodic:
        variances, slopes = _periodic(term, logs, frequencies)
    elif term.waves:
        variances, slopes = _decaying(term, logs, frequencies)
    elif term.lengths:
        variances, by_length, _ = _gaussian(term, logs, frequencies, frequencies.angular)
        slopes = _by_lengths(term, logs, by_length)
    else:
        variances, slopes = 1.0 * (np.arange(frequencies.highest + 1) == 0), {}
    height = term.height(logs)
    slopes = {place: height * slope for place, slope in slopes.items()}
    return height * variances, slopes | dict.fromkeys(term.constants, height * variances)


def _gaussian(
    term: Term, logs: FloatArray, frequencies: Frequencies, angular: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return an RBF kernel's variances at angular frequencies; slopes by log length and frequency.

    The first frequency belongs to one feature, the others to two.
    """
    length = term.length(logs)
    squares = (angular * length) ** 2
    variances = 2 * np.sqrt(2 * np.pi) * length / frequencies.period * np.exp(-0.5 * squares)
    variances[0] *= 0.5
    return variances, variances * (1 - squares), -variances * angular * length**2


def _by_lengths(term: Term, logs: FloatArray, slope: FloatArray) -> dict[int, FloatArray]:
    """Return slopes along log length scales, given that along the one of their product."""
    length = term.length(logs)
    return {one: slope * length**2 * np.exp(-2 * logs[one]) for one in term.lengths}


def _periodic(term: Term, logs: FloatArray, frequencies: Frequencies) -> WithSlopes:
    """Return variances and slopes of a periodic kernel: only multiples of its frequency count."""
    place, periodicity = term.waves[0]
    every = round(frequencies.period / float(np.exp(logs[periodicity])))
    both = np.zeros((2, frequencies.highest + 1))
    n = len(both[0, ::every])
    for row, heights in zip(both, _harmonics(term, logs), strict=True):
        row[::every][: len(heights)] = 2 * heights[:n]
        row[0] *= 0.5
    return both[0], {place: both[1]}


def _decaying(term: Term, logs: FloatArray, frequencies: Frequencies) -> WithSlopes:
    """Return variances and slopes of a product of RBF and periodic kernels."""
    place, periodicity = term.waves[0]
    heights, changes = _harmonics(term, logs)
    spacing = 2 * np.pi * np.exp(-logs[periodicity])
    size = frequencies.highest + 1
    variances, by_width, by_length, by_period = (np.zeros(size) for _ in range(4))
    for order in range(-len(heights) + 1, len(heights)):
        shifted = frequencies.angular - order * spacing
        own, along_length, along_frequency = _gaussian(term, logs, frequencies, shifted)
        variances += heights[abs(order)] * own
        by_width += changes[abs(order)] * own
        by_length += heights[abs(order)] * along_length
        by_period += heights[abs(order)] * order * spacing * along_frequency
    slopes = {place: by_width, periodicity: by_period}
    return variances, slopes | _by_lengths(term, logs, by_length)


def range_of(inputs: FloatArray) -> Span:
    """Return the least and the greatest of inputs (n, 1)."""
    return float(inputs.min()), float(inputs.max())


def wider(span: Span | None, inputs: FloatArray) -> Span:
    """Return the least span that contains a span and inputs (n, 1)."""
    low, high = range_of(inputs)
    return (low, high) if span is None else (min(low, span[0]), max(high, span[1]))
