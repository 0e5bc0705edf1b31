"""Time families of rows: fit, log density and EM on a million rows, and scipy.stats."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from boltzmix import EM, Mixture, families
from boltzmix.families import Family, Gaussian

from .contenders import no_convergence_warnings, time_of

N, K, COLUMNS = 1_000_000, 3, 2
ITERATIONS, ROUNDS = 2, 2
Report = Callable[[str], None]
Density = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Case:
    """A family, a function that draws rows for it, and the same log density by scipy.stats.

    Parameters
    ----------
    family : Family
    draw : function
        Returns random data, given a generator and a shape.
    peer : function, optional
        Returns scipy's log density, given data and a fitted component.
    columns : int
    """

    family: Family
    draw: Callable[[np.random.Generator, tuple[int, int]], Any]
    peer: Density | None = None
    columns: int = COLUMNS


def unit(rows: Any) -> Any:
    """Scale rows to unit length."""
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def full_gaussian(X: Any, one: Any) -> Any:
    """Return scipy's log density of a multivariate Gaussian."""
    return stats.multivariate_normal(one.mean, one.covariance_matrix).logpdf(X)


CASES: dict[str, Case] = {
    "Bernoulli": Case(
        families.Bernoulli(), lambda rng, shape: rng.integers(2, size=shape),
        lambda X, one: stats.bernoulli.logpmf(X, one.probability),
    ),
    "Beta": Case(
        families.Beta(), lambda rng, shape: rng.beta(2, 3, shape),
        lambda X, one: stats.beta.logpdf(X, one.a, one.b),
    ),
    "Categorical": Case(families.Categorical(), lambda rng, shape: rng.integers(4, size=shape)),
    "Dirichlet": Case(
        families.Dirichlet(), lambda rng, shape: rng.dirichlet([2.0] * shape[1], shape[0]),
        lambda X, one: stats.dirichlet.logpdf(X.T, one.concentrations),
    ),
    "Exponential": Case(
        families.Exponential(), lambda rng, shape: rng.exponential(size=shape),
        lambda X, one: stats.expon.logpdf(X, scale=1 / one.rate),
    ),
    "FactorAnalyser": Case(
        families.FactorAnalyser(), lambda rng, shape: rng.normal(size=shape), columns=8
    ),
    "Gamma": Case(
        families.Gamma(), lambda rng, shape: rng.gamma(2, size=shape),
        lambda X, one: stats.gamma.logpdf(X, one.shape, scale=1 / one.rate),
    ),
    "Gaussian": Case(Gaussian(), lambda rng, shape: rng.normal(size=shape), full_gaussian),
    "Geometric": Case(
        families.Geometric(), lambda rng, shape: rng.geometric(0.3, shape),
        lambda X, one: stats.geom.logpmf(X, one.probability),
    ),
    "Laplace": Case(
        families.Laplace(), lambda rng, shape: rng.laplace(size=shape),
        lambda X, one: stats.laplace.logpdf(X, one.centre, one.scale),
    ),
    "LogNormal": Case(
        families.LogNormal(), lambda rng, shape: rng.lognormal(size=shape),
        lambda X, one: stats.lognorm.logpdf(X, one.deviation, scale=np.exp(one.mean)),
    ),
    "Multinomial": Case(
        families.Multinomial(),
        lambda rng, shape: rng.multinomial(12, [1 / shape[1]] * shape[1], shape[0]),
        lambda X, one: stats.multinomial.logpmf(X, X.sum(axis=1), one.probabilities),
    ),
    "NegativeBinomial": Case(
        families.NegativeBinomial(), lambda rng, shape: rng.negative_binomial(3, 0.4, shape),
        lambda X, one: stats.nbinom.logpmf(X, one.size, one.probability),
    ),
    "Poisson": Case(
        families.Poisson(), lambda rng, shape: rng.poisson(4, shape),
        lambda X, one: stats.poisson.logpmf(X, one.rate),
    ),
    "StudentT": Case(
        families.StudentT(), lambda rng, shape: rng.standard_t(5, shape),
        lambda X, one: stats.multivariate_t.logpdf(X, one.location, one.scatter, one.degrees),
    ),
    "Uniform": Case(
        families.Uniform(), lambda rng, shape: rng.uniform(size=shape),
        lambda X, one: stats.uniform.logpdf(X, one.low, one.high - one.low),
    ),
    "VonMises": Case(
        families.VonMises(), lambda rng, shape: rng.vonmises(0, 3, shape),
        lambda X, one: stats.vonmises.logpdf(X, one.concentration, loc=one.direction),
    ),
    "VonMisesFisher": Case(
        families.VonMisesFisher(), lambda rng, shape: unit(rng.normal([2, 0], size=shape)),
        lambda X, one: stats.vonmises_fisher.logpdf(X, one.direction, one.concentration),
    ),
    "Weibull": Case(
        families.Weibull(), lambda rng, shape: rng.weibull(2, shape),
        lambda X, one: stats.weibull_min.logpdf(X, one.shape, scale=one.scale),
    ),
}  # fmt: skip


def time_family(case: Case, n: int = N) -> dict[str, float]:
    """Return the seconds of `fit`, of `log_prob`, of scipy's density and of an EM iteration."""
    X = case.draw(np.random.default_rng(0), (n, case.columns)).astype(float)
    data = case.family.observe(X)
    fitted = case.family.fit(data)
    works: dict[str, Callable[[], Any]] = {
        "fit": partial(case.family.fit, data),
        "log_prob": partial(fitted.log_prob, data),
    }
    if case.peer is not None:
        works["scipy"] = partial(case.peer, X, fitted)
        expected = np.asarray(case.peer(X[:100], fitted)).reshape(100, -1).sum(axis=1)
        own = fitted.log_prob(case.family.observe(X[:100]))
        np.testing.assert_allclose(own, expected, rtol=1e-6, atol=1e-8)
    found = {name: min(time_of(work) for _ in range(ROUNDS)) for name, work in works.items()}
    return {**found, "EM iteration": iteration(case.family, X)}


def iteration(family: Family, X: Any) -> float:
    """Return the seconds of an EM iteration: a long fit minus a short fit, per iteration."""

    def seconds(max_iter: int) -> float:
        model = Mixture(family, K, algorithm=EM(tolerance=0.0), max_iter=max_iter, random_state=0)
        return min(time_of(partial(model.fit, X)) for _ in range(ROUNDS))

    with no_convergence_warnings():
        return (seconds(1 + ITERATIONS) - seconds(1)) / ITERATIONS


def time_families(report: Report) -> list[dict[str, Any]]:
    """Time every family of rows."""
    found = []
    for name, case in CASES.items():
        report(f"{N} x {case.columns} rows of {name}")
        time_family(case, 2_000)  # compile the kernels before timing
        found.append({"name": name, "n": N, "d": case.columns, "k": K} | time_family(case))
    return found
