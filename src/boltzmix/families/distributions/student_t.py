"""The multivariate Student t distribution: a Gaussian with heavy tails."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import ClassVar, Self

import numpy as np

from ...data import FloatArray, Rows, Weights, shown
from ..columns.additive_fits import fit_by_steps
from ..columns.resolution import Resolution, rounding_variances
from ..columns.scales import ColumnScales, least_variances
from ..contract.base import Family
from ..contract.description import Description, Ellipse, columns_around, text_of
from ..covariance.covariance_base import root_of
from ..covariance.elliptical import PRIOR, EllipticalFamily
from ..covariance.gaussian_missing import CellMoments
from ..covariance.moments import Moments
from ..shared.constants import TINY, as_finite
from ..shared.copies import altered, replaced
from ..shared.validation import MOST_STEPS, fitted, read_arrays, read_count, read_flag
from .student_t_bank import StudentTBank


@dataclass(frozen=True, eq=False)
class StudentT(EllipticalFamily):
    """The multivariate Student t distribution: a Gaussian with heavy tails.

    Outliers have little influence on it, so a mixture needs no component for them. All components
    of a mixture have the same degrees of freedom. Values may be missing, as for `Gaussian`.

    Parameters
    ----------
    degrees : float, optional
        Degrees of freedom, from 0.5 to 200: the fewer, the heavier the tails. Learned unless
        given.
    covariance : str, default="full"
        The shape of the scatter: one of the names that `Gaussian` takes.
    ridge : float, default=1e-4
        Variance that is added to the diagonal of every scatter, so that no component collapses
        onto a point or a line: a fraction of the variance that a column would have in each of K
        components that filled the space of the data evenly, which is its variance over K^(2/d).
        It is robust: where the quartiles imply a smaller variance, that one is taken.
    prior, resolution : as of `Gaussian`
    added_variance : float or array of shape (d,), optional
        Variance added to the diagonal, in the units of the data squared, in place of `ridge`.
    n_steps : int, default=20
        Steps of EM in one `fit`. The M-step of a mixture takes one.
    location : array, shape (d,), optional
        Present once fitted.
    scatter : array, optional
        In the form of the shape, as `Gaussian.variance`. The covariance is degrees / (degrees - 2)
        times this. Present once fitted.
    learned : bool, default=False
        Whether `degrees` were learned, and are learned again in the next fit.

    Attributes
    ----------
    data_moments, rounding, pooled_variance, prior_observations : as of `Gaussian`

    Notes
    -----
    A row's precision is the latent variable: outlying rows get little weight (Lange, Little &
    Taylor 1989). The first fit starts from mean and covariance; later fits continue from the last
    one.

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> rows = Table.of([[-1.0], [0.0], [1.0], [2.0], [3.0], [1000.0]])
    >>> fitted = StudentT(degrees=1, resolution=None, n_steps=100).fit(rows)
    >>> fitted.location.round(2), fitted.scatter.round(2)
    (array([1.]), array([[2.]]))
    """

    least_degrees: ClassVar[float] = 0.5
    most_degrees: ClassVar[float] = 200.0

    degrees: float | None = None
    covariance: str = "full"
    ridge: float = 1e-4
    prior: float = PRIOR
    resolution: Resolution = "auto"
    added_variance: FloatArray | float | None = None
    n_steps: int = 20
    location: FloatArray | None = None
    scatter: FloatArray | None = None
    learned: bool = False
    data_moments: Moments | None = field(default=None, init=False)
    rounding: FloatArray | None = field(default=None, init=False)
    pooled_variance: FloatArray | None = field(default=None, init=False)
    prior_observations: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        degrees, least, most = self.degrees, self.least_degrees, self.most_degrees
        if degrees is not None and not (isinstance(degrees, Real) and least <= degrees <= most):
            raise ValueError(
                f"degrees must be None or a number from {least:g} to {most:g}, not"
                f" {shown(degrees)}."
            )
        if not isinstance(self.ridge, Real) or not 0 < self.ridge < np.inf:
            raise ValueError(f"ridge must be a number above zero, not {shown(self.ridge)}.")
        self._check_arguments()
        read_flag(self, "learned")
        read_arrays(self, "location", "scatter", axes=(0, 1, 2))
        read_count(self, "n_steps", most=MOST_STEPS)
        if self.location is not None and self.scatter is not None:
            self._check_shapes(("location", "scatter"), self.location, self.scatter)

    def __repr__(self) -> str:
        settings = [] if self.degrees is None else [f"degrees={self.degrees:.4g}"]
        if self.covariance != "full":
            settings.append(f"covariance={self.covariance!r}")
        return text_of(self.name, settings, {"location": self.location, "scatter": self.scatter})

    @property
    def n_parameters(self) -> int:
        return super().n_parameters + int(self.learned)

    @cached_property
    def scatter_matrix(self) -> FloatArray:
        """The scatter as a (d, d) matrix, whatever its shape."""
        return self.matrix

    def describe(self) -> Description:
        """Return degrees, location and scatter; each column has a location and a scale."""
        location, _ = self.fitted_parameters
        scatter = self.scatter_matrix
        return Description(
            {"degrees": self.degrees, "location": location, "scatter": scatter},
            columns=columns_around(location, scatter),
            picture=Ellipse(location, scatter),
        )

    def prepare(self, data: Rows, n_components: int, weights: Weights = None) -> Self:
        """Take the added variance and the resolution from the data, unless given."""
        if self.added_variance is not None and self.data_moments is not None:
            return self
        prepared = self
        scales = ColumnScales.of(data, weights)
        if isinstance(scales.moments, CellMoments):
            prepared = replaced(prepared, data_moments=scales.moments)
        if self.added_variance is not None:
            return prepared
        return replaced(
            prepared,
            added_variance=least_variances(data, scales, self.ridge, n_components),
            rounding=rounding_variances(data, self.resolution),
        )

    fit = fit_by_steps

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        location, _, degrees = fitted(self, "location", "scatter", "degrees")
        root = root_of(self.scatter_matrix)
        around = rng.standard_normal((n, len(location))) @ root.T
        precisions = rng.chisquare(degrees, n) / degrees
        with np.errstate(over="ignore"):
            return as_finite(location + around / np.sqrt(np.maximum(precisions, TINY))[:, None])

    def bank(self, components: Sequence[Family]) -> StudentTBank:
        return StudentTBank.of(self, components)

    @property
    def is_fitted(self) -> bool:
        return self.location is not None

    @property
    def fitted_parameters(self) -> tuple[FloatArray, FloatArray]:
        """Location and scatter; raise if there are none yet."""
        location, scatter, _ = fitted(self, "location", "scatter", "degrees")
        return location, scatter

    def with_parameters(self, centre: FloatArray | None, variance: FloatArray | None) -> Self:
        """Return this component with another location and scatter, or without."""
        return altered(self, location=centre, scatter=variance)

    def least_degrees_in(self, d: int) -> float:
        """Return the fewest degrees of freedom that are learned in d columns."""
        return self.least_degrees

    def with_degrees(self, degrees: float) -> Self:
        """Return this family with other degrees of freedom, which are learned unless given."""
        return altered(self, degrees=degrees, learned=self.learned or self.degrees is None)
