"""The fit of latent classes; poLCA's numbers are those that its manual and help pages publish."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, chi2_contingency

from boltzmix import EM, Mixture
from boltzmix.families import Bernoulli, Categorical, Poisson, Product
from tests.inference.carcinoma import PATTERNS, carcinoma

CARCINOMA = carcinoma()


def latent_classes(X, k, seed=0, **settings):
    given = {"algorithm": EM(1e-12), "n_init": 10, "random_state": seed, **settings}
    return Mixture(Categorical(prior=0), k, **given).fit(X)


@pytest.mark.parametrize("seed", range(4))
def test_three_classes_of_carcinoma_are_those_of_polca(seed):
    found = latent_classes(CARCINOMA, 3, seed).goodness_of_fit(CARCINOMA)
    assert found.n_parameters == 23
    assert found.degrees_of_freedom == 95
    assert found.log_likelihood == pytest.approx(-293.705, abs=5e-4)
    assert found.aic == pytest.approx(633.41, abs=5e-3)
    assert found.bic == pytest.approx(697.1357, abs=5e-4)
    assert found.g_squared == pytest.approx(15.26171, abs=5e-4)
    assert found.x_squared == pytest.approx(20.50336, abs=5e-4)
    assert found.g_squared_p_value == pytest.approx(chi2.sf(15.26171, 95))


def test_criteria_are_those_of_a_comparison():
    settings = {"criterion": "bic", "algorithm": EM(), "n_init": 3, "random_state": 0}
    model = Mixture(Categorical(prior=0), range(1, 4), **settings)
    model.fit(CARCINOMA)
    found = model.goodness_of_fit(CARCINOMA)
    chosen = next(one for one in model.comparison_ if one.n_components == model.n_components_)
    for name in ("aic", "bic", "sabic", "caic"):
        assert getattr(found, name) == pytest.approx(chosen.criterion(name))
    assert found.entropy_r2 == model.classification(CARCINOMA).entropy_r2


def test_text_categories_booleans_and_codes_have_the_same_fit():
    codes = latent_classes(CARCINOMA, 2)
    text = CARCINOMA.replace({0: "no", 1: "yes"})
    family = Product({tuple("ABCDEFG"): Categorical(prior=0)})
    named = Mixture(family, 2, algorithm=EM(1e-12), n_init=5, random_state=0).fit(text)
    binary = Mixture(Bernoulli(prior=0), 2, algorithm=EM(1e-12), n_init=5, random_state=0)
    binary.fit(CARCINOMA)
    wanted = codes.goodness_of_fit(CARCINOMA)
    for model, X in ((named, text), (binary, CARCINOMA)):
        found = model.goodness_of_fit(X)
        assert found.g_squared == pytest.approx(wanted.g_squared, abs=1e-4)
        assert found.degrees_of_freedom == wanted.degrees_of_freedom
    np.testing.assert_allclose(
        named.bivariate_residuals(text).residuals,
        codes.bivariate_residuals(CARCINOMA).residuals,
        atol=1e-3,
    )


def test_one_class_expects_independent_columns():
    model = latent_classes(CARCINOMA, 1)
    found = model.bivariate_residuals(CARCINOMA)
    table = pd.crosstab(CARCINOMA.A, CARCINOMA.D)
    wanted = chi2_contingency(table, correction=False).statistic
    assert found.residuals[0, 3] == pytest.approx(wanted)
    assert np.isnan(np.diagonal(found.residuals)).all()
    np.testing.assert_array_equal(found.residuals, found.residuals.T)


def test_residuals_divide_by_degrees_of_freedom():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 3, 200), rng.integers(0, 4, 200)])
    model = Mixture(Categorical(prior=0), 1, random_state=0).fit(X)
    wanted = chi2_contingency(pd.crosstab(X[:, 0], X[:, 1]), correction=False)
    found = model.bivariate_residuals(X).residuals[0, 1]
    assert found == pytest.approx(wanted.statistic / wanted.dof)


def test_columns_that_depend_within_classes_have_the_largest_residual():
    rng = np.random.default_rng(1)
    classes = rng.integers(0, 2, 2000)
    X = (rng.random((2000, 6)) < np.where(classes, 0.85, 0.2)[:, None]).astype(int)
    same = rng.random(2000) < 0.5
    X[same, 5] = X[same, 4]
    found = latent_classes(X, 2, n_init=3).bivariate_residuals(X)
    assert found.largest[0][:2] == ("column 4", "column 5")
    assert found.largest[0][2] > 10
    assert sorted(one[2] for one in found.largest)[0] < 1


def test_without_missing_values_g_squared_is_that_of_the_cells():
    model = latent_classes(CARCINOMA, 2)
    rows = pd.DataFrame([list(map(int, p)) for p in PATTERNS], columns=CARCINOMA.columns)
    observed, expected = np.array(list(PATTERNS.values())), 118 * np.exp(model.score_samples(rows))
    wanted = 2 * (observed * np.log(observed / expected)).sum()
    assert model.goodness_of_fit(CARCINOMA).g_squared == pytest.approx(wanted)


def incomplete(share, seed=0):
    X = CARCINOMA.astype(float)
    return X.mask(np.random.default_rng(seed).random(X.shape) < share)


def test_missing_cells_are_left_out_of_the_saturated_model_too():
    X = incomplete(0.1)
    model = latent_classes(X, 3)
    found = model.goodness_of_fit(X)
    assert found.log_likelihood == pytest.approx(model.score_samples(X).sum())
    assert found.bic == pytest.approx(model.bic(X))
    assert found.g_squared >= 0
    complete = X.notna().all(axis=1).to_numpy()
    alone = model.goodness_of_fit(X[complete])
    assert found.x_squared == pytest.approx(alone.x_squared)
    residuals = model.bivariate_residuals(X).residuals
    assert np.isfinite(residuals[~np.eye(7, dtype=bool)]).all()


def test_a_column_that_is_missing_from_half_the_rows_at_random_changes_g_squared_little():
    two = CARCINOMA[["A", "B"]].astype(float)
    empty = pd.concat([two, two.assign(B=np.nan)])
    model = latent_classes(two, 1)
    whole, half = model.goodness_of_fit(two), model.goodness_of_fit(empty)
    assert half.g_squared == pytest.approx(whole.g_squared, rel=1e-6)


def test_rows_without_any_value_add_nothing():
    X = pd.concat([CARCINOMA, CARCINOMA[:9] * np.nan])
    model = latent_classes(CARCINOMA, 2)
    found, wanted = model.goodness_of_fit(X), model.goodness_of_fit(CARCINOMA)
    assert found.g_squared == pytest.approx(wanted.g_squared)
    assert found.log_likelihood == pytest.approx(wanted.log_likelihood)


def test_a_table_with_too_many_cells_has_no_g_squared_if_values_are_missing():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 30)).astype(float)
    model = Mixture(Categorical(), 2, random_state=0).fit(X)
    assert np.isfinite(model.goodness_of_fit(X).g_squared)
    X[0, 0] = np.nan
    assert np.isnan(model.goodness_of_fit(X).g_squared)


def test_a_model_without_freedom_has_no_p_value():
    X = CARCINOMA[["A", "B"]]
    found = latent_classes(X, 2, n_init=1, max_iter=50).goodness_of_fit(X)
    assert found.degrees_of_freedom < 0
    assert np.isnan(found.g_squared_p_value)


def test_a_bootstrap_gives_the_same_p_values_where_cells_are_full():
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 2, 600)
    X = (rng.random((600, 4)) < np.where(classes, 0.8, 0.3)[:, None]).astype(int)
    for k, is_rejected in ((1, True), (2, False)):
        model = latent_classes(X, k, n_init=3)
        found = model.goodness_of_fit(X, bootstrap=39, random_state=0)
        asymptotic = model.goodness_of_fit(X)
        assert (found.g_squared_p_value < 0.05) == is_rejected
        assert found.g_squared_p_value == pytest.approx(asymptotic.g_squared_p_value, abs=0.25)
        assert found.g_squared == asymptotic.g_squared


def test_the_seed_of_a_bootstrap_and_missing_cells_are_kept():
    X = incomplete(0.1).replace({0: "no", 1: "yes"})
    family = Product({("A", "B"): Categorical(prior=0), tuple("CDEFG"): Categorical(prior=0)})
    model = Mixture(family, 2, algorithm=EM(), random_state=0).fit(X)
    one, other = (model.goodness_of_fit(X, bootstrap=3, random_state=1) for _ in range(2))
    np.testing.assert_array_equal(one.replicates, other.replicates)
    assert np.isfinite(one.replicates).all()
    with pytest.raises(ValueError, match="bootstrap must be a whole number"):
        model.goodness_of_fit(X, bootstrap=-1)


@pytest.mark.parametrize("method", ["bivariate_residuals", "goodness_of_fit"])
def test_other_families_are_told_what_to_use(method):
    model = Mixture(Poisson(), 2, random_state=0).fit(CARCINOMA)
    with pytest.raises(ValueError, match=f"{method} is for latent classes.*column A is not"):
        getattr(model, method)(CARCINOMA)
    noisy = Mixture(Bernoulli(), 2, noise=True, random_state=0).fit(CARCINOMA)
    with pytest.raises(ValueError, match="without noise"):
        getattr(noisy, method)(CARCINOMA)


def test_they_are_shown_as_text_html_and_frames():
    model = latent_classes(CARCINOMA, 2)
    fit, residuals = model.goodness_of_fit(CARCINOMA), model.bivariate_residuals(CARCINOMA)
    assert "log-likelihood" in repr(fit)
    assert "<table>" in fit._repr_html_()
    assert fit.to_frame().loc[0, "bic"] == fit.bic
    assert "largest bivariate residual" in repr(residuals)
    assert "<table>" in residuals._repr_html_()
    assert residuals.to_frame().loc["A", "B"] == residuals.residuals[0, 1]
