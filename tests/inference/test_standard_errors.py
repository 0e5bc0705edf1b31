"""Standard errors: against numeric second derivatives, and against R's flexmix."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from statsmodels.tools.numdiff import approx_hess3

from boltzmix import EM, Mixture
from boltzmix.families import (
    HMM,
    Categorical,
    Gaussian,
    Laplace,
    LinearRegression,
    Poisson,
    PoissonRegression,
    Product,
    StudentT,
)

NPREG = json.loads((Path(__file__).parents[1] / "families" / "npreg.json").read_text())
PRECISE = ["auto", EM(1e-13)]


def rows(found, *names):
    """Return estimates and standard errors of some parameters, by component, shape (K * m, 2)."""
    places = [k for k, name in enumerate(found.names) if name in names]
    return np.column_stack([found.values, found.standard_errors])[places]


def by_first(found, k):
    """Return which of two components has the lower value in its k-th parameter first."""
    return np.argsort(found[k :: len(found) // 2, 0])


def test_poisson_mixture_is_the_inverse_of_the_numeric_hessian():
    rng = np.random.default_rng(0)
    counts = np.concatenate([rng.poisson(2, 60), rng.poisson(7, 90)])[:, None]
    model = Mixture(Poisson(prior=0), 2, algorithm=PRECISE, random_state=0).fit(counts)
    component, other = model.components_

    def log_likelihood(theta):
        log_densities = [
            one.with_parameter_vector(np.log([rate])).log_prob(one.observe(counts))
            for one, rate in ((component, theta[1]), (other, theta[2]))
        ]
        return np.log(np.array([theta[0], 1 - theta[0]]) @ np.exp(log_densities)).sum()

    theta = np.array([model.weights_[0], component.rate[0], other.rate[0]])
    expected = np.sqrt(np.diag(np.linalg.inv(-approx_hess3(theta, log_likelihood))))
    found = model.standard_errors(counts)
    assert found.names == ("weight", "rate[0]", "weight", "rate[0]")
    assert_allclose(found.standard_errors[[0, 1, 3]], expected, rtol=1e-4)
    assert_allclose(found.standard_errors[2], found.standard_errors[0])


def test_single_gaussian_has_the_standard_errors_of_the_textbook():
    X = np.random.default_rng(0).normal(size=(400, 2)) @ [[1.0, 0.5], [0.0, 2.0]]
    family = Gaussian(prior=0, ridge=0, resolution=None)
    found = Mixture(family, 1, random_state=0).fit(X).standard_errors(X)
    s = np.cov(X.T, bias=True)
    cells = [s[0, 0], s[0, 1], s[1, 1]]
    means = np.sqrt([s[0, 0] / 400, s[1, 1] / 400])
    second = np.sqrt(
        [2 * s[0, 0] ** 2 / 400, (s[0, 1] ** 2 + s[0, 0] * s[1, 1]) / 400, 2 * s[1, 1] ** 2 / 400]
    )
    assert_allclose(found.values[1:], [*X.mean(axis=0), *cells], rtol=1e-6)
    assert_allclose(found.standard_errors[1:], [*means, *second], rtol=1e-4)


def test_flexmix_refits_npreg_with_the_same_standard_errors():
    data = pd.DataFrame(NPREG)
    X = data[["x"]].assign(square=data["x"] ** 2)
    family = LinearRegression(prior=0, ridge=0, floor=1e-9)
    model = Mixture(family, 2, algorithm=PRECISE, max_iter=5000, random_state=0).fit(X, data["yn"])
    found = rows(
        model.standard_errors(X, data["yn"]),
        *("intercept", "coefficients[x]", "coefficients[square]"),
    ).reshape(2, 3, 2)
    expected = [
        [[-0.208518708, 1.009206434], [4.814464302, 0.509609614], [0.036540046, 0.049755097]],
        [[14.713225561, 1.323774388], [9.848309387, 0.591582992], [-0.968517157, 0.055260297]],
    ]
    assert_allclose(found[np.argsort(found[:, 0, 0])], expected, rtol=1e-4, atol=1e-4)


def test_flexmix_refits_a_poisson_mixture_with_the_same_standard_errors():
    data = pd.DataFrame(NPREG)
    X, y = data[["x"]], data["yp"]
    model = Mixture(PoissonRegression(), 2, algorithm=PRECISE, max_iter=5000, random_state=0)
    model.fit(X, y)
    found = rows(model.standard_errors(X, y), "intercept", "coefficients[x]").reshape(2, 2, 2)
    expected = [
        [[1.247332433, 0.179361230], [0.064707454, 0.027422777]],
        [[1.864314276, 0.174356914], [-0.161920038, 0.039400651]],
    ]
    assert_allclose(found[np.argsort(found[:, 0, 0])], expected, rtol=1e-4)
    assert_allclose([200 * model.score(X, y), model.bic(X, y)], [-440.6402943, 907.7721755])


@pytest.mark.parametrize(
    ("covariate", "expected", "log_likelihood"),
    [
        ("yb", [[0.16772199, 0.21644502], [-0.41817275, 0.31740193]], -641.65667),
        ("x", [[0.213957540, 0.293520181], [-0.051433112, 0.053308098]], -642.06388),
    ],
)
def test_flexmix_has_the_same_effects_of_a_concomitant_variable(
    covariate, expected, log_likelihood
):
    data = pd.DataFrame(NPREG)
    X, y = data[["x"]].assign(square=data["x"] ** 2), data["yn"]
    family = LinearRegression(prior=0, ridge=0, floor=1e-9)
    model = Mixture(
        family, 2, membership=covariate, algorithm=PRECISE, max_iter=5000, random_state=0
    ).fit(X, y, covariates=data)
    effects = model.membership_effects(X, y, covariates=data)
    found = np.column_stack([effects.values, effects.standard_errors])
    sign = 1 if found[0, 0] > 0 else -1
    assert effects.names == ("intercept", covariate)
    assert_allclose(found * [sign, 1], expected, rtol=1e-3, atol=1e-4)
    assert_allclose(200 * model.score(X, y, covariates=data), log_likelihood, rtol=1e-7)
    assert_allclose(effects.ratios()[:, 0], np.exp(effects.values))


def test_every_named_parameter_has_a_standard_error_for_mixed_tables_and_tails():
    rng = np.random.default_rng(0)
    labels = rng.random(400) < 0.4
    frame = pd.DataFrame(
        {
            "height": rng.normal(3 * labels, 1),
            "events": rng.poisson(2 + 6 * labels),
            "colour": rng.choice(["red", "blue", "green"], 400),
        }
    )
    family = Product({"height": Gaussian(), "events": Poisson(), "colour": Categorical()})
    found = Mixture(family, 2, random_state=0).fit(frame).standard_errors(frame)
    assert (found.standard_errors > 0).all()
    assert "probabilities[colour=green]" in found.names
    X = frame[["height", "events"]]
    tails = Mixture(StudentT(), 2, random_state=0).fit(X).standard_errors(X)
    known = [name.startswith("degrees") for name in tails.names]
    assert (tails.standard_errors[~np.array(known)] > 0).all()


def test_weights_count_as_copies():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (60, 1)), rng.normal(5, 1, (60, 1))])
    family = Gaussian(prior=0, resolution=None, added_variance=1e-9)
    weights = np.repeat([1, 3], 60)
    copies = np.repeat(X, weights, axis=0)
    model = Mixture(family, 2, algorithm=PRECISE, random_state=0).fit(copies)
    expected = model.standard_errors(copies)
    found = model.standard_errors(X, sample_weight=weights)
    assert_allclose(found.standard_errors, expected.standard_errors * np.sqrt(2), rtol=1e-6)


def test_bounds_and_separation_are_said():
    codes = np.repeat([[0, 0], [1, 1], [1, 0]], [30, 30, 5], axis=0)
    family = Categorical(prior=0)
    model = Mixture(family, 2, algorithm=PRECISE, random_state=0, n_init=5).fit(codes)
    found = model.standard_errors(codes)
    assert np.isfinite(found.values).all()
    assert any("at a bound" in note for note in found.notes)

    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 50)
    frame = pd.DataFrame({"a": rng.normal(20 * labels, 1), "which": labels * 1.0})
    separated = Mixture(Gaussian(), 2, membership="which", random_state=0).fit(frame)
    effects = separated.membership_effects(frame)
    assert not (effects.p_values < 0.05).any()


@pytest.mark.parametrize(
    ("family", "X"),
    [
        (Laplace(), np.arange(20.0)[:, None] % 7),
        (Gaussian("tied"), np.arange(20.0)[:, None] % 7),
        (HMM(2), [np.arange(5.0)[:, None], np.arange(4.0)[:, None] ** 2] * 4),
    ],
)
def test_families_without_a_vector_point_to_the_bootstrap(family, X):
    model = Mixture(family, 1, random_state=0).fit(X)
    with pytest.raises(NotImplementedError, match="bootstrap"):
        model.standard_errors(X)


def test_without_membership_there_are_no_effects():
    X = np.arange(20.0)[:, None] % 7
    model = Mixture(Gaussian(), 1, random_state=0).fit(X)
    with pytest.raises(ValueError, match="without covariates of membership"):
        model.membership_effects(X)
