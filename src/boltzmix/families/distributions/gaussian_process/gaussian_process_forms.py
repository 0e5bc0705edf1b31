"""The forms of the posterior of a function from a Gaussian process, and which is best."""

from typing import Any

from .gaussian_process_dense import DensePosterior
from .gaussian_process_fourier import FourierPosterior
from .gaussian_process_inducing import InducingPosterior
from .gaussian_process_points import Points
from .gaussian_process_posterior import Posterior
from .gaussian_process_spectrum import Frequencies, Span, Spectrum, wider
from .gaussian_process_state_space import StateSpace, StateSpacePosterior
from .gaussian_process_terms import Terms

MOST_FEATURES = 1500  # a step of learning takes 0.2 s with so many
MOST_DENSE = 2000  # more points have inducing inputs: their covariance takes more than a second
FEATURES_PER_POINT = 1.5  # with more, the covariance of points is quicker


def posterior_given(points: Points, kernel: Any, noise: float, span: Span | None) -> Posterior:
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
