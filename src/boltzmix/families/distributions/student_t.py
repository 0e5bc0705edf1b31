"""The multivariate Student t distribution: a Gaussian with heavy tails."""

from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import Self

import numpy as np
from scipy.special import gammaln, polygamma, psi

from ...data import FloatArray, Hard, Rows, Table
from ..description import Description, Ellipse, columns_around
from ..shared.box import background_of_numbers
from ..shared.constants import TINY
from ..shared.covariance import COVARIANCES
from ..shared.latent_variables import LatentVariableFamily
from ..shared.moments import Moments, as_kernel_array
from ..shared.scales import is_at_floor, least_variances
from ..shared.statistics import Sums
from ..shared.validation import check_added_variance, check_count, fitted

FULL = COVARIANCES["full"]
LEAST_DEGREES, MOST_DEGREES = 0.5, 200.0
FIRST_DEGREES = 10.0
LARGEST_FACTOR = 2.0  # by which one step changes the degrees, at most


@dataclass(frozen=True, eq=False)
class Tails(Sums):
    """Statistics of some rows, given the current parameters.

    Parameters
    ----------
    moments : Moments
        Moments of the rows, weighted by their expected precisions.
    information : float
        Fisher information of all rows about the logarithm of the degrees.
    pull : float
        Where a step of Fisher scoring moves this logarithm, times the information.
    """

    moments: Moments
    information: float
    pull: float


@dataclass(frozen=True, eq=False)
class StudentT(LatentVariableFamily):
    """The multivariate Student t distribution: a Gaussian with heavy tails.

    Outliers have little influence on it, so a mixture needs no component for them.

    Parameters
    ----------
    degrees : float, optional
        Degrees of freedom, from 0.5 to 200: the fewer, the heavier the tails. Learned unless
        given.
    ridge : float, default=1e-4
        Variance that is added to the diagonal of every scatter, so that no component collapses
        onto a point or a line: a fraction of the variance that a column would have in each of K
        components that filled the space of the data evenly, which is its variance over K^(2/d).
        It is robust: where the quartiles imply a smaller variance, that one is taken.
    added_variance : float or array of shape (d,), optional
        Variance added to the diagonal, in the units of the data squared, in place of `ridge`.
    n_steps : int, default=20
        Steps of EM in one `fit`. The M-step of a mixture takes one.
    location : array, shape (d,), optional
        Present once fitted.
    scatter : array, shape (d, d), optional
        The covariance is degrees / (degrees - 2) times this. Present once fitted.
    learned : bool, default=False
        Whether `degrees` were learned, and are learned again in the next fit.

    Notes
    -----
    A row's precision is the latent variable: outlying rows get little weight (Lange, Little &
    Taylor 1989). Each step of EM includes one step of Fisher scoring for the degrees. The first
    fit starts from mean and covariance; later fits continue from the last one.

    Examples
    --------
    >>> rows = Table.of([[-1.0], [0.0], [1.0], [2.0], [3.0], [1000.0]])
    >>> fitted = StudentT(degrees=1, n_steps=100).fit(rows)
    >>> fitted.location.round(2), fitted.scatter.round(2)
    (array([1.]), array([[2.]]))
    """

    background = background_of_numbers

    degrees: float | None = None
    ridge: float = 1e-4
    added_variance: FloatArray | float | None = None
    n_steps: int = 20
    location: FloatArray | None = None
    scatter: FloatArray | None = None
    learned: bool = False

    def __post_init__(self) -> None:
        degrees = self.degrees
        if degrees is not None and not (
            isinstance(degrees, Real) and LEAST_DEGREES <= degrees <= MOST_DEGREES
        ):
            raise ValueError(
                f"degrees must be None or a number from {LEAST_DEGREES} to {MOST_DEGREES:.0f},"
                f" not {degrees!r}."
            )
        if not isinstance(self.ridge, Real) or not 0 < self.ridge < np.inf:
            raise ValueError(f"ridge must be a number above zero, not {self.ridge!r}.")
        check_added_variance(self.added_variance)
        check_count("n_steps", self.n_steps)

    def __repr__(self) -> str:
        degrees = "" if self.degrees is None else f"degrees={self.degrees:.4g}"
        if self.location is None or self.scatter is None:
            return f"StudentT({degrees})"
        with np.printoptions(precision=4, threshold=12):
            return f"StudentT({degrees}, location={self.location}, scatter={self.scatter})".replace(
                "\n", ""
            )

    @property
    def is_degenerate(self) -> bool:
        """Whether a tenth or more of the scatter in some direction is the variance added."""
        return self.scatter is not None and is_at_floor(self.added_variance, self.scatter)

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        d = len(self._fitted()[0])
        return d + d * (d + 1) // 2 + int(self.learned)

    @cached_property
    def whitening(self) -> FloatArray:
        """The factor that whitens rows around the location, shape (1, d, d)."""
        _, scatter, _ = self._fitted()
        return np.ascontiguousarray(FULL.whitening(scatter[None]))

    def describe(self) -> Description:
        """Return degrees, location and scatter; each column has a location and a scale."""
        location, scatter, degrees = self._fitted()
        return Description(
            {"degrees": degrees, "location": location, "scatter": scatter},
            columns=columns_around(location, scatter),
            picture=Ellipse(location, scatter),
        )

    def prepare(self, data: Rows, n_components: int, weights: FloatArray | None = None) -> Self:
        """Take the added variance from the data, unless given."""
        if self.added_variance is not None:
            return self
        added = least_variances(data, self.ridge, n_components, weights)
        return replace(self, added_variance=added)

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row, shape (n,)."""
        location, _, degrees = self._fitted()
        d = len(location)
        constant = (
            gammaln((degrees + d) / 2) - gammaln(degrees / 2) - d / 2 * np.log(degrees * np.pi)
        ) + FULL.log_determinants(self.whitening, d)[0]
        return constant - (degrees + d) / 2 * np.log1p(self._distances(data) / degrees)

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        location, scatter, degrees = self._fitted()
        around = rng.standard_normal((n, len(location))) @ np.linalg.cholesky(scatter).T
        precisions = rng.chisquare(degrees, n) / degrees
        return location + around / np.sqrt(np.maximum(precisions, TINY))[:, None]

    def moved_to(self, observation: Table) -> Self:
        """Return this component at another location."""
        return replace(self, location=observation.values[0].astype(float))

    def summarise(self, data: Table, weights: FloatArray | None = None) -> Tails:
        """Return the moments of rows, weighted by their expected precisions.

        Before the first fit, these are all one.
        """
        rows = as_kernel_array(data.values)
        weights = np.ones(len(rows)) if weights is None else weights.astype(float)
        if self.location is None:
            return Tails(_measure(rows, weights), 0.0, 0.0)
        location, _, degrees = self._fitted()
        d, distances = len(location), self._distances(data)
        precisions = (degrees + d) / (degrees + distances)
        total = float(weights.sum())
        slope = total * (psi((degrees + d) / 2) - psi(degrees / 2)) - weights @ (
            np.log1p(distances / degrees) + precisions - 1
        )
        information = total * _information(degrees, d)
        pull = information * np.log(degrees) + degrees / 2 * slope
        return Tails(_measure(rows, weights * precisions), information, float(pull))

    def from_statistics(self, statistics: Tails, rng: np.random.Generator | None = None) -> Self:
        """Return the component after one step of EM."""
        moments = statistics.moments
        if self.location is not None and moments.counts[0] <= 0:
            return self
        d = moments.means.shape[1]
        added = np.broadcast_to(0.0 if self.added_variance is None else self.added_variance, d)
        counts = np.maximum(moments.counts, TINY)
        return replace(
            self,
            degrees=self._next_degrees(statistics),
            location=moments.means[0],
            scatter=FULL.fit(counts, moments.scatters, added)[0],
            learned=self._learns,
        )

    @property
    def _learns(self) -> bool:
        return self.learned or self.degrees is None

    def _next_degrees(self, statistics: Tails) -> float:
        if self.degrees is None:
            return FIRST_DEGREES
        if not self._learns or statistics.information <= 0:
            return self.degrees
        furthest = np.log(LARGEST_FACTOR)
        change = statistics.pull / statistics.information - np.log(self.degrees)
        degrees = self.degrees * np.exp(np.clip(change, -furthest, furthest))
        return float(np.clip(degrees, LEAST_DEGREES, MOST_DEGREES))

    def _distances(self, data: Table) -> FloatArray:
        """Squared lengths of whitened rows, shape (n,)."""
        location, _, _ = self._fitted()
        values = FULL.values(
            as_kernel_array(data.values), location[None], self.whitening, np.zeros(1)
        )
        return -2 * values[0]

    def _fitted(self) -> tuple[FloatArray, FloatArray, float]:
        location, scatter, degrees = fitted(self, "location", "scatter", "degrees")
        return location, scatter, float(degrees)


def _measure(rows: FloatArray, weights: FloatArray) -> Moments:
    everyone = Hard(np.zeros(len(rows), dtype=np.int32), 1, weights)
    return Moments.of(FULL, rows, everyone)


def _information(degrees: float, d: int) -> float:
    """Return the Fisher information of one row about the logarithm of the degrees."""
    of_degrees = (polygamma(1, degrees / 2) - polygamma(1, (degrees + d) / 2)) / 4 - d * (
        degrees + d + 4
    ) / (2 * degrees * (degrees + d) * (degrees + d + 2))
    return float(degrees**2 * of_degrees)
