"""Properties of every family with a prior: what learning maximises, and what a prior may change."""

import warnings
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import pytest

from boltzmix import EM, Mixture
from boltzmix.families import (
    FAMILIES,
    HMM,
    Bernoulli,
    Categorical,
    FactorAnalyser,
    Family,
    Gaussian,
    Geometric,
    GrowthCurve,
    LinearRegression,
    MarkovChain,
    Multinomial,
    Poisson,
    Product,
    RobustGaussian,
    StudentT,
    ZeroInflatedLogNormal,
)

KINDS = (Gaussian, StudentT, RobustGaussian)
SHAPES = ("full", "tied", "diag", "spherical")
OTHERS = ("EII", "EEI", "VEI", "EVI", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV")
N, D = 90, 3


@dataclass(frozen=True)
class Case:
    """A family with a prior, and observations of three clusters that suit it."""

    name: str
    family: Family
    X: Any
    y: Any = None

    def __str__(self):
        return self.name

    @cached_property
    def fitted(self):
        """A mixture of three that several tests look at."""
        return self.fit()

    def fit(self, family=None, X=None, y=None, max_iter=60, init="random"):
        family = self.family if family is None else family
        X, y = (self.X if X is None else X), (self.y if y is None else y)
        model = Mixture(family, 3, algorithm=EM(0.0), init=init, max_iter=max_iter, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of EM that has not converged yet
            return model.fit(X, y)


LABELS = np.repeat(np.arange(3), N // 3)


def rows(seed=0, d=D):
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(3, d, d)) / 2 + np.eye(d)
    centres, labels = rng.normal(0, 4, (3, d)), LABELS
    return centres[labels] + np.einsum("nij,nj->ni", mixing[labels], rng.normal(size=(N, d)))


def counts(least=0, seed=0):
    rng = np.random.default_rng(seed)
    rates = rng.gamma(1.0, 4.0, (3, D))[LABELS]
    return least + rng.poisson(rng.gamma(2.0, rates / 2)).astype(float)


def codes(seed=0, size=3, d=6):
    rng = np.random.default_rng(seed)
    chances = rng.dirichlet(np.full(size, 0.4), (3, d)).cumsum(axis=-1)[LABELS]
    return (rng.random((N, d, 1)) >= chances).sum(axis=-1).clip(0, size - 1).astype(float)


def lines(seed=0):
    rng = np.random.default_rng(seed)
    x, labels = rng.uniform(-2, 2, (N, 1)), LABELS
    noise = rng.normal(0, np.array([0.1, 0.5, 1.0])[labels])
    return x, np.array([-3.0, 0.5, 4.0])[labels] * x[:, 0] + labels + noise


def chains(seed=0):
    rng = np.random.default_rng(seed)
    chances = rng.dirichlet(np.full(3, 0.5), (3, 3)).cumsum(axis=-1)
    found = []
    for label in LABELS[::2]:
        path = [0]
        for _ in range(11):
            path.append(int((rng.random() >= chances[label, path[-1]]).sum().clip(0, 2)))
        found.append(np.array(path, dtype=float)[:, None])
    return found


def walks(seed=0):
    rng = np.random.default_rng(seed)
    orders = np.array([[0, 1, 2], [2, 1, 0], [1, 0, 2]])
    centres = np.array([[0.0, 0.0], [3.0, 1.0], [-1.0, 4.0]])
    return [centres[np.repeat(orders[label], rng.integers(2, 6, 3))] for label in LABELS[::3]]


def growths(seed=0):
    rng = np.random.default_rng(seed)
    found = []
    for label in LABELS[::2]:
        times = rng.uniform(0, 5, rng.integers(4, 8))
        slope, noise = (-3.0, 0.5, 4.0)[label] + rng.normal(), rng.normal(0, 0.5, len(times))
        found.append((times, label + slope * times + noise))
    return found


def noisy(sequences, seed=1):
    rng = np.random.default_rng(seed)
    return [one + rng.normal(0, [0.6, 0.9], one.shape) for one in sequences]


def without(cells, fraction=0.1, seed=3):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(cells.shape) < fraction, np.nan, cells)


def cases():
    """Yield a case for each family with a prior, some of them with missing values."""
    for shape in SHAPES:
        for kind in KINDS:
            yield Case(f"{kind.__name__}-{shape}", kind(covariance=shape), rows())
            yield Case(f"{kind.__name__}-{shape}-missing", kind(covariance=shape), without(rows()))
    for shape in OTHERS:
        yield Case(f"Gaussian-{shape}", Gaussian(shape), rows())
    for shape in ("EVI", "VVE", "VEV"):
        yield Case(f"Gaussian-{shape}-missing", Gaussian(shape), without(rows()))
    yield Case("Gaussian-rounded", Gaussian("diag"), np.round(rows()))
    yield Case("FactorAnalyser", FactorAnalyser(1), rows(d=5))
    yield Case("LinearRegression", LinearRegression(), *lines())
    for kind, X in (
        (Bernoulli, codes(size=2)),
        (Categorical, codes()),
        (Geometric, counts(1)),
        (Poisson, counts()),
    ):
        yield Case(kind.__name__, kind(), X)
        yield Case(f"{kind.__name__}-missing", kind(), without(X))
    yield Case("GrowthCurve", GrowthCurve(), growths())
    yield Case("Multinomial", Multinomial(), counts())
    yield Case("MarkovChain", MarkovChain(), chains())
    yield Case("HMM", HMM(3), noisy(walks()))
    yield Case("HMM-full", HMM(3, Gaussian("full")), noisy(walks()))
    yield Case("ZeroInflatedLogNormal", ZeroInflatedLogNormal(), counts())
    yield Case("HMM-tied", HMM(3, Gaussian("tied")), noisy(walks()))
    yield Case("HMM-student", HMM(3, StudentT(covariance="diag")), noisy(walks()))
    yield Case("HMM-rounded", HMM(3), [np.round(one) for one in noisy(walks())])
    yield Case("HMM-left-right", HMM(3, topology="left-right"), noisy(walks()))
    yield Case("HMM-two-steps", HMM(3, n_steps=2), noisy(walks()))
    yield Case("HMM-Poisson", HMM(2, Poisson()), [np.abs(np.round(one)) for one in noisy(walks())])
    parts = {0: Poisson(), 1: Categorical(), 2: Gaussian("diag")}
    yield Case(
        "Product", Product(parts), np.column_stack([counts()[:, 0], codes()[:, 0], rows()[:, 0]])
    )


each = pytest.mark.parametrize("case", list(cases()), ids=str)


def plain(family):
    """Return a family without its priors."""
    changes = {"prior": 0.0} if hasattr(family, "prior") else {}
    if isinstance(family, HMM):
        changes["emission"] = plain(family.emission)
    if isinstance(family, Product):
        changes["parts"] = {key: plain(part) for key, part in family.parts.items()}
    return replace(family, **changes)


def test_every_family_with_a_prior_is_here():
    kinds = {
        kind
        for kind in FAMILIES.values()
        if is_dataclass(kind)
        for field in fields(kind)
        if field.name == "prior" and field.default != 0
    }
    assert kinds == {type(case.family) for case in cases()} - {Product}


@each
def test_em_never_lowers_the_objective(case):
    scores = case.fitted.history_.score
    assert len(scores) > 3
    slack = 1e-9 * np.abs(scores[1:])
    assert (np.diff(scores) >= -slack).all(), np.diff(scores).min()


@each
def test_the_lower_bound_is_the_objective_and_the_score_a_likelihood(case):
    model = case.fitted
    bank = case.family.bank(model.components_)
    last = model.history_.score[-1]
    np.testing.assert_allclose(model.lower_bound_, last, rtol=1e-9)
    assert np.isfinite([component.log_prior for component in bank.components]).all()
    given = () if case.y is None else (case.y,)
    log_densities = model.score_samples(case.X, *given)
    np.testing.assert_allclose(model.score(case.X, *given), log_densities.mean())
    data = bank.components[0].observe(case.X, case.y)
    columns = np.stack([one.log_prob(data) for one in model.components_], axis=1)
    expected = np.logaddexp.reduce(columns + np.log(model.weights_), axis=1)
    np.testing.assert_allclose(log_densities, expected, atol=1e-12)


@each
def test_the_effect_vanishes_as_data_grow(case):
    times = 60 if isinstance(case.X, list) else 200
    many = case.X * times if isinstance(case.X, list) else np.tile(case.X, (times, 1))
    targets = None if case.y is None else np.tile(case.y, times)
    labels = LABELS[:: N // len(case.X)].copy()
    labels[::3] = np.arange(len(labels[::3])) % 3  # so that every component sees every category
    labels = np.tile(labels, times)
    given = () if case.y is None else (case.y,)
    n_steps = (
        1 if "EVE" in case.name or "VVE" in case.name else 2
    )  # common axes converge over several M-steps
    with_prior, without_prior = (
        case.fit(family, many, targets, max_iter=n_steps, init=labels).score_samples(case.X, *given)
        for family in (case.family, plain(case.family))
    )
    np.testing.assert_allclose(with_prior, without_prior, atol=0.05)


@pytest.mark.parametrize(
    ("kind", "shape"),
    [*product(KINDS, SHAPES), *product([Gaussian], ["EEI", "VEI", "EVI", "VEE"])],
)
def test_units_of_columns_change_no_label(kind, shape):
    X, units = rows(), np.array([1e3, 1e-2, 10.0]) if shape != "spherical" else 1e3
    case = Case(shape, kind(covariance=shape), X)
    np.testing.assert_array_equal(case.fit().labels_, case.fit(X=X * units).labels_)


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        *product(KINDS, ["full", "tied", "spherical"]),
        *product([Gaussian], ["VEE", "EVE", "VVE", "EEV", "VEV", "EVV"]),
    ],
)
def test_rotations_change_no_label(kind, shape):
    X = rows()
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(D, D)))[0]
    family = kind(covariance=shape, ridge=1e-12)  # a ridge is added column by column
    one, two = Case(shape, family, X).fit(), Case(shape, family, X @ turn).fit()
    np.testing.assert_array_equal(one.labels_, two.labels_)
    np.testing.assert_allclose(one.history_.score, two.history_.score, rtol=1e-6)


def test_units_of_other_numbers_change_no_label():
    x, y = lines()
    case = Case("lines", LinearRegression(), x, y)
    np.testing.assert_array_equal(case.fit().labels_, case.fit(X=x * 100, y=y * 1e-3).labels_)
    X = rows(d=5)
    case = Case("factors", FactorAnalyser(1), X)
    units = np.array([1e3, 1e-2, 10.0, 1.0, 1e2])
    np.testing.assert_array_equal(case.fit().labels_, case.fit(X=X * units).labels_)
    X = noisy(walks())
    case = Case("walks", HMM(3), X)
    again = case.fit(X=[one * [100, 0.1] for one in X])
    np.testing.assert_array_equal(case.fit().labels_, again.labels_)
