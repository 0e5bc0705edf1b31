"""The von Mises distribution of angles, with independent columns."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import i0e, i1e

from ...data import FloatArray
from ..columns.exponential_columns import ExponentialColumns
from ..columns.roots import decreasing_root
from ..shared.constants import LOG_2_PI

LEAST_CONCENTRATION, MOST_CONCENTRATION = 1e-10, 1e8
LARGE = 1e4  # concentrations from which a series is more precise than Bessel functions


@dataclass(frozen=True, eq=False, repr=False)
class VonMises(ExponentialColumns):
    """Angles in radians; columns are independent.

    Angles a full turn apart are the same.

    Parameters
    ----------
    direction : array, shape (d,), optional
        Mean directions, between -π and π. Present once fitted.
    concentration : array, shape (d,), optional
        Zero for uniform angles; if large, one over the variance. Present once fitted.
    floor : float, default=0.01
        Limits how narrow a component may become: its concentration is at most one more than that
        of all the data, over the square of this. In a mixture of K components, it is divided by
        K^(1/d).

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> VonMises().fit(Table.of([[3.0], [-3.0], [2.8], [3.2]]))
    VonMises(direction=[3.0712], concentration=[28.93])
    """

    parameters: ClassVar = {"direction": "finite", "concentration": "finite and not negative"}

    direction: FloatArray | None = None
    concentration: FloatArray | None = None

    def functions(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return cosine and sine."""
        return np.cos(values), np.sin(values)

    @property
    def natural(self) -> FloatArray:
        """A constant, and the factors of cosine and sine, shape (3, d)."""
        direction, concentration = self.fitted_parameters
        constant = -LOG_2_PI - np.log(i0e(concentration)) - concentration
        along = concentration * np.stack([np.cos(direction), np.sin(direction)])
        return np.concatenate([constant[None], along])

    def solve(self, weight: FloatArray, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return direction and concentration of the mean vector."""
        length = np.minimum(np.hypot(*means), 1 - 0.5 / MOST_CONCENTRATION)
        start = length * (2 - length**2) / (1 - length**2)

        def excess(concentration: FloatArray) -> tuple[FloatArray, FloatArray]:
            expected = i1e(concentration) / i0e(concentration)
            slope = np.where(
                concentration > LARGE,
                0.5 / concentration**2,
                1 - expected**2 - expected / concentration,
            )
            return length - expected, -slope

        most = self._most_concentration()
        concentration = decreasing_root(
            excess, np.maximum(start, LEAST_CONCENTRATION), LEAST_CONCENTRATION, most
        )
        return np.arctan2(means[1], means[0]), concentration

    def at(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the parameters whose directions are the values."""
        return values, self.fitted_parameters[1]

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        """Draw cells, between -π and π."""
        direction, concentration = self.fitted_parameters
        return rng.vonmises(direction, concentration, shape)

    def _most_concentration(self) -> FloatArray | float:
        if self.whole is None:
            return MOST_CONCENTRATION
        most = (1 + self.whole.fitted_parameters[1]) / self.floor**2
        return np.minimum(most, MOST_CONCENTRATION)
