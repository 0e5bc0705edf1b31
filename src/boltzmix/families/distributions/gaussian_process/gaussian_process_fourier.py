"""The posterior of a Gaussian process whose kernel is a sum of waves, in linear time.

An RBF kernel of one input is a sum of waves with equally spaced frequencies, to the precision of
floating-point numbers (Greengard, Rachh & Barnett 2022, "Equispaced Fourier representations for
efficient Gaussian process regression"). The function is then a weighted sum of cosines and sines
with independent normal coefficients. Only the variances of the coefficients depend on the
hyper-parameters, so sums of the points with the waves serve every hyper-parameter.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs, dtrtri

from .... import kernels
from ....data import FloatArray
from ...shared.constants import LOG_2_PI
from .gaussian_process_dense import Posterior, factorise
from .gaussian_process_points import FourierSums, Points
from .gaussian_process_spectrum import Frequencies, Span, Spectrum, range_of, wider
from .gaussian_process_terms import Terms


class Coefficients(NamedTuple):
    """The posterior of the coefficients of waves, given sums of points.

    Parameters
    ----------
    roots : array, shape (M,)
        Prior standard deviations of the coefficients of M features.
    factor : array, shape (M, M)
        Lower Cholesky factor of their posterior precision, in units of the prior deviations.
    means : array, shape (M, m)
        Posterior means, in units of the prior deviations.
    """

    roots: FloatArray
    factor: FloatArray
    means: FloatArray

    @classmethod
    def given(
        cls, variances: FloatArray, noise: float, sums: FourierSums, place: int = 0
    ) -> "tuple[Coefficients, float]":
        """Return the posterior, and the log marginal likelihood of the points."""
        roots = np.sqrt(variances)
        precision = sums.products(place, roots / np.sqrt(noise))
        precision.flat[:: len(roots) + 1] += 1
        factor, failed = dpotrf(precision.T, lower=True)
        if failed:
            factor = factorise(precision)
        loads = sums.loads(place) * (roots / noise)[:, None]
        means, _ = dpotrs(factor, loads, lower=True)
        m = sums.n_targets
        fit = sums.squares[place] / noise - float((loads * means).sum())
        volume = 2 * float(np.log(factor.diagonal()).sum())
        constant = float(sums.total_weights[place]) * (LOG_2_PI + np.log(noise))
        return cls(roots, factor, means), -0.5 * (fit + m * (volume + constant))

    @property
    def inverse(self) -> FloatArray:
        """The posterior covariance, in units of the prior deviations, shape (M, M)."""
        lower, _ = dpotri(self.factor, lower=True)
        return np.tril(lower) + np.tril(lower, -1).T


def log_marginals(
    spectrum: Spectrum, noise: float, frequencies: Frequencies, sums: FourierSums
) -> FloatArray:
    """Return the log marginal likelihood of each of g sets of points, shape (g,)."""
    variances, _ = spectrum.variances(frequencies)
    values = [
        Coefficients.given(variances, noise, sums, place)[1] for place in range(len(sums.rows))
    ]
    return np.array(values)


def log_marginal_with_slopes(
    spectrum: Spectrum, noise: float, frequencies: Frequencies, points: Points
) -> tuple[float, FloatArray]:
    """Return the log marginal likelihood, and its slopes along log hyper-parameters and noise."""
    variances, changes = spectrum.variances(frequencies)
    sums = points.sums(frequencies)
    found, value = Coefficients.given(variances, noise, sums)
    whitener, _ = dtrtri(found.factor, lower=True)
    remaining, m = np.einsum("ij,ij->j", whitener, whitener), sums.n_targets
    squares = (found.means**2).sum(axis=1)
    by_log_variance = 0.5 * (squares - m * (1 - remaining))
    slopes = (changes / np.maximum(variances, np.finfo(float).tiny)) @ by_log_variance
    place = spectrum.periodicity
    if place is not None and spectrum.terms.free[place]:
        waves = spectrum.periodic_variances(frequencies)
        slope = _slope_of_periodicity(found, noise, frequencies, points, waves)
        slopes[np.count_nonzero(spectrum.terms.free[:place])] += slope
    loads = sums.loads(0) * (found.roots / noise)[:, None]
    fit = float(sums.squares[0]) / noise - float((loads * found.means).sum()) - squares.sum()
    surplus = (1 - remaining).sum() - float(sums.total_weights[0])
    return value, np.append(slopes, 0.5 * (fit + m * surplus))


def _slope_of_periodicity(
    found: Coefficients,
    noise: float,
    frequencies: Frequencies,
    points: Points,
    variances: FloatArray,
) -> float:
    """Return the slope of the log marginal likelihood along a log periodicity.

    It stretches the waves of a part of the function, whose coefficients have these variances:
    a cosine of frequency w changes by w x times the sine, and a sine by -w x times the cosine.
    """
    apart = points.inputs[:, 0] - frequencies.origin
    stretched = Points(points.inputs, points.targets, points.weights * apart)
    sums = FourierSums.of(stretched, frequencies)
    products = sums.products(0, np.full(len(found.roots), noise**-0.5))
    roots = np.maximum(found.roots, np.finfo(float).tiny)
    residual = sums.loads(0) / noise - products @ (found.means * found.roots[:, None])
    left = (variances / roots)[:, None] * found.inverse * found.roots
    by_mean = (_turned(residual, frequencies) * (variances / roots)[:, None] * found.means).sum()
    by_volume = (_turned(products, frequencies) * left).sum()
    return float(by_mean - sums.n_targets * by_volume)


def _turned(rows: FloatArray, frequencies: Frequencies) -> FloatArray:
    """Return rows (2 J + 1, m) of features, for how each changes with a log periodicity."""
    few = frequencies.highest + 1
    turned = np.empty_like(rows)
    turned[0] = 0.0
    turned[1:few] = frequencies.angular[1:, None] * rows[few:]
    turned[few:] = -frequencies.angular[1:, None] * rows[1:few]
    return turned


@dataclass(frozen=True, eq=False)
class FourierPosterior(Posterior):
    """The posterior of a function that is a sum of waves, given points.

    Parameters
    ----------
    points : Points
    kernel : scikit-learn kernel
        One that `Spectrum` can read.
    noise : float
        Variance of the noise of a point with weight one.
    span : tuple of two floats
        The least and the greatest input for which the waves are made.
    """

    span: Span

    @cached_property
    def _spectrum(self) -> Spectrum:
        spectrum = Spectrum.of(Terms.of(self.kernel))
        assert spectrum is not None
        return spectrum

    @cached_property
    def _frequencies(self) -> Frequencies:
        return self._spectrum.frequencies(*self.span)

    @cached_property
    def _found(self) -> tuple[Coefficients, float]:
        variances, _ = self._spectrum.variances(self._frequencies)
        return Coefficients.given(variances, self.noise, self.points.sums(self._frequencies))

    @property
    def log_marginal(self) -> float:
        return self._found[1]

    def held_out(self) -> tuple[FloatArray, FloatArray]:
        """Return each target less its mean given the *other* points, (n, m), and its variance (n,).

        The variance is that of a target of weight one.
        """
        means, variances = self._evaluate(self.points.inputs)
        own = self.noise / self.points.weights
        left = np.maximum(own - variances, np.finfo(float).eps * own)
        apart = (self.points.targets - means) * (own / left)[:, None]
        return apart, self.noise + variances * own / left

    def predict(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        if len(inputs) == 0:
            return self._evaluate(inputs)
        near = self._spectrum.nearer(inputs, *range_of(self.points.inputs))
        span = wider(self.span, near)
        posterior = self if span == self.span else replace(self, span=span)
        return posterior._evaluate(near)

    def _evaluate(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return means (n, m) and variances (n,) at inputs in the span."""
        means, variances = np.empty((len(self._waves) - 1, len(inputs))), np.empty(len(inputs))
        angles = self._frequencies.angles(inputs)
        for (even, odd), values in zip(self._waves, (variances, *means), strict=True):
            kernels.fourier.evaluate_waves(angles, even, odd, values)
        return means.T, np.maximum(variances, 1e-12 * self._prior)

    @cached_property
    def _waves(self) -> list[tuple[FloatArray, FloatArray]]:
        """Coefficients of cosines and sines of the variance, and of the mean of each target."""
        found, highest = self._found[0], self._frequencies.highest
        covariance = found.inverse * np.outer(found.roots, found.roots)
        means = (found.means * found.roots[:, None]).T
        odd = np.hstack([np.zeros((len(means), 1)), means[:, highest + 1 :]])
        functions = zip(np.ascontiguousarray(means[:, : highest + 1]), odd, strict=True)
        waves = np.zeros(2 * highest + 1), np.zeros(2 * highest + 1)
        kernels.fourier.waves_of_form(covariance, highest, *waves)
        return [waves, *functions]

    @property
    def _prior(self) -> float:
        """The prior variance of the function, which is the same everywhere."""
        roots = self._found[0].roots
        return float((roots[: self._frequencies.highest + 1] ** 2).sum())
