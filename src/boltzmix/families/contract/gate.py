"""Covariates of membership: mixing weights that depend on the row, by a multinomial logit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...data import Design, FloatArray, IntArray, WithCovariates
from ...kernels.multinomial_logit import column_scales, fit_logit, log_probabilities, penalty

STEPS = 1  # of Newton, in an M-step: the next begins where this one ends


@dataclass(frozen=True, eq=False)
class Gate:
    """The probability of each component, given covariates: a multinomial logit.

    Parameters
    ----------
    design : Design
        How covariates become the columns of a matrix.
    coefficients : array, shape (q, K)
        Of the intercept and q - 1 covariates; those of the first component are zero.
    scales : array, shape (q,)
        Deviations of the covariates in the training data, which the ridge is relative to.
    average : array, shape (K,)
        Mean probability of each component in the training data.
    """

    design: Design
    coefficients: FloatArray
    scales: FloatArray
    average: FloatArray

    @classmethod
    def without_effect(cls, data: WithCovariates, weights: FloatArray) -> "Gate":
        """Return a gate with the same mixing weights (K,) for all covariates."""
        coefficients = np.zeros((data.covariates.shape[1], len(weights)))
        weights = np.maximum(weights, np.finfo(float).tiny)
        coefficients[0] = np.log(weights) - np.log(weights[0])
        scales = column_scales(data.covariates)
        return cls(data.design, coefficients, scales, weights / weights.sum())

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the intercept and the covariates, q of them."""
        return ("intercept", *self.design.names)

    @property
    def odds_ratios(self) -> FloatArray:
        """By what the odds against the first component are multiplied, shape (q, K)."""
        return np.asarray(np.exp(self.coefficients))

    def predict_proba(self, covariates: object) -> FloatArray:
        """Return the mixing weights of the rows of a table of covariates, shape (n, K)."""
        matrix = self.design.with_intercept(covariates, "covariates")
        return np.asarray(np.exp(self.log_weights(matrix)))

    @property
    def log_prior(self) -> float:
        """Log density of the ridge's prior, but for a constant."""
        return -penalty(self.coefficients, self.scales)

    def log_weights(self, covariates: FloatArray) -> FloatArray:
        """Return the log mixing weights of rows of covariates, shape (n, K)."""
        return log_probabilities(covariates, self.coefficients)

    def log_odds(self, covariates: FloatArray) -> FloatArray:
        """Return the log mixing weights of rows less those of equal weights, shape (n, K).

        They are what a gate adds to the log densities of components.
        """
        return self.log_weights(covariates) + np.log(len(self.average))

    @property
    def n_slopes(self) -> int:
        """Number of coefficients of covariates, without intercepts."""
        q, k = self.coefficients.shape
        return (q - 1) * (k - 1)

    def fitted_to(self, covariates: FloatArray, responsibilities: FloatArray) -> "Gate":
        """Return the gate after a step of Newton towards responsibilities (n, K)."""
        coefficients = fit_logit(covariates, responsibilities, self.coefficients, longest=STEPS)
        totals = responsibilities.sum(axis=1)
        if totals.sum() == 0:  # all observations are noise
            return replace(self, coefficients=coefficients)
        average = totals @ np.exp(log_probabilities(covariates, coefficients)) / totals.sum()
        return replace(self, coefficients=coefficients, average=average)

    def chosen(self, places: Sequence[int] | IntArray) -> "Gate":
        """Return the gate of the components in some places, in that order."""
        coefficients = self.coefficients[:, places]
        average = self.average[places]
        return replace(
            self,
            coefficients=coefficients - coefficients[:, :1],
            average=average / average.sum(),
        )

    def with_coefficients(self, coefficients: FloatArray, covariates: FloatArray) -> "Gate":
        """Return the gate with other coefficients (q, K), whose average is that in some data."""
        average = np.exp(log_probabilities(covariates, coefficients)).mean(axis=0)
        return replace(self, coefficients=coefficients, average=average)
