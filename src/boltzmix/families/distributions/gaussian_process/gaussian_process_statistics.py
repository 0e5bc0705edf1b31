"""Additive statistics of points, from which the joint likelihood of any set of them follows."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ....data import FloatArray, IntArray
from .gaussian_process_forms import MOST_FEATURES
from .gaussian_process_fourier import log_marginals
from .gaussian_process_points import FourierSums, Points
from .gaussian_process_spectrum import Frequencies, Span, Spectrum, wider
from .gaussian_process_terms import Terms


@dataclass(frozen=True, eq=False)
class FourierStatistics:
    """Sums of points with the waves of which a kernel consists.

    Parameters
    ----------
    inputs : array, shape (n, 1)
    targets : array, shape (n, m)
        Targets less their offset.
    spectrum : Spectrum
    noise : float
    frequencies : Frequencies
    """

    inputs: FloatArray
    targets: FloatArray
    spectrum: Spectrum
    noise: float
    frequencies: Frequencies

    @classmethod
    def of(
        cls, inputs: FloatArray, targets: FloatArray, kernel: Any, noise: float, span: Span | None
    ) -> Self | None:
        """Return the statistics of points, or None if the kernel is no sum of a few waves."""
        spectrum = Spectrum.of(Terms.of(kernel)) if inputs.shape[1] == 1 else None
        if spectrum is None or len(inputs) == 0:
            return None
        frequencies = spectrum.frequencies(*wider(span, inputs))
        if frequencies.n_features > MOST_FEATURES:
            return None
        return cls(inputs, targets, spectrum, noise, frequencies)

    def summarise(self, weights: FloatArray, bounds: IntArray) -> FloatArray:
        """Return the statistics of g stretches of weighted points, shape (g, s)."""
        points = Points(self.inputs, self.targets, weights)
        return FourierSums.by_stretch(points, self.frequencies, bounds).rows

    def log_marginals(self, statistics: FloatArray) -> FloatArray:
        """Return the joint log density of the points behind each row of statistics, shape (c,)."""
        sums = FourierSums(np.atleast_2d(statistics), self.frequencies.highest)
        return log_marginals(self.spectrum, self.noise, self.frequencies, sums)
