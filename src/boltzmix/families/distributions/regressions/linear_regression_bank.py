"""K linear regressions on the same features, evaluated and fitted together."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from ....data import FloatArray, Membership, Regression
from ...contract.bank import Evaluation
from ...covariance.covariance import COVARIANCES
from ...covariance.moments import Moments
from ...covariance.pooled_noise import PooledNoiseBank
from ...shared.constants import LOG_2_PI
from ...shared.copies import replaced
from .linear_regression_ridge import responses

if TYPE_CHECKING:
    from .linear_regression import LinearRegression


class LinearRegressionBank(PooledNoiseBank):
    """K regressions on the same features, which are computed once for all."""

    @property
    def family(self) -> "LinearRegression":
        """One of the components, which knows what all of them have in common."""
        return cast("LinearRegression", self.components[0])

    def evaluate(self, data: Regression, *, is_rounded: bool = True) -> Evaluation:
        """Return the log density of the targets under each component, shape (n, K)."""
        members = cast("Sequence[LinearRegression]", self.components)
        intercepts, coefficients, variances = map(
            np.stack, zip(*(one.fitted_parameters for one in members), strict=True)
        )
        if data.targets.shape[1] != intercepts.shape[1]:
            raise ValueError(
                f"y has {data.targets.shape[1]} column(s), but {self.family.name} was fitted to"
                f" {intercepts.shape[1]}."
            )
        means = intercepts[:, None] + self.family.expand(data.inputs) @ coefficients
        squared = (responses(data) - means) ** 2 / variances[:, None]
        constants = np.log(variances) + LOG_2_PI
        return self.evaluated(-(squared + constants[:, None]).sum(axis=2).T / 2, data)

    def summarise(self, data: Regression, membership: Membership) -> Moments:
        """Return the moments of features and targets in each component."""
        together = np.hstack([self.family.expand(data.inputs), responses(data)])
        return Moments.of(COVARIANCES["full"], together, membership)

    def refill(
        self, statistics: Moments, k: int, data: Regression, weights: FloatArray | None
    ) -> Moments:
        """Return `statistics` with those of component k replaced by those of `data`."""
        return statistics.replaced(k, self.family.summarise(data, weights))

    def statistics_at(self, statistics: Moments, k: int) -> Moments:
        """Return the moments of component k alone."""
        own, moments = slice(k, k + 1), statistics
        return replaced(
            moments,
            counts=moments.counts[own],
            means=moments.means[own],
            scatters=moments.scatters[own],
        )
