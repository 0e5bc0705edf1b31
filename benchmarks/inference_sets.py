"""Simulated sets whose parameters are known, for the coverage of intervals.

A set is one function of a generator. Components differ enough for their numbers to be identified.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from boltzmix.families import (
    Categorical,
    Family,
    Gaussian,
    LinearRegression,
    Poisson,
    PoissonRegression,
)

Truth = Mapping[tuple[int, str], float]


@dataclass(frozen=True, eq=False)
class Known:
    """Observations whose components and parameters are known.

    Parameters
    ----------
    X, y : what a mixture is fitted to
    labels : array of int, shape (n,)
        The component that each observation comes from.
    truth : mapping of (component, parameter) to float
        The true values, by the names that a bootstrap gives them.
    family : Family
    covariates : array, shape (n, c), optional
        Covariates of membership.
    """

    X: Any
    y: Any
    labels: Any
    truth: Truth
    family: Family
    covariates: Any = None

    def truth_of(self, places: Any) -> dict[tuple[int, str], float]:
        """Return the true values by the component of a fit, given that of each true component.

        Coefficients of membership are against the first component of the fit.
        """
        first = int(np.flatnonzero(np.asarray(places) == 0)[0])
        return {
            (int(places[k]), name): value - (self.truth[first, name] if is_logit else 0.0)
            for (k, name), value in self.truth.items()
            if not (is_logit := name.startswith("membership")) or k != first
        }


def gaussian(rng: np.random.Generator) -> Known:
    """Draw 500 rows of two columns from two Gaussians of different covariances."""
    weights, means = np.array([0.4, 0.6]), np.array([[0.0, 0.0], [3.0, 2.0]])
    covariances = np.array([[[1.0, 0.5], [0.5, 1.0]], [[1.5, -0.4], [-0.4, 0.7]]])
    labels = rng.choice(2, 500, p=weights)
    draws = rng.standard_normal((500, 2, 1))
    X = means[labels] + (np.linalg.cholesky(covariances)[labels] @ draws)[:, :, 0]
    truth = _table(weights, {"mean[{}]": means})
    for k, covariance in enumerate(covariances):
        pairs = ((0, 0), (0, 1), (1, 1))
        truth |= {(k, f"covariance[{i}, {j}]"): float(covariance[i, j]) for i, j in pairs}
    return Known(X, None, labels, truth, Gaussian())


def poisson(rng: np.random.Generator) -> Known:
    """Draw 600 rows of three counts from three components."""
    weights = np.array([0.5, 0.3, 0.2])
    rates = np.array([[2.0, 9.0, 4.0], [8.0, 3.0, 4.0], [6.0, 8.0, 12.0]])
    labels = rng.choice(3, 600, p=weights)
    X = rng.poisson(rates[labels]).astype(float)
    return Known(X, None, labels, _table(weights, {"rate[{}]": rates}), Poisson())


def categorical(rng: np.random.Generator) -> Known:
    """Draw 800 answers to six questions of three answers each, from two classes."""
    weights = np.array([0.45, 0.55])
    answers = np.array([[0.7, 0.2, 0.1], [0.15, 0.25, 0.6]])
    labels = rng.choice(2, 800, p=weights)
    chances = answers.cumsum(axis=1)[labels][:, None]
    X = (rng.random((800, 6, 1)) > chances).sum(axis=2).astype(float)
    truth = _table(weights, {})
    for k, own in enumerate(answers):
        cells = ((column, code) for column in range(6) for code in range(3))
        truth |= {(k, f"probabilities[{j}={code}]"): float(own[code]) for j, code in cells}
    return Known(X, None, labels, truth, Categorical())


def regression(rng: np.random.Generator) -> Known:
    """Draw 500 points from two lines with different noise."""
    weights, intercepts = np.array([0.5, 0.5]), np.array([1.0, 2.0])
    slopes, variances = np.array([1.0, -0.8]), np.array([0.25, 0.5])
    labels, X = rng.choice(2, 500, p=weights), rng.uniform(-3, 3, (500, 1))
    noise = np.sqrt(variances)[labels] * rng.standard_normal(500)
    y = intercepts[labels] + slopes[labels] * X[:, 0] + noise
    truth = _table(weights, {}) | {
        (k, name): float(values[k])
        for name, values in (
            ("intercept", intercepts),
            ("coefficients[x]", slopes),
            ("variance", variances),
        )
        for k in range(2)
    }
    return Known(pd.DataFrame(X, columns=["x"]), y, labels, truth, LinearRegression())


def poisson_regression(rng: np.random.Generator) -> Known:
    """Draw 800 counts from two log-linear functions of two inputs."""
    weights = np.array([0.4, 0.6])
    coefficients = np.array([[0.5, 0.8, -0.3], [2.0, -0.4, 0.3]])
    labels, X = rng.choice(2, 800, p=weights), rng.uniform(-1.5, 1.5, (800, 2))
    predictor = (np.column_stack([np.ones(800), X]) * coefficients[labels]).sum(axis=1)
    y = rng.poisson(np.exp(predictor)).astype(float)
    names = ("intercept", "coefficients[a]", "coefficients[b]")
    truth = _table(weights, {}) | {
        (k, name): float(value)
        for k, own in enumerate(coefficients)
        for name, value in zip(names, own, strict=True)
    }
    return Known(pd.DataFrame(X, columns=["a", "b"]), y, labels, truth, PoissonRegression())


def membership(rng: np.random.Generator) -> Known:
    """Draw 600 rows of two columns from three Gaussians, by the odds of two covariates."""
    coefficients = np.array([[0.0, 0.3, -0.2], [0.0, 1.0, 0.0], [0.0, -0.5, 0.8]])
    means = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])
    covariates = rng.standard_normal((600, 2))
    odds = np.exp(np.column_stack([np.ones(600), covariates]) @ coefficients)
    chances = (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)
    labels = (rng.random((600, 1)) > chances[:, :-1]).sum(axis=1)
    X = means[labels] + rng.standard_normal((600, 2))
    names = ("intercept", "0", "1")
    truth = {
        (k, f"membership[{name}]"): float(value)
        for name, row in zip(names, coefficients, strict=True)
        for k, value in enumerate(row)
    }
    return Known(X, None, labels, truth, Gaussian(prior=0), covariates)


SETS: dict[str, Callable[[np.random.Generator], Known]] = {
    "Gaussian": gaussian,
    "Poisson": poisson,
    "Categorical": categorical,
    "LinearRegression": regression,
    "PoissonRegression": poisson_regression,
    "Membership": membership,
}


def _table(weights: Any, by_column: Mapping[str, Any]) -> dict[tuple[int, str], float]:
    """Return the weights, and the entries of arrays (K, d) by component and column."""
    truth = {(k, "weight"): float(weight) for k, weight in enumerate(weights)}
    for name, table in by_column.items():
        for k, row in enumerate(table):
            truth |= {(k, name.format(j)): float(value) for j, value in enumerate(row)}
    return truth
