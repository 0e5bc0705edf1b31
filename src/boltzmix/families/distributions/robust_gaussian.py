"""The default family of a mixture of numeric rows: a Gaussian that outliers do not bend."""

from dataclasses import dataclass
from typing import ClassVar

from ...data import FloatArray
from ..description import Description, Ellipse, columns_around
from ..shared.validation import fitted
from .student_t import StudentT


@dataclass(frozen=True, eq=False, repr=False)
class RobustGaussian(StudentT):
    """A Gaussian with tails as heavy as the data ask for, so that outliers do not bend it.

    It is a `StudentT` whose degrees of freedom are learned between 3 and 30: a cluster with heavy
    tails stays one cluster, and one without is fitted nearly as by a Gaussian. Its parameters are
    those of `StudentT`.

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> rows = Table.of([[-1.0], [0.1], [0.9], [2.0], [3.1], [1000.0]])
    >>> RobustGaussian(n_steps=100).fit(rows).location.round(1)
    array([1.])
    """

    least_degrees: ClassVar[float] = 3.0
    most_degrees: ClassVar[float] = 30.0

    @property
    def mean(self) -> FloatArray:
        """The mean, shape (d,)."""
        return self.fitted_parameters[0]

    @property
    def covariance_matrix(self) -> FloatArray:
        """The covariance, shape (d, d)."""
        degrees = float(fitted(self, "degrees")[0])
        return degrees / (degrees - 2) * self.scatter_matrix

    def describe(self) -> Description:
        """Return degrees, mean and covariance; each column has a mean and a deviation."""
        mean, covariance = self.mean, self.covariance_matrix
        return Description(
            {"degrees": self.degrees, "mean": mean, "covariance": covariance},
            columns=columns_around(mean, covariance),
            picture=Ellipse(mean, covariance),
        )
