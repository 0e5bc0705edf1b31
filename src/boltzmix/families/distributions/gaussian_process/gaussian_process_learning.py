"""The hyper-parameters of a Gaussian process, learned by its marginal likelihood."""

from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Kernel

from ....data import FloatArray
from . import gaussian_process_dense as dense
from . import gaussian_process_fourier as fourier
from .gaussian_process_dense import DensePosterior, Posterior
from .gaussian_process_fourier import FourierPosterior
from .gaussian_process_inducing import InducingPosterior
from .gaussian_process_points import Points
from .gaussian_process_spectrum import Frequencies, Span, Spectrum, wider
from .gaussian_process_state_space import StateSpace, StateSpacePosterior
from .gaussian_process_terms import Terms

MOST_FEATURES = 1500  # a step of learning takes 0.2 s with so many
MOST_DENSE = 2000  # more points have inducing inputs: their covariance takes more than a second
FEATURES_PER_POINT = 1.5  # with more, the covariance of points is quicker


def posterior_given(points: Points, kernel: Kernel, noise: float, span: Span | None) -> Posterior:
    """Return the posterior, given points and hyper-parameters, in its best form.

    It is the quickest exact one: linear in time where the kernel of one input allows it, else by
    the covariance of points. Where they are too many for that, it has inducing inputs.

    Parameters
    ----------
    points : Points
    kernel : scikit-learn kernel
    noise : float
    span : tuple of two floats, optional
        The least and the greatest input of all observations.
    """
    terms = Terms.of(kernel) if points.inputs.shape[1] == 1 else None
    spectrum = Spectrum.of(terms)
    if spectrum is not None:
        span = wider(span, points.inputs)
        if is_quicker(spectrum.frequencies(*span), points):
            return FourierPosterior(points, kernel, noise, span)
    if StateSpace.of(terms) is not None:
        return StateSpacePosterior(points, kernel, noise)
    form = DensePosterior if len(points) <= MOST_DENSE else InducingPosterior
    return form(points, kernel, noise)


def is_quicker(frequencies: Frequencies, points: Points) -> bool:
    """Whether waves are quicker than the covariance of points."""
    return frequencies.n_features <= min(FEATURES_PER_POINT * len(points), MOST_FEATURES)


SHORTEST = 25.0  # so many times shorter than at the start may a length scale become
NOISE_RANGE = (1e-6, 10.0)  # of learned noise, as multiples of the variance of the targets


def scaled_rbf(inputs: FloatArray, variance: float) -> Kernel:
    """Return an RBF kernel with the spread of inputs (n, p), scaled to a variance."""
    widths = np.ptp(inputs, axis=0) / 6
    widths[widths == 0] = 1.0
    lowest, highest = widths.min() / SHORTEST, widths.max() * 100
    return ConstantKernel(variance, (1e-4 * variance, 1e4 * variance)) * RBF(
        widths if len(widths) > 1 else widths[0], (lowest, highest)
    )


class Marginal:
    """The marginal likelihood of points, as a function of hyper-parameters.

    Where the kernel is a sum of waves, all points count, and a value takes a time that does not
    depend on their number. Where it is a sum of Matérn kernels, all points count, too. Otherwise,
    at most `learns_from` of them count.

    Parameters
    ----------
    points : Points
    kernel : scikit-learn kernel
    span : tuple of two floats, optional
        The least and the greatest input of all observations.
    learns_from : int
    """

    def __init__(self, points: Points, kernel: Kernel, span: Span | None, learns_from: int) -> None:
        self.points, self.kernel = points, kernel
        self.thinned = points.thinned(learns_from)
        terms = Terms.of(kernel) if points.inputs.shape[1] == 1 else None
        self.spectrum, self.space = Spectrum.of(terms), StateSpace.of(terms)
        self.span = wider(span, points.inputs)

    def value(self, theta: FloatArray, noise: float) -> float:
        """Return the log marginal likelihood."""
        if self.spectrum is not None:
            spectrum = self.spectrum.at(theta)
            frequencies = spectrum.frequencies(*self.span)
            if is_quicker(frequencies, self.points):
                sums = self.points.sums(frequencies)
                return float(fourier.log_marginals(spectrum, noise, frequencies, sums)[0])
        return self.with_slopes(theta, noise)[0]

    def with_slopes(self, theta: FloatArray, noise: float) -> tuple[float, FloatArray]:
        """Return the log marginal likelihood, and its slopes along log hyper-parameters and noise.

        Parameters
        ----------
        theta : array, shape (t,)
            Logarithms of the hyper-parameters of the kernel that are learned.
        noise : float
        """
        if self.spectrum is not None:
            spectrum = self.spectrum.at(theta)
            frequencies = spectrum.frequencies(*self.span)
            if is_quicker(frequencies, self.points):
                return fourier.log_marginal_with_slopes(spectrum, noise, frequencies, self.points)
        if self.space is not None:
            return self.space.at(theta).log_marginal_with_slopes(noise, self.points)
        kernel = self.kernel.clone_with_theta(theta)
        return dense.log_marginal_with_slopes(kernel, noise, self.thinned)

    def bounds(self, theta: FloatArray) -> FloatArray:
        """Return lower and upper bounds of theta, (t, 2), within which a value takes short.

        Where points are many, length scales do not become so short that too many waves are needed,
        unless they are at the start.
        """
        bounds: FloatArray = self.kernel.bounds.reshape(-1, 2)
        if self.spectrum is None or len(self.points) <= MOST_FEATURES:
            return bounds
        least = self.spectrum.least_logs(*self.span, MOST_FEATURES)[self.spectrum.terms.free]
        least = np.minimum(np.maximum(bounds[:, 0], least), np.minimum(theta, bounds[:, 1]))
        return np.column_stack([least, bounds[:, 1]])


def maximise_marginal(
    marginal: Marginal, theta: FloatArray, noise: float, n_steps: int, noise_scale: float | None
) -> tuple[object, float]:
    """Return kernel and noise after some steps of L-BFGS on the marginal likelihood.

    Parameters
    ----------
    marginal : Marginal
    theta : array, shape (t,)
        Logarithms of the hyper-parameters of the kernel that are learned, at the start.
    noise : float
        Variance of the noise, at the start.
    n_steps : int
    noise_scale : float, optional
        The variance of the targets, which sets the range of the noise. Without it, the noise is
        not learned.
    """
    kernel = marginal.kernel
    learned = theta if noise_scale is None else np.append(theta, np.log(noise))
    if len(learned) == 0:
        return kernel, noise

    def at(point: FloatArray) -> tuple[FloatArray, float]:
        return (point, noise) if noise_scale is None else (point[:-1], float(np.exp(point[-1])))

    def loss(point: FloatArray) -> tuple[float, FloatArray]:
        value, slopes = marginal.with_slopes(*at(point))
        return -value, -slopes[: len(point)]

    bounds: Any = _with_noise(marginal.bounds(theta), noise, noise_scale)
    found = minimize(
        loss, learned, jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": int(n_steps)},
    )  # fmt: skip
    theta, noise = at(found.x)
    return kernel.clone_with_theta(theta), noise


def _with_noise(bounds: FloatArray, noise: float, noise_scale: float | None) -> FloatArray:
    """Return bounds with those of the logarithm of the noise, if it is learned."""
    if noise_scale is None:
        return bounds
    lowest, highest = np.multiply(NOISE_RANGE, noise_scale)
    return np.vstack([bounds, np.log([min(lowest, noise), max(highest, noise)])])
