import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.decomposition import FactorAnalysis

from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.families import FactorAnalyser


def draw(n=300, d=8, q=2, seed=0):
    rng = np.random.default_rng(seed)
    noise = np.sqrt(rng.uniform(0.2, 2, d)) * rng.normal(size=(n, d))
    return Table.of(rng.normal(size=d) + rng.normal(size=(n, q)) @ rng.normal(size=(q, d)) + noise)


def converged(table, q=2, weights=None):
    return FactorAnalyser(q, n_steps=500).fit(table, weights=weights)


def test_log_prob_is_scipys():
    table, fitted = draw(), FactorAnalyser(2).fit(draw())
    expected = multivariate_normal(fitted.mean, fitted.covariance_matrix).logpdf(table.values)
    np.testing.assert_allclose(fitted.log_prob(table), expected, rtol=1e-10)


def test_tiny_noise_loses_no_digits():
    fitted = FactorAnalyser(
        1, mean=np.zeros(2), loadings=np.array([[1.0], [1.0]]), noise=np.full(2, 1e-12)
    )
    rows = np.array([[1.0, 1.0 + 1e-6], [2.0, 2.0]])
    determinant = np.log(1e-12**2 + 2e-12)
    distances = np.array([0.5e-12 / 1e-12 + 1.0, 4.0])
    expected = -0.5 * (distances + determinant + 2 * np.log(2 * np.pi))
    np.testing.assert_allclose(fitted.log_prob(Table.of(rows)), expected, rtol=1e-6)


@pytest.mark.parametrize("q", [1, 2, 3])
def test_fit_is_as_likely_as_scikit_learns(q):
    table = draw(q=q)
    theirs = FactorAnalysis(q, tol=1e-6, max_iter=5000, svd_method="lapack").fit(table.values)
    mine = converged(table, q)
    assert mine.log_prob(table).mean() == pytest.approx(theirs.score(table.values), abs=1e-4)
    if q == 2:
        np.testing.assert_allclose(mine.covariance_matrix, theirs.get_covariance(), atol=0.02)


def test_weights_fit_as_repeated_rows_do():
    table, weights = draw(), np.random.default_rng(0).integers(0, 4, 300)
    repeated = np.repeat(table.values, weights, axis=0)
    theirs = FactorAnalysis(2, tol=1e-6, max_iter=5000, svd_method="lapack").fit(repeated)
    mine = converged(table, weights=weights.astype(float))
    assert mine.log_prob(Table.of(repeated)).mean() == pytest.approx(
        theirs.score(repeated), abs=1e-4
    )


def test_each_step_raises_the_likelihood():
    table, fitted = draw(), FactorAnalyser(3, n_steps=1)
    scores = []
    for _ in range(30):
        fitted = fitted.fit(table)
        scores.append(fitted.log_prob(table).mean())
    assert (np.diff(scores) > -1e-10).all()


def test_scaling_columns_scales_the_parameters():
    scales = np.array([1e-3, 1, 10, 1, 1e4, 1, 1, 1])
    one, two = FactorAnalyser().fit(draw()), FactorAnalyser().fit(Table.of(draw().values * scales))
    np.testing.assert_allclose(two.noise, one.noise * scales**2, rtol=1e-6)
    np.testing.assert_allclose(two.mean, one.mean * scales, rtol=1e-6)


def test_thousands_of_columns_and_few_rows_are_fitted():
    table = draw(60, 3000, 3)
    fitted = FactorAnalyser(3).fit(table)
    fresh = draw(60, 3000, 3)
    assert np.isfinite(fitted.log_prob(fresh)).all()
    assert fitted.loadings.shape == (3000, 3)
    assert fitted.noise.mean() == pytest.approx(1.1, abs=0.15)
    assert fitted.factors(table.values).shape == (60, 3)


def test_constant_columns_give_finite_fits():
    rows = np.column_stack([draw().values, np.full(300, 7.0), np.zeros(300)])
    model = Mixture(FactorAnalyser(2), 2, random_state=0).fit(rows)
    assert np.isfinite(model.lower_bound_)
    constant = FactorAnalyser(1).fit(Table.of(np.full((4, 2), 5.0)))
    assert np.isfinite(constant.log_prob(Table.of([[4.0, 6.0]]))).all()


def test_few_rows_are_no_obstacle_to_many_factors():
    fitted = FactorAnalyser(6).fit(draw(3))
    assert np.isfinite(fitted.log_prob(draw())).all()
    assert fitted.min_observations == 7


def test_far_from_the_origin_no_digits_are_lost():
    near, far = converged(draw()), converged(Table.of(draw().values + 1e7))
    np.testing.assert_allclose(far.noise, near.noise, rtol=1e-4)


def test_bad_arguments_and_data_raise_an_error():
    for name in ("n_factors", "n_steps"):
        with pytest.raises(ValueError, match=f"{name} must be a whole number of at least 1"):
            FactorAnalyser(**{name: 0})
    with pytest.raises(ValueError, match="floor must be a number above 0"):
        FactorAnalyser(floor=0)
    with pytest.raises(ValueError, match="n_factors=3 needs at least 4 columns, but X has 2"):
        Mixture(FactorAnalyser(3)).fit([[1.0, 2.0], [2.0, 1.0]])


def test_n_parameters_and_what_is_shown():
    assert FactorAnalyser(2).fit(draw()).n_parameters == 8 + 8 + 16 - 1
    assert repr(FactorAnalyser(3)) == "FactorAnalyser(3)"
    shown = FactorAnalyser(
        1, mean=np.zeros(2), loadings=np.ones((2, 1)), noise=np.array([0.5, 1.0])
    )
    assert repr(shown) == "FactorAnalyser(1, mean=[0. 0.], noise=[0.5 1. ])"
