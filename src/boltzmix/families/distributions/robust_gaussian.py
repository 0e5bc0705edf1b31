"""The default family of a mixture of numeric rows: a Gaussian that outliers do not bend."""

from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

import numpy as np

from ...data import FloatArray, Rng, Rows, Weights, shown
from ..columns.backgrounds import Ellipsoid
from ..contract.base import Family
from ..contract.description import Description, Ellipse, columns_around
from ..shared.validation import fitted
from .student_t import StudentT


@dataclass(frozen=True, eq=False, repr=False)
class RobustGaussian(StudentT):
    """A Gaussian with tails as heavy as the data ask for, so that outliers do not bend it.

    It is a `StudentT` whose degrees of freedom are learned between 3 and 30: a cluster with heavy
    tails stays one cluster, and one without is fitted nearly as by a Gaussian. In d columns, they
    are at least d: then the scale of a row varies by no more than its length does by chance, and
    clusters that differ in spread only are not taken for the tails of one. While a mixture is
    learned, a fraction `outliers` of the observations may come from a uniform distribution over an
    ellipsoid three times as wide as the data, so that no component is used up for observations far
    from all others.

    Parameters
    ----------
    outliers : float, default=0.01
        That fraction, below one. It matters only to observations that no component explains.
    degrees, covariance, ridge, prior, resolution, ... : as of `StudentT`

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> rows = Table.of([[-1.0], [0.1], [0.9], [2.0], [3.1], [1000.0]])
    >>> RobustGaussian(n_steps=100).fit(rows).location.round(1)
    array([1.])
    """

    least_degrees: ClassVar[float] = 3.0
    most_degrees: ClassVar[float] = 30.0

    outliers: float = 0.01

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.outliers, Real) or not 0 <= self.outliers < 1:
            raise ValueError(
                f"outliers must be a fraction of at least 0 and below 1, not"
                f" {shown(self.outliers)}."
            )

    def least_degrees_in(self, d: int) -> float:
        """Return the number of columns, but at least 3 and at most 30."""
        return float(np.clip(d, self.least_degrees, self.most_degrees))

    @property
    def mean(self) -> FloatArray:
        """The mean, shape (d,)."""
        return self.fitted_parameters[0]

    @property
    def covariance_matrix(self) -> FloatArray:
        """The covariance, shape (d, d)."""
        degrees = float(fitted(self, "degrees")[0])
        return degrees / (degrees - 2) * self.scatter_matrix

    def outlier_background(self, data: Rows, weights: Weights = None, rng: Rng = None) -> Family:
        """Return a uniform distribution over an ellipsoid that holds all rows.

        The ellipsoid follows units and rotations of the columns, so that these change no label.
        """
        return Ellipsoid.around(self, data, weights)

    def describe(self) -> Description:
        """Return degrees, mean and covariance; each column has a mean and a deviation."""
        mean, covariance = self.mean, self.covariance_matrix
        return Description(
            {"degrees": self.degrees, "mean": mean, "covariance": covariance},
            columns=columns_around(mean, covariance),
            picture=Ellipse(mean, covariance),
        )
