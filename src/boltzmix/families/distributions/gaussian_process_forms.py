"""The quickest exact form of the posterior of a function from a Gaussian process."""

from typing import Any

from ...data import FloatArray
from .gaussian_process_dense import DensePosterior
from .gaussian_process_fourier import FourierPosterior
from .gaussian_process_points import Points
from .gaussian_process_posterior import Posterior
from .gaussian_process_spectrum import Frequencies, Span, Spectrum, wider

MOST_FEATURES = 1500  # a step of learning takes 0.2 s with so many
FEATURES_PER_POINT = 1.5  # with more, the covariance of points is quicker


def posterior_given(points: Points, kernel: Any, noise: float, span: Span | None) -> Posterior:
    """Return the posterior, given points and hyper-parameters.

    Parameters
    ----------
    points : Points
    kernel : scikit-learn kernel
    noise : float
    span : tuple of two floats, optional
        The least and the greatest input of all observations.
    """
    spectrum = spectrum_for(points.inputs, kernel)
    if spectrum is not None:
        span = wider(span, points.inputs)
        if is_quicker(spectrum.frequencies(*span), points):
            return FourierPosterior(points, kernel, noise, span)
    return DensePosterior(points, kernel, noise)


def spectrum_for(inputs: FloatArray, kernel: Any) -> Spectrum | None:
    """Return the spectrum of a kernel of inputs (n, p), or None if it has none."""
    return Spectrum.of(kernel) if inputs.shape[1] == 1 else None


def is_quicker(frequencies: Frequencies, points: Points) -> bool:
    """Whether waves are quicker than the covariance of points."""
    return frequencies.n_features <= min(FEATURES_PER_POINT * len(points), MOST_FEATURES)
